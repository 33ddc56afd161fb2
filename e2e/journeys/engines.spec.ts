/** One journey in the three engines: sign in, open, select, ask, see the answer stream, reload. */
import { chromium } from "./engines/chromium";
import { until, type Driver } from "./engines/driver";
import { firefox } from "./engines/firefox";
import { webkit } from "./engines/webkit";
import { Rex, test } from "./rex";
import type { Page } from "@playwright/test";

/** Selects the words in the open document, and lets go of the pointer. */
const SELECT = `
  const article = document.querySelector("[role=article], article");
  const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const at = node.textContent.indexOf(arguments[0]);
    if (at < 0) continue;
    node.parentElement.scrollIntoView({ block: "center" });
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + arguments[0].length);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
    const box = range.getBoundingClientRect();
    const where = { bubbles: true, clientX: box.right - 1, clientY: box.bottom - 1, pointerType: "mouse", button: 0 };
    node.parentElement.dispatchEvent(new PointerEvent("pointerdown", where));
    node.parentElement.dispatchEvent(new PointerEvent("pointerup", where));
    return true;
  }
  return false;`;

const SHOWS = "return document.body.innerText.includes(arguments[0])";

async function review(driver: Driver, rex: Rex): Promise<void> {
  await driver.goto(rex.ready.signInUrl);
  await until(driver, "the document is on screen", "return !!document.querySelector('[role=article], article')");
  await until(driver, "the sentence is selected", SELECT, "The price is charged in advance");
  await driver.click("[role=toolbar] button");
  await until(driver, "the tray is open", SHOWS, "1 passage");
  await driver.type(".tray textarea", "Slow, please: is this said elsewhere?");
  await driver.click(".tray .btn--primary");
  await driver.click("dialog[open] .btn--primary");
  // Streaming: the answer is there in part before it is there whole.
  const part = await until<string>(driver, "the answer begins", "return document.querySelector('.turn--live .turn__body')?.innerText || ''");
  await until(driver, "the answer grows", "return (document.querySelector('.turn--live .turn__body')?.innerText.length ?? 1e9) > arguments[0]", part.length);
  await driver.reload();
  await until(driver, "the comment is open again", SHOWS, "is this said elsewhere?");
  // History paints first and says nothing of a run; the end is where the evidence stands and nothing is live.
  await until(driver, "the answer is whole", `
    const turns = document.querySelectorAll(".turn");
    return turns.length === 2 && !document.querySelector(".turn--live") && turns[1].textContent.includes("pricing.md:")`);
}

const ENGINES: [string, (page: Page) => Promise<Driver>][] = [
  ["Chromium", async (page) => chromium(page)],
  ["Firefox", firefox],
  ["WebKit", webkit],
];

for (const [engine, begin] of ENGINES) {
  test(`S150: sign in, open, select, ask, see the answer stream, reload, in ${engine}`, async ({ rex, page }) => {
    test.setTimeout(180_000);
    const driver = await begin(page);
    try {
      await review(driver, rex);
    } finally {
      await driver.close();
    }
  });
}
