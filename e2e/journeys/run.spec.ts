/** While a run goes on: permission, stop, refusal, queue, several tabs. */
import { answered, begin, card, expect, paper, reply, test, turns } from "./rex";

test("an agent's question is shown where it arose; allowed once, the agent goes on", async ({ signedIn: page }) => {
  await begin(page, "Ask for permission first, then tell me which is right.");
  const approval = card(page).locator(".approval");
  await expect(approval).toBeVisible();
  // It travels in the snapshot: a reload does not lose it.
  await page.reload();
  await expect(approval.getByRole("button", { name: "Allow once" })).toBeVisible();
  await expect(page).toHaveTitle(/1/);
  await approval.getByRole("button", { name: "Allow once" }).click({ delay: 600 });
  await expect(approval.getByRole("button", { name: "Allow once" })).toBeHidden();
  await expect(await answered(page)).toContainText("pricing.md:");
});

test("an agent's question denied is told to the agent, and nothing runs", async ({ signedIn: page }) => {
  await begin(page, "Ask for permission first, then tell me which is right.");
  const approval = card(page).locator(".approval");
  await expect(approval).toBeVisible();
  await approval.getByRole("button", { name: "Deny" }).click({ delay: 600 });
  await expect(await answered(page)).toContainText(/den|not allowed|without/i);
});

test("Stop ends the run and keeps what was said", async ({ signedIn: page }) => {
  await begin(page, "Slow, please: which of the two is right?");
  await expect(turns(page).last().locator(".turn__body")).not.toBeEmpty();
  await card(page).getByRole("button", { name: "Stop this answer" }).click();
  await expect(card(page).getByRole("button", { name: "Stop this answer" })).toBeHidden();
  await expect(turns(page).last()).toContainText(/Cut off|Stopped/);
});

test("S135: a refused attempt stands where the reply would be, and Retry sends the same message again", async ({ signedIn: page }) => {
  await begin(page, "Please fail with 529.");
  const refused = card(page).getByRole("group", { name: "Refused attempt" });
  await expect(refused).toContainText("overloaded (529)");
  await expect(refused).toContainText("Your message is kept.");
  await refused.getByRole("button", { name: "Retry" }).click();
  await expect(card(page).getByRole("group", { name: "Refused attempt" })).toHaveCount(2);
  await expect(turns(page).filter({ hasText: "Please fail with 529." })).toHaveCount(1);
});

test("a message sent while a run goes on waits, can be edited and taken away", async ({ signedIn: page }) => {
  await begin(page, "Slow, please: which of the two is right?");
  await expect(card(page).getByRole("button", { name: /^Send next/ })).toBeVisible();
  await reply(page, "And then this.");
  await expect(card(page).getByRole("button", { name: "Edit this queued message" })).toBeVisible();
  await card(page).getByRole("button", { name: "Remove this queued message" }).click();
  await expect(card(page).getByRole("button", { name: "Edit this queued message" })).toBeHidden();
});

test("streaming takes neither the focus nor the scroll of a person who reads", async ({ signedIn: page }) => {
  await begin(page, "Slow, please: which of the two is right?");
  const message = card(page).getByRole("textbox", { name: "Your message" });
  await message.focus();
  await expect(turns(page).last().locator(".turn__body")).not.toBeEmpty();
  await answered(page);
  await expect(message).toBeFocused();
});

test("ten tabs on one bridge all work", async ({ signedIn: page, context }) => {
  await begin(page);
  await answered(page);
  const address = page.url();
  const tabs = [];
  for (let tab = 0; tab < 9; tab++) {
    const other = await context.newPage();
    await other.goto(address);
    await expect(card(other)).toContainText("2 places in 2 documents");
    tabs.push(other);
  }
  await reply(page, "Everybody hears this.");
  for (const tab of tabs) {
    await tab.bringToFront();
    await expect(turns(tab).filter({ hasText: "Everybody hears this." })).toBeVisible();
  }
});

test("S104 S115: looking builds nothing: no row, no file, no process", async ({ signedIn: page, rex }) => {
  await begin(page);
  await answered(page);
  const rows = async () => JSON.stringify(await rex.api(page, "/api/stored-threads"));
  const before = await rows();
  await page.reload();
  await expect(turns(page)).toHaveCount(2);
  await expect(paper(page)).toBeVisible();
  expect(await rows()).toBe(before);
});
