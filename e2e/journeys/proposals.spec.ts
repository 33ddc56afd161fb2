/** A proposal: asked for, looked at beside the document, taken in part, taken back, and never written over. */
import type { Page } from "@playwright/test";
import { expect, go, test } from "./ground";
import type { Ground } from "./ground";
import { answered, ask, card, open, pick, reply } from "./rex";
import type { Rex } from "./rex";

const TERMS = "# Terms\n\nRefunds are paid in 14 days.\n\nEvery seat costs 12 euros.\n\nAsk support for a refund first.\n\nThe end.\n";
const FAQ = "# Questions\n\nA refund takes 14 days.\n";

/** A comment on two documents that was answered. */
async function discussed(rex: Rex, page: Page, ground: Ground): Promise<void> {
  ground.write("terms.md", TERMS);
  ground.write("faq.md", FAQ);
  await go(rex, page, "terms.md");
  await pick(page, "Refunds are paid in 14 days.");
  await open(page, "faq.md");
  await pick(page, "A refund takes 14 days.");
  await ask(page, "Which of the two is right?");
  await answered(page);
}

/** Tells the demo agent to change its copy, and opens what it proposes. */
async function proposed(page: Page, message: string): Promise<void> {
  await card(page).locator("label", { hasText: "Act" }).click();
  await expect(card(page)).toContainText("private copy");
  await reply(page, message);
  await answered(page);
  await card(page).getByRole("button", { name: "Review changes" }).last().click();
  await expect(both(page)).toBeVisible();
}

const both = (page: Page) => page.getByRole("group", { name: /original and proposed/ });
const change = (page: Page, n: number) => both(page).getByRole("region", { name: new RegExp(`^Change ${n} of`) });
const document = (page: Page, name: string) => both(page).getByRole("navigation").getByRole("button", { name });

const EVERYWHERE = 'Replace "14 days" with "30 days", replace "12 euros" with "15 euros", replace "support" with "the desk".';

test("S18 S90: an act run proposes changes of two documents; one is accepted, one rejected, one taken in other words, and undone", async ({ ground, signedIn: page, rex }) => {
  await discussed(rex, page, ground);
  await proposed(page, EVERYWHERE);
  // Nothing is written before somebody says yes.
  expect(ground.read("terms.md")).toBe(TERMS);
  expect(ground.read("faq.md")).toBe(FAQ);
  await expect(card(page).getByRole("group", { name: "Proposal" })).toContainText("4 changes in faq.md and terms.md");
  await document(page, "terms.md").click();
  await expect(change(page, 1).locator("del")).toHaveText("14");
  await expect(change(page, 1).locator("ins")).toHaveText("30");

  await change(page, 1).getByRole("button", { name: /^Accept/ }).click();
  await expect(change(page, 1)).toContainText("Accepted");
  expect(ground.read("terms.md")).toBe(TERMS.replace("14 days", "30 days"));
  await change(page, 2).getByRole("button", { name: /^Reject/ }).click();
  await expect(change(page, 2)).toContainText("Rejected");
  await change(page, 3).getByRole("button", { name: /^Edit/ }).click();
  await change(page, 3).getByRole("textbox").fill("Ask us for a refund first.");
  await change(page, 3).getByRole("button", { name: "Accept this" }).click();
  await expect(change(page, 3)).toContainText("Accepted");
  expect(ground.read("terms.md")).toBe(TERMS.replace("14 days", "30 days").replace("Ask support", "Ask us"));
  await expect(page.locator(".verdict")).toContainText("2 accepted, 1 rejected, 0 open");

  const notices = page.getByRole("status", { name: "Notices" });
  await notices.getByRole("button", { name: "Undo" }).last().click();
  await expect(change(page, 3)).not.toContainText("Accepted");
  expect(ground.read("terms.md")).toBe(TERMS.replace("14 days", "30 days"));
  await page.keyboard.press("Escape");
  await expect(page.getByRole("article", { name: /\.md$/ })).toBeVisible();
});

