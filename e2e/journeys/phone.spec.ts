/** The same review with a finger on a small screen. */
import { card, expect, goOn, OVERAGE, paper, PROMISE, test, tray } from "./rex";
import type { Locator, Page } from "@playwright/test";

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

/** Opens a document by the drawer. */
async function open(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: /rail/ }).tap();
  await page.getByRole("tab", { name: /Files/ }).tap();
  await page.getByRole("treeitem", { name }).tap();
  await expect(page.getByRole("article", { name })).toBeVisible();
}

/** Selects words as the system's own handles do: there is no pointer in it. */
async function select(page: Page, text: string): Promise<void> {
  await expect(paper(page)).toContainText(text);
  await paper(page).evaluate((article, text) => {
    const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.textContent!.indexOf(text);
      if (at < 0) continue;
      node.parentElement!.scrollIntoView({ block: "center" });
      getSelection()!.setBaseAndExtent(node, at, node, at + text.length);
      return;
    }
    throw new Error(`the document does not show: ${text}`);
  }, text);
}

/** How much of it cannot be seen without scrolling sideways. */
const hidden = (place: Locator) => place.evaluate((element) => element.scrollWidth - element.clientWidth);

test("two passages are picked, cleared, taken back and asked about, and the card is a sheet", async ({ signedIn: page }) => {
  await open(page, "pricing.md");
  await select(page, PROMISE);
  await page.getByRole("toolbar", { name: "Selection" }).getByRole("button", { name: /^Comment/ }).tap();
  await expect(tray(page)).toContainText("1 passage");
  await open(page, "components.md");
  await select(page, OVERAGE);
  await expect(tray(page)).toContainText("2 passages in 2 documents");
  expect(await hidden(tray(page).locator(".picks"))).toBe(0);

  await tray(page).getByRole("button", { name: /^Clear/ }).tap();
  await page.getByRole("button", { name: "Undo" }).tap();
  await expect(tray(page)).toContainText("2 passages in 2 documents");

  await tray(page).getByRole("textbox").fill("Which of the two is right?");
  await tray(page).getByRole("button", { name: /^Ask about/ }).tap();
  await goOn(page);
  await expect(card(page)).toContainText("2 places in 2 documents");
  await expect(card(page).locator(".turn").last()).toContainText("pricing.md:", { timeout: 30_000 });
  const sheet = await card(page).boundingBox();
  expect(sheet!.y).toBeGreaterThan(100);
  expect(sheet!.y + sheet!.height).toBeLessThanOrEqual(844);

  await page.getByRole("button", { name: /Close card/ }).tap();
  await expect(card(page)).toBeHidden();
  await page.getByRole("button", { name: /^Comment 1/ }).first().tap();
  await expect(card(page)).toBeVisible();
});
