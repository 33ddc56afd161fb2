/** The path of a first review: point, ask, watch, come back. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { OVERAGE, PROMISE, answered, begin, card, expect, open, paper, pick, reply, select, test, threadOf, tray, turns } from "./rex";

test("S1 S2 S3 S7 S66 S92: two passages of two documents become one comment, and the answer comes with its evidence", async ({ signedIn: page }) => {
  await open(page, "pricing.md");
  await pick(page, PROMISE);
  await expect(tray(page)).toContainText("1 passage");
  await open(page, "components.md");
  await pick(page, OVERAGE);
  await expect(tray(page)).toContainText("2 passages in 2 documents");
  await tray(page).getByRole("textbox").fill("Which of the two is right?");
  await tray(page).getByRole("button", { name: "Ask about 2" }).click();
  await page.getByRole("button", { name: "Go on in this workspace" }).click();

  await expect(card(page)).toContainText("2 places in 2 documents");
  const answer = await answered(page);
  // The agent was given addresses, read the files itself, and says where it found what.
  await expect(answer.getByRole("link", { name: /pricing\.md:\d+/ }).first()).toBeVisible();
  await expect(answer.getByRole("link", { name: /components\.md:\d+/ }).first()).toBeVisible();

  // One number, the same in the margin and in the rail; one id in the address.
  const number = (await card(page).locator(".card__n").innerText()).replace("Comment ", "");
  await expect(page.locator(".marker", { hasText: number }).first()).toBeVisible();
  await page.getByRole("tab", { name: /Threads/ }).click();
  await expect(page.locator(`a.row[href*="${threadOf(page)}"]`)).toContainText(number);
});

test("S5: from a passage one click leads to its comment, and back", async ({ signedIn: page }) => {
  await begin(page);
  await answered(page);
  await card(page).getByRole("button", { name: /Close card/ }).click();
  await page.locator("button.marker").first().click();
  await expect(card(page)).toBeVisible();
  await open(page, "api.md");
  await card(page).locator(".place, .place a, .place button").filter({ hasText: "pricing.md" }).first().click();
  await expect(page.getByRole("article", { name: /pricing\.md/ })).toBeVisible();
});

test("S57 S58 S59 S60 S61 S65: a passage found later joins the open comment with the next message", async ({ signedIn: page }) => {
  await begin(page);
  await answered(page);
  await open(page, "api.md");
  await select(page, "The API never stops serving");
  const bar = page.getByRole("toolbar", { name: "Selection" });
  // Joining is offered first, a new comment is one step away.
  await expect(bar.getByRole("button").first()).toContainText(/Add to #?\d+/);
  await expect(bar.getByRole("button", { name: /^Comment/ })).toBeVisible();
  await bar.getByRole("button").first().click();
  await expect(card(page).getByRole("list", { name: "Places that go with this message" })).toContainText("api.md");
  await reply(page, "Look, here it is written exactly the opposite.");

  await expect(card(page)).toContainText("3 places in 3 documents");
  await answered(page);
  const mine = turns(page).filter({ hasText: "exactly the opposite" });
  await expect(mine.locator(".chips")).toContainText("api.md");
  await expect(mine.locator(".chips")).not.toContainText("pricing.md");
  // Marked in its document, without a change of the document's own nodes.
  const marked = await page.evaluate(() => [...(CSS as any).highlights.values()].reduce((sum: number, one: Set<Range>) => sum + one.size, 0));
  expect(marked).toBeGreaterThan(0);
});

test("S57 S66: picked passages can join the open comment too, and that is offered first", async ({ signedIn: page }) => {
  await begin(page);
  await answered(page);
  await open(page, "api.md");
  await select(page, "The API never stops serving");
  await page.getByRole("toolbar", { name: "Selection" }).getByRole("button", { name: /^Comment/ }).click();
  await expect(tray(page)).toContainText("1 passage");
  await expect(tray(page).locator("button.btn").filter({ hasText: /ask/i }).first()).toContainText(/Add to #\d+ and ask/);
  await tray(page).getByRole("textbox").fill("Read this as well.");
  await tray(page).getByRole("button", { name: /Add to #\d+ and ask/ }).click();
  await expect(card(page)).toContainText("3 places in 3 documents");
  await expect(turns(page).filter({ hasText: "Read this as well." })).toBeVisible();
});

test("S63: another document leaves the card open and scrolled where it was", async ({ signedIn: page }) => {
  await begin(page);
  await answered(page);
  for (const text of ["And the table?", "And the notice?", "And the headers?"]) {
    await reply(page, text);
    await expect(turns(page).filter({ hasText: text })).toBeVisible();
    await answered(page);
  }
  const scroller = card(page).getByRole("region", { name: "Conversation" });
  await scroller.evaluate((element) => (element.scrollTop = element.scrollTop - 300));
  // What is read stays where it is read, whatever the browser corrects above it.
  const read = turns(page).filter({ hasText: "And the headers?" });
  const place = async () => (await read.boundingBox())!.y;
  const before = await place();
  await open(page, "api.md");
  await expect(card(page)).toBeVisible();
  expect(Math.abs((await place()) - before)).toBeLessThan(2);
});

test("S67 S76: a half-built comment is a draft that survives a reload and a restart", async ({ signedIn: page, rex }) => {
  await open(page, "pricing.md");
  await pick(page, PROMISE);
  await tray(page).getByRole("textbox").fill("Is this promise still");
  const saved = async () => {
    const rows = await rex.api<{ threadId: string; lane: string }[]>(page, "/api/stored-threads");
    if (rows.length !== 1 || rows[0].lane !== "draft") return "";
    const thread = await rex.api<{ draft: { text: string } }>(page, `/api/threads/${rows[0].threadId}`);
    return thread.draft.text;
  };
  await expect.poll(saved).toBe("Is this promise still");
  await page.reload();
  await expect(tray(page)).toContainText("1 passage");
  await expect(tray(page).getByRole("textbox")).toHaveValue("Is this promise still");

  await rex.kill("SIGTERM");
  await rex.start();
  await page.goto(rex.ready.url);
  await expect(tray(page)).toContainText("1 passage");
  await expect(tray(page).getByRole("textbox")).toHaveValue("Is this promise still");
});

test("S8: a review leaves the folder as it was", async ({ signedIn: page, rex }) => {
  const files = () => readdirSync(rex.root!, { recursive: true }).sort().map((name) => `${name}: ${readFileSync(join(rex.root!, String(name)))}`);
  const before = files();
  await begin(page);
  await answered(page);
  expect(files()).toEqual(before);
  await expect(turns(page).last()).toContainText("nothing changed on disk");
});

test("S151: code and plain text are reviewed by the same gestures", async ({ signedIn: page, rex }) => {
  const { writeFileSync } = await import("node:fs");
  writeFileSync(join(rex.root!, "meter.rs"), "fn meter(used: u32, limit: u32) -> u32 {\n    // It stops at 100 percent.\n    used.min(limit)\n}\n");
  writeFileSync(join(rex.root!, "notes.txt"), "The meter may go past its limit.\nNobody knows why.\n");
  await page.reload();
  await open(page, "meter.rs");
  await pick(page, "used.min(limit)");
  await open(page, "notes.txt");
  await pick(page, "The meter may go past its limit.");
  await expect(tray(page)).toContainText("2 passages in 2 documents");
  await tray(page).getByRole("textbox").fill("Do these agree?");
  await tray(page).getByRole("button", { name: "Ask about 2" }).click();
  await page.getByRole("button", { name: "Go on in this workspace" }).click();
  await expect(await answered(page)).toContainText("meter.rs:3");
});

test("an empty or too short selection offers nothing, an exact twin is not picked twice", async ({ signedIn: page }) => {
  await open(page, "pricing.md");
  await pick(page, PROMISE);
  await select(page, PROMISE);
  await expect(tray(page)).toContainText("1 passage");
  await expect(paper(page)).toBeVisible();
});