test("keys go through the changes, accept and reject; a tick says what was looked through", async ({ ground, signedIn: page, rex }) => {
  await discussed(rex, page, ground);
  await proposed(page, EVERYWHERE);
  await document(page, "terms.md").click();
  await expect(change(page, 3)).toBeVisible();
  await both(page).focus();
  await page.keyboard.press("n");
  await page.keyboard.press("y");
  await expect(change(page, 1)).toContainText("Accepted");
  await page.keyboard.press("x");
  await expect(change(page, 2)).toContainText("Rejected");
  expect(ground.read("terms.md")).toBe(TERMS.replace("14 days", "30 days"));
  const tick = both(page).getByRole("checkbox", { name: "Viewed" }).last();
  await tick.check();
  await page.keyboard.press("Escape");
  await card(page).getByRole("button", { name: "Review changes" }).last().click();
  await expect(both(page).getByRole("checkbox", { name: "Viewed" }).last()).toBeChecked();
});

test("what a person writes meanwhile is merged, and where both changed the same line nothing is written", async ({ ground, signedIn: page, rex }) => {
  await discussed(rex, page, ground);
  await proposed(page, EVERYWHERE);
  await document(page, "terms.md").click();
  ground.edit("terms.md", "The end.", "The very end.");
  await change(page, 1).getByRole("button", { name: /^Accept/ }).click();
  await expect(page.getByRole("status", { name: "Notices" })).toContainText("both changes are in it");
  expect(ground.read("terms.md")).toBe(TERMS.replace("14 days", "30 days").replace("The end", "The very end"));

  ground.edit("terms.md", "12 euros", "11 euros");
  const mine = ground.read("terms.md");
  await change(page, 2).getByRole("button", { name: /^Accept/ }).click();
  const conflict = change(page, 2).getByRole("alert");
  await expect(conflict).toContainText("Nothing was written");
  await expect(conflict).toContainText("Every seat costs 11 euros.");
  await expect(conflict).toContainText("Every seat costs 15 euros.");
  expect(ground.read("terms.md")).toBe(mine);
  await conflict.getByRole("button", { name: "Keep mine" }).click();
  await expect(change(page, 2)).toContainText("Rejected");
});

test("S17 S18: a comment on the new side stays, and is about the very words once they are accepted", async ({ ground, signedIn: page, rex }) => {
  await discussed(rex, page, ground);
  await proposed(page, EVERYWHERE);
  await document(page, "terms.md").click();
  const side = change(page, 3).locator(".side--ins");
  await side.hover();
  await side.getByRole("button", { name: "Comment on the new text" }).click();
  const made = page.getByRole("complementary", { name: "Comment 2" });
  // The words that would be replaced are what it stands on in the document as it is.
  await expect(made).toContainText("Ask support for a refund first.");
  const thread = new URL(page.url()).searchParams.get("thread")!;
  const row = async () => (await rex.api<{ row: { lane: string; places: { state: string }[] } }>(page, `/api/threads/${thread}`)).row;
  expect(await row()).toMatchObject({ lane: "draft", places: [{ state: "changed" }] });
  await change(page, 3).getByRole("button", { name: /^Accept/ }).click();
  await expect.poll(async () => (await row()).places[0].state).toBe("exact");
  expect((await row()).lane).toBe("draft");
});

test("what waits is where the next act run begins, and the newer proposal stands in for it", async ({ ground, signedIn: page, rex }) => {
  await discussed(rex, page, ground);
  await proposed(page, 'Replace "14 days" with "30 days".');
  await page.keyboard.press("Escape");
  await reply(page, 'Replace "30 days" with "a month".');
  await answered(page);
  const proposals = card(page).getByRole("group", { name: "Proposal" });
  await expect(proposals.first()).toContainText("a newer proposal stands in for it");
  await proposals.last().getByRole("button", { name: "Review changes" }).click();
  await document(page, "terms.md").click();
  await expect(change(page, 1).locator(".side--ins")).toContainText("Refunds are paid in a month.");
  await expect(change(page, 1).locator(".side--del")).toContainText("Refunds are paid in 14 days.");
});
