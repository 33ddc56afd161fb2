/** Coming back: reload, link, kill, restart. */
import { answered, begin, card, expect, open, paper, reply, test, threadOf, turns } from "./rex";

test("S120 S143: a reload in mid-stream ends in the same screen, and the answer goes on", async ({ signedIn: page }) => {
  await begin(page, "Slow, please: which of the two is right?");
  await expect(card(page).getByRole("button", { name: "Stop this answer" })).toBeVisible();
  await expect(turns(page).last()).toContainText(/\w{3,}/);
  const address = page.url();
  await page.reload();
  await expect(card(page)).toContainText("2 places in 2 documents");
  expect(page.url()).toBe(address);
  const answer = await answered(page);
  await expect(answer).toContainText("pricing.md:");
  await expect(turns(page)).toHaveCount(2);
});

test("S110 S137 S152: a copied link meets the sign-in page in an unknown browser, and then opens the same comment", async ({ signedIn: page, rex, browser }) => {
  await begin(page);
  await answered(page);
  await card(page).getByRole("button", { name: /^More/ }).click();
  await page.getByRole("button", { name: "Copy link", exact: true }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toContain(threadOf(page));
  expect(link).not.toContain("code");

  const other = await (await browser.newContext()).newPage();
  await other.goto(link);
  await expect(other.getByRole("heading", { name: /not known/i })).toBeVisible();
  const { execFileSync } = await import("node:child_process");
  const said = execFileSync(process.env.REX_BINARY!, ["link", "--home", rex.home], { encoding: "utf8" });
  const code = /code=([A-Za-z0-9-]+)/.exec(said)?.[1] ?? "";
  await other.getByRole("textbox", { name: "Code" }).fill(code);
  await other.keyboard.press("Enter");
  await expect(card(other)).toContainText("2 places in 2 documents");
  await expect(turns(other)).toHaveCount(2);
  expect(new URL(other.url()).searchParams.get("thread")).toBe(threadOf(page));
  await other.context().close();
});

test("S13 S46 S148: after a kill in mid-answer all that was shown is there, marked as cut off, and the next message goes on", async ({ signedIn: page, rex }) => {
  await begin(page, "Slow, please: which of the two is right?");
  const live = turns(page).last();
  await expect(live).toContainText(/\w+ \w+ \w+/);
  const body = live.locator(".turn__body");
  await expect(body).not.toBeEmpty();
  const shown = (await body.innerText()).trim();
  await rex.kill();
  await expect(page.getByText("Not connected").first()).toBeVisible({ timeout: 10_000 });
  await rex.start();
  await page.goto(rex.origin + "/" + new URL(page.url()).search);
  await expect(turns(page).last()).toContainText("Cut off. This is not a finished answer.");
  const kept = (await turns(page).last().innerText()).replace(/\s+/g, " ");
  expect(kept).toContain(shown.replace(/\s+/g, " ").slice(0, Math.max(10, shown.length - 5)));

  await reply(page, "Go on, and be quick.");
  await answered(page);
  await expect(turns(page)).toHaveCount(4);
});

test("an answer cut off by a kill is sent again without a reload, and comes live as a new answer to the same message", async ({ signedIn: page, rex }) => {
  await begin(page, "Slow, please: which of the two is right?");
  await expect(turns(page).last().locator(".turn__body")).toContainText(/\w+ \w+/);
  await rex.kill();
  await rex.start();
  const cut = turns(page).last();
  await expect(cut).toContainText("Cut off. This is not a finished answer.", { timeout: 20_000 });
  await cut.getByRole("button", { name: "Send again" }).click();
  await expect(turns(page)).toHaveCount(3);
  const stop = card(page).getByRole("button", { name: "Stop this answer" });
  const body = turns(page).last().locator(".turn__body");
  await expect(body).toContainText(/\w+ \w+/);
  const early = (await body.innerText()).length;
  await expect.poll(async () => (await body.innerText()).length).toBeGreaterThan(early);
  await expect(stop).toBeVisible();
  await expect(await answered(page)).toContainText("pricing.md:");
  await expect(card(page).locator(".turn--you")).toHaveCount(1);
  await expect(turns(page)).toHaveCount(3);
});

test("S23: the second message resumes what the agent remembers, and the mark says so", async ({ signedIn: page }) => {
  await begin(page);
  await answered(page);
  await expect(card(page)).toContainText("remembers this comment");
  await reply(page, "And the table?");
  await expect(turns(page).filter({ hasText: "And the table?" })).toBeVisible();
  await expect(await answered(page)).toContainText("resumed");
});

test("S24 S29: with the agent's own record gone the comment is told again, and the reader sees the same thread", async ({ signedIn: page, rex }) => {
  await begin(page);
  await answered(page);
  const { rmSync, readdirSync } = await import("node:fs");
  const { join } = await import("node:path");
  // Everything the demo agent keeps; REX's own rows are elsewhere.
  const records = readdirSync(rex.temp, { recursive: true }).map(String).filter((name) => /demo/.test(name) && name.endsWith(".json"));
  expect(records.length).toBeGreaterThan(0);
  for (const name of records) rmSync(join(rex.temp, name));
  await page.reload();
  await expect(turns(page)).toHaveCount(2);
  await expect(card(page)).toContainText("It will be given the conversation again");
  await reply(page, "And the table?");
  await expect(turns(page).filter({ hasText: "And the table?" })).toBeVisible();
  await expect(await answered(page)).toContainText("replayed");
  await expect(turns(page)).toHaveCount(4);
});

test("S138 S139: boot adds no step to the history, a click in the rail adds one, and other parameters stay", async ({ signedIn: page }) => {
  await begin(page);
  await answered(page);
  const thread = threadOf(page);
  await card(page).getByRole("button", { name: /Close card/ }).click();
  await page.goto(`${page.url()}&mine=1`);
  await expect(paper(page)).toBeVisible();
  const before = await page.evaluate(() => history.length);
  await page.reload();
  await expect(paper(page)).toBeVisible();
  expect(await page.evaluate(() => history.length)).toBe(before);
  await page.getByRole("tab", { name: /Threads/ }).click();
  await page.locator(`a.row[href*="${thread}"]`).click();
  await expect(card(page)).toBeVisible();
  expect(await page.evaluate(() => history.length)).toBe(before + 1);
  expect(new URL(page.url()).searchParams.get("mine")).toBe("1");
  await page.goBack();
  await expect(card(page)).toBeHidden();
  await page.goForward();
  await expect(card(page)).toBeVisible();
});

test("S140 S141 S142: the last click wins, however slow an earlier answer is", async ({ signedIn: page }) => {
  await begin(page, "First question");
  await answered(page);
  const first = threadOf(page);
  await card(page).getByRole("button", { name: /Close card/ }).click();
  await open(page, "api.md");
  const { pick, tray } = await import("./rex");
  await pick(page, "The API never stops serving");
  await tray(page).getByRole("textbox").fill("Second question");
  await tray(page).getByRole("button", { name: /^Ask about/ }).click();
  await expect(card(page)).toContainText("Second question");
  await answered(page);
  const second = threadOf(page);
  await card(page).getByRole("button", { name: /Close card/ }).click();
  // Everything about the first thread is held back until the second one is on screen.
  let release = () => {};
  const held = new Promise<void>((done) => (release = done));
  await page.route(`**/api/threads/${first}**`, async (route) => {
    await held;
    await route.continue().catch(() => undefined);
  });
  await page.getByRole("tab", { name: /Threads/ }).click();
  await page.locator(`a.row[href*="${first}"]`).click();
  await page.locator(`a.row[href*="${second}"]`).click();
  await expect(card(page)).toContainText("Second question");
  release();
  await page.reload();
  await expect(card(page)).toContainText("Second question");
  expect(threadOf(page)).toBe(second);
});

test("S137: an unknown and a malformed thread each get their own sentence", async ({ signedIn: page }) => {
  const address = new URL(page.url());
  address.searchParams.set("thread", "not-an-id");
  await page.goto(address.toString());
  await expect(page.getByRole("status").filter({ hasText: /address|link/i }).first()).toBeVisible();
  await expect(paper(page)).toBeVisible();
  address.searchParams.set("thread", "01890a5d-ac96-774b-bcce-b302099a8057");
  await page.goto(address.toString());
  await expect(page.getByText(/no comment|not known|unknown|not here/i).first()).toBeVisible();
});
