/** After an edit by another program: what became of every comment, and a lost place put back by one key. */
import type { Page } from "@playwright/test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, go, note, placeOf, test } from "./ground";
import { card, paper } from "./rex";

const TRIAL = "The trial of Scale lasts fourteen days and ends without a notice.";
const TWIN = "The trial of Team lasts fourteen days and ends without a notice.";
const ROUNDING = "A price is rounded to full euros before it is shown to anyone.";
const DOCUMENT = `# Pricing

${TRIAL} It begins at once.

## Limits

${ROUNDING}

${TWIN} Nobody is billed for it.

A busy month cannot become an expensive one.
`;

const report = (page: Page) => page.getByRole("dialog", { name: "What the edit did to your comments" });

const edited = DOCUMENT.replace(`${TRIAL} It begins at once.`, "Two lines\nstand here now.").replace("full euros", "whole euros");

test("after an edit the foot counts what it did, and the report shows it, the lost place first", async ({ ground, signedIn: page, rex }) => {
  ground.write("pricing.md", DOCUMENT);
  await go(rex, page, "pricing.md");
  for (const quote of [TRIAL, ROUNDING, "A busy month cannot become an expensive one."]) await note(rex, page, "pricing.md", quote);
  ground.write("pricing.md", edited);
  await expect(page.getByRole("button", { name: /^Changes/ })).toContainText("1 same, 1 changed, 1 gone");
  await page.keyboard.press("h");
  await expect(report(page).getByRole("heading", { level: 3 }).first()).toHaveText(/Needs you\s*2/);
  await expect(report(page).getByRole("listitem").first()).toContainText("gone");
  await expect(report(page).locator("ins")).toHaveText("whole");
  await expect(report(page).locator("del")).toHaveText("full");
  await expect(report(page)).toContainText("1 line down");
});

test("S73: a lost place is put back by one key, and lost again by one more", async ({ ground, signedIn: page, rex }) => {
  ground.write("pricing.md", DOCUMENT);
  await go(rex, page, "pricing.md");
  const thread = await note(rex, page, "pricing.md", TRIAL);
  ground.write("pricing.md", edited);
  await expect.poll(async () => (await placeOf(rex, page, thread)).state).toBe("gone");
  await page.goto(`${rex.origin}/?doc=pricing.md&thread=${thread}`);
  await expect(card(page)).toContainText("gone since");
  await expect(card(page).locator("figure")).toContainText(TRIAL);
  await expect(card(page).getByRole("button", { name: "Yes, here" }).first()).toBeVisible();
  await page.keyboard.press("y");
  await expect(card(page)).toContainText("Put on the text you chose");
  const row = async () => (await rex.api<{ row: { lane: string } }>(page, `/api/threads/${thread}`)).row.lane;
  expect(await row()).toBe("note");
  await page.keyboard.press("u");
  await expect(card(page).getByRole("button", { name: "Yes, here" }).first()).toBeVisible();
  expect(await row()).toBe("gone");
});

test("S82: a document renamed while it is read goes on under its new name", async ({ ground, signedIn: page, rex }) => {
  ground.write("pricing.md", DOCUMENT);
  await go(rex, page, "pricing.md");
  await note(rex, page, "pricing.md", ROUNDING);
  ground.rename("pricing.md", "prices.md");
  await expect(page.getByRole("article", { name: "prices.md" })).toBeVisible();
  expect(new URL(page.url()).searchParams.get("doc")).toBe("prices.md");
  await expect(page.getByRole("button", { name: "Comment 1, note" })).toBeVisible();
});

test("S82: a missing document offers the file it may be, and its comments move when the person says so", async ({ ground, signedIn: page, rex }) => {
  ground.write("pricing.md", DOCUMENT);
  await go(rex, page, "pricing.md");
  const thread = await note(rex, page, "pricing.md", ROUNDING);
  rmSync(join(ground.root, "pricing.md"));
  await expect(paper(page)).toContainText("there is no file of that name");
  ground.write("costs.md", DOCUMENT.replace("# Pricing", "# Costs").replace("A busy month", "A quiet month"));
  await expect.poll(async () => (await rex.api<{ renames: unknown[] }>(page, "/api/files")).renames.length).toBe(1);
  await page.reload();
  await page.getByRole("button", { name: "Move 1 comment" }).click();
  await expect(page.getByRole("article", { name: "costs.md" })).toBeVisible();
  expect((await placeOf(rex, page, thread)).document).toBe("costs.md");
});
