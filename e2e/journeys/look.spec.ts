/** How it looks and reads to assistive technology: axe on the main screens, light and dark, wide and narrow. */
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { answered, begin, expect, open, paper, pick, test, tray } from "./rex";

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

async function clean(page: Page, what: string, ready: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // A block out of sight keeps the colours it was last drawn in: the page is read as it comes up in this theme.
    await page.reload();
    await expect(page.locator(ready).first()).toBeVisible();
    const { violations } = await new AxeBuilder({ page }).analyze();
    const found = violations.map((one) => `${what}, ${colorScheme}: ${one.id}: ${one.nodes.map((node) => node.target.join(" ")).join(" | ")}`);
    expect(found).toEqual([]);
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(sideways, `${what} scrolls sideways`).toBeLessThanOrEqual(0);
  }
}

for (const size of SIZES) {
  test(`axe finds nothing on the main screens at ${size.width} px`, async ({ signedIn: page, rex, browser }) => {
    test.setTimeout(180_000);
    await open(page, "pricing.md");
    await page.setViewportSize(size);
    await clean(page, "reading", "article p");
    await page.setViewportSize(SIZES[0]);
    await pick(page, "the API stops and answers again");
    await page.setViewportSize(size);
    await clean(page, "tray", ".tray li");
    await page.setViewportSize(SIZES[0]);
    await tray(page).getByRole("button", { name: /^Clear/ }).click();
    await begin(page);
    await answered(page);
    await page.setViewportSize(size);
    await clean(page, "comment", ".card .turn__body p");
    const other = await (await browser.newContext({ viewport: size })).newPage();
    await other.goto(rex.ready.url);
    await expect(other.getByRole("textbox", { name: "Code" })).toBeVisible();
    await clean(other, "sign-in", "input");
    await other.context().close();
  });
}

test("the strict content policy is never met in a normal review", async ({ page, rex }) => {
  const broken: string[] = [];
  page.on("console", (message) => {
    if (/Content Security Policy|TrustedHTML|TrustedScript|panicked/.test(message.text())) broken.push(message.text());
  });
  page.on("pageerror", (error) => broken.push(String(error)));
  await page.goto(rex.ready.signInUrl);
  await expect(paper(page)).toBeVisible();
  expect(page.url()).not.toContain("code=");
  await begin(page);
  await answered(page);
  expect(broken).toEqual([]);
});
