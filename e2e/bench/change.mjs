// How long an open document takes from a change on disk to its redrawn marks, and the longest task on the way:
// node change.mjs URL SECRET FILE MARKS RUNS → JSON on stdout. Each change puts in another first paragraph, so that
// every mark moves.
import { chromium } from "@playwright/test";
import { readFileSync, renameSync, writeFileSync } from "node:fs";

const [url, secret, file, marks, runs] = process.argv.slice(2);
const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const browser = await chromium.launch({ executablePath: process.env.REX_CHROMIUM ?? "/usr/bin/chromium", args });
const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
await page.addInitScript((secret) => {
  localStorage.setItem("rex-secret", secret);
  window.seen = { tasks: [], drawn: 0 };
  new PerformanceObserver((list) => {
    for (const task of list.getEntries()) window.seen.tasks.push([performance.timeOrigin + task.startTime, task.duration]);
  }).observe({ type: "longtask" });
  const set = HighlightRegistry.prototype.set;
  HighlightRegistry.prototype.set = function (...change) {
    window.seen.drawn += 1;
    return set.apply(this, change);
  };
}, secret);

/** Resolves with the time of the frame in which the text stands first and every mark was drawn after that. */
const drawn = (text, marks) =>
  page.evaluate(
    ([text, marks]) =>
      new Promise((resolve) => {
        let drawnBefore = null;
        const look = () => {
          const shows = document.querySelectorAll(".blocks .block")[1]?.textContent.includes(text);
          if (shows) drawnBefore ??= window.seen.drawn;
          let count = 0;
          for (const [name, ranges] of CSS.highlights) if (name !== "over") count += ranges.size;
          // The frame that shows the text may be the one that drew the marks.
          if (shows && count >= marks && window.seen.drawn >= drawnBefore) resolve(performance.timeOrigin + performance.now());
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
    [text, Number(marks)],
  );

const original = readFileSync(file, "utf8");
const [heading, ...rest] = original.split("\n\n");
await page.goto(url);
await drawn("", marks);
const list = [];
for (let run = 0; run < Number(runs); run++) {
  const text = `Change ${run} was made by another program.`;
  writeFileSync(`${file}.saving`, [heading, text, ...rest].join("\n\n"));
  const redrawn = drawn(text, marks);
  // The page is at rest before the clock starts.
  await page.evaluate(() => new Promise((done) => requestIdleCallback(done)));
  const began = Date.now();
  renameSync(`${file}.saving`, file);
  const ended = await redrawn;
  // A long task is told of after it ended.
  const tasks = await page.evaluate(() => new Promise((done) => requestIdleCallback(() => setTimeout(() => done(window.seen.tasks)))));
  const within = tasks.filter(([at]) => at >= began).map(([, took]) => took);
  list.push({ redrawnMs: ended - began, longestTaskMs: Math.max(0, ...within) });
}
await browser.close();
console.log(JSON.stringify(list));
