/** What a question may do to the disk: said before it, kept from it, and said after it. */
import { answered, card, expect, goOn, open, paper, pick, PROMISE, Rex, test, tray, turns } from "./rex";

test("S91: where the system keeps a run from writing nobody is asked first, and the receipt says that nothing changed", async ({ page }) => {
  const rex = await new Rex(undefined, { REX_SANDBOX: "" }).start();
  try {
    await page.goto(rex.ready.signInUrl);
    await expect(paper(page)).toBeVisible();
    const { agents } = await rex.api<{ agents: { sandbox: string }[] }>(page, "/api/workspace");
    test.skip(agents[0]!.sandbox === "none", "NOT TESTED: no sandbox holds on this machine");
    await open(page, "pricing.md");
    await pick(page, PROMISE);
    await tray(page).getByRole("textbox").fill("Is this so?");
    await tray(page).getByRole("button", { name: "Ask about 1" }).click();
    await answered(page);
    await expect(turns(page).last()).toContainText("nothing changed on disk");
    await expect(turns(page).last()).not.toContainText("not enforced");
    await expect(card(page).getByRole("combobox", { name: /Agent/ })).not.toContainText("not enforced");
  } finally {
    await rex.stop();
  }
});

test("S91: where nothing does, that is said before the run, at the agent and after the run", async ({ signedIn: page }) => {
  await open(page, "pricing.md");
  await pick(page, PROMISE);
  await tray(page).getByRole("textbox").fill("Is this so?");
  await tray(page).getByRole("button", { name: "Ask about 1" }).click();
  await goOn(page);
  await answered(page);
  await expect(turns(page).last()).toContainText("not enforced");
  await expect(card(page).getByRole("combobox", { name: /Agent/ })).toContainText("Demo, not enforced");
});
