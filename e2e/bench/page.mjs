// How long a new browser takes to a usable page, and what it loads: node page.mjs URL SECRET RUNS → JSON on stdout.
import { chromium } from "@playwright/test";

const [url, secret, runs] = process.argv.slice(2);
const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const seen = [];
for (let run = 0; run < Number(runs); run++) {
  const browser = await chromium.launch({ executablePath: process.env.REX_CHROMIUM ?? "/usr/bin/chromium", args });
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  // The browser is known already; what is cold is everything it has to load.
  await page.addInitScript((secret) => localStorage.setItem("rex-secret", secret), secret);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Network.enable");
  let bytes = 0;
  let requests = 0;
  cdp.on("Network.loadingFinished", (event) => (bytes += event.encodedDataLength));
  cdp.on("Network.requestWillBeSent", () => (requests += 1));
  const began = performance.now();
  await page.goto(url, { waitUntil: "commit" });
  await page.getByRole("article").getByText("One sentence to read.").waitFor();
  await page.getByRole("navigation", { name: /Threads/ }).waitFor();
  // Usable means answered: the list of keys opens on its key.
  await page.keyboard.press("?");
  await page.getByRole("dialog").waitFor();
  seen.push({ usableMs: performance.now() - began, bytes, requests });
  await browser.close();
}
console.log(JSON.stringify(seen));
