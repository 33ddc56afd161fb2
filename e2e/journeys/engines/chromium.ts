import type { Page } from "@playwright/test";
import type { Driver } from "./driver";

export function chromium(page: Page): Driver {
  return {
    goto: async (url) => void (await page.goto(url)),
    reload: async () => void (await page.reload()),
    click: (selector) => page.locator(selector).first().click(),
    type: (selector, text) => page.locator(selector).first().pressSequentially(text),
    // As a text, for the page's own policy forbids making functions from text.
    run: (body, ...args) => page.evaluate(`(function () { ${body} }).apply(null, ${JSON.stringify(args)})`),
    close: async () => {},
  };
}
