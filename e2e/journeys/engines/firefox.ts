import puppeteer from "puppeteer-core";
import type { Driver } from "./driver";

export async function firefox(): Promise<Driver> {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: process.env.REX_FIREFOX ?? "/usr/bin/firefox-esr",
    headless: true,
    protocol: "webDriverBiDi",
  });
  const page = await browser.newPage();
  return {
    goto: async (url) => void (await page.goto(url)),
    reload: async () => void (await page.reload()),
    click: async (selector) => {
      const element = await page.waitForSelector(selector, { visible: true, timeout: 10_000 });
      await element?.click();
    },
    type: (selector, text) => page.type(selector, text),
    run: (body, ...args) => page.evaluate(`(function () { ${body} }).apply(null, ${JSON.stringify(args)})`) as Promise<never>,
    close: () => browser.close(),
  };
}
