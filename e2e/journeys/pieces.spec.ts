/** The page comes in pieces; one that cannot be loaded is said, and is there as soon as it can be. */
import { PROMISE, begin, card, expect, open, pick, select, test } from "./rex";
import type { Page } from "@playwright/test";

const PIECE = "**/assets/split_thread-*";

const notices = (page: Page) => page.getByRole("status", { name: "Notices" });

test("a selection whose code cannot be loaded says so, and the next one is picked", async ({ signedIn: page }) => {
  await page.route(PIECE, (route) => route.abort());
  await open(page, "pricing.md");
  await select(page, PROMISE);
  await expect(notices(page)).toContainText("could not be loaded");
  await page.unroute(PIECE);
  await pick(page, PROMISE);
});

test("a link to a comment whose code cannot be loaded shows the document, and the card by itself when it can", async ({ signedIn: page }) => {
  await begin(page);
  await page.route(PIECE, (route) => route.abort());
  await page.reload();
  await expect(notices(page)).toContainText("could not be loaded");
  await expect(page.getByRole("article", { name: "components.md" })).toContainText("Usage ring");
  await page.unroute(PIECE);
  await expect(card(page)).toBeVisible({ timeout: 30_000 });
});
