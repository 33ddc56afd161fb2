/** How far a pick reaches: from the selected words to the whole document, and what a lost place gets instead. */
import type { Page } from "@playwright/test";
import { deflateSync } from "node:zlib";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, go, isPainted, note, painted, placeOf, test } from "./ground";
import { card, paper, pick, select, threadOf, tray } from "./rex";

const PLANS = `# Pricing

The meter stops at **100 %**. It says so at once.

![A meter that stops](meter.png)

## Plans

- Pays monthly, or yearly.
- Never daily. Ask first.

| Plan | Price |
|---|---:|
| Team | 49 |
| Scale | 99 |

## Refunds

None of it is paid back.
`;

const bar = (page: Page) => page.getByRole("toolbar", { name: "Selection" });
const steps = async (group: ReturnType<Page["locator"]>) => await group.getByRole("radio").evaluateAll((all) => all.map((one) => (one as HTMLInputElement).labels?.[0]?.textContent));
const kept = async (page: Page, text: string) => {
  await tray(page).getByRole("textbox").fill(text);
  await tray(page).getByRole("button", { name: "Keep as note" }).click();
  await expect(tray(page)).toBeHidden();
};

/** A picture of one colour that any browser shows. */
function picture(width: number, height: number): Buffer {
  const crcs = Array.from({ length: 256 }, (_, n) => Array.from({ length: 8 }).reduce<number>((crc) => (crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1), n));
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const crc = body.reduce((crc, byte) => crcs[(crc ^ byte) & 255] ^ (crc >>> 8), 0xffffffff) ^ 0xffffffff;
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(crc >>> 0, body.length + 4);
    return out;
  };
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, 0x88)]);
  const rows = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", head), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))]);
}

test("by keys a selection reaches from a part of a word to its section, which is marked at its heading", async ({ ground, signedIn: page, rex }) => {
  ground.write("pricing.md", PLANS);
  await go(rex, page, "pricing.md");
  await select(page, "onthl");
  await expect(bar(page)).toBeVisible();
  expect(await steps(bar(page))).toEqual(["Document", "Section Pricing", "Section Plans", "List", "List item", "Sentence", "Words", "Selection"]);
  await expect(bar(page).getByRole("radio", { name: "Selection" })).toBeChecked();
  const reached = ["monthly", "Pays monthly, or yearly.", "Pays monthly, or yearly."];
  for (const text of reached) {
    await page.keyboard.press("ArrowUp");
    await isPainted(page, "chosen", [text]);
  }
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expect(bar(page).getByRole("radio", { name: "Section Plans" })).toBeChecked();
  expect((await painted(page, "chosen"))[0]).toBe("Plans");
  await page.keyboard.press("ArrowDown");
  await expect(bar(page).getByRole("radio", { name: "List", exact: true })).toBeChecked();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("c");
  await expect(tray(page)).toContainText("1 passage in 1 document");
  await kept(page, "Is this all of the plans?");
  await isPainted(page, "note", ["Plans"]);
  await page.getByRole("button", { name: "Comment 1, note" }).first().click();
  const place = await placeOf(rex, page, threadOf(page));
  expect(place.quote).toMatch(/^## Plans\n[^]*\| Scale \| 99 \|$/);
  ground.edit("pricing.md", "# Pricing\n", "# Pricing\n\nNew above.\n");
  await expect.poll(async () => (await placeOf(rex, page, threadOf(page))).start).toBeGreaterThan(place.start);
  await isPainted(page, "note", ["Plans"]);
});

test("in the tray the newest pick is widened by its path bar, by mouse and by arrows, and narrowed again to what was selected", async ({ ground, signedIn: page, rex }) => {
  ground.write("pricing.md", PLANS);
  await go(rex, page, "pricing.md");
  await pick(page, "It says so at once.");
  await select(page, "Team");
  await expect(tray(page)).toContainText("2 passages");
  const reach = tray(page).getByRole("group", { name: "How far it reaches" });
  await reach.getByRole("radio", { name: "Row" }).click();
  await expect(tray(page).getByRole("listitem").nth(1)).toContainText("| Team | 49 |");
  await expect(tray(page)).toContainText("2 passages");
  const row = reach.getByRole("radio", { name: "Row" });
  await expect(row).toBeChecked();
  await row.focus();
  await page.keyboard.press("ArrowUp");
  await expect(reach.getByRole("radio", { name: "Table" })).toBeChecked();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(reach.getByRole("radio", { name: "Cell" })).toBeChecked();
  await page.keyboard.press("ArrowUp");
  await kept(page, "Both of them.");
  await page.reload();
  await isPainted(page, "note", ["It says so at once.", "Team49"]);
});

test("an image is picked by a click, framed, and opens its comment by the next", async ({ ground, signedIn: page, rex }) => {
  ground.write("pricing.md", PLANS);
  writeFileSync(join(ground.root, "meter.png"), picture(120, 60));
  await go(rex, page, "pricing.md");
  const image = paper(page).getByRole("img", { name: "A meter that stops" });
  await image.click();
  await expect(bar(page).getByRole("radio", { name: "Image" })).toBeChecked();
  await bar(page).getByRole("button", { name: /^Comment/ }).click();
  await expect(tray(page)).toContainText("![A meter that stops](meter.png)");
  await kept(page, "Too small.");
  await expect(image).toHaveCSS("outline-style", "dotted");
  await image.click();
  await expect(card(page)).toContainText("Too small.");
  expect((await placeOf(rex, page, threadOf(page))).quote).toBe("![A meter that stops](meter.png)");
  ground.edit("pricing.md", "![A meter that stops](meter.png)\n\n", "");
  await expect.poll(async () => (await placeOf(rex, page, threadOf(page))).state).toBe("gone");
});

test("the whole document is a place: its number stands at the top, and nothing is painted", async ({ ground, signedIn: page, rex }) => {
  ground.write("pricing.md", PLANS);
  await go(rex, page, "pricing.md");
  await pick(page, "It says so at once.");
  await tray(page).getByRole("radio", { name: "Document" }).click();
  await expect(tray(page).getByRole("radio", { name: "Document" })).toBeChecked();
  await select(page, "Pays monthly");
  await expect(tray(page)).toContainText("2 passages");
  await kept(page, "Does it say what happens at the end?");
  await isPainted(page, "note", ["Pays monthly"]);
  const first = paper(page).locator(".block").first();
  await expect(first.getByRole("button", { name: "Comment 1, note" })).toBeVisible();
  ground.write("pricing.md", "Something else altogether.\n");
  await expect(paper(page)).toContainText("Something else altogether.");
  await first.getByRole("button", { name: /Comment 1/ }).click();
  expect((await placeOf(rex, page, threadOf(page))).state).not.toBe("gone");
});

const LOST = "None of it is paid back.";

test("S73: a lost place gets the text that is selected next, and is lost again when that is undone", async ({ ground, signedIn: page, rex }) => {
  ground.write("pricing.md", PLANS);
  ground.write("terms.md", "# Terms\n\nRefunds end after a month.\n");
  await go(rex, page, "pricing.md");
  const thread = await note(rex, page, "pricing.md", LOST);
  ground.edit("pricing.md", LOST, "Zero.");
  await expect.poll(async () => (await placeOf(rex, page, thread)).state).toBe("gone");
  await page.goto(`${rex.origin}/?doc=terms.md&thread=${thread}`);
  const another = card(page).getByRole("button", { name: "Select another place" });
  await another.click();
  await expect(card(page)).toContainText("Select the text that it is about now");
  await card(page).getByRole("button", { name: "Cancel" }).click();
  await another.click();
  await select(page, "end after a month");
  await expect(card(page)).toContainText("Put on the text you chose");
  await isPainted(page, "active", ["end after a month"]);
  await expect(bar(page)).toBeHidden();
  await page.keyboard.press("u");
  await expect(another).toBeVisible();
  expect((await placeOf(rex, page, thread)).state).toBe("gone");
});

test("S73: a place that a person says is gone is not asked about again, until they take it back", async ({ ground, signedIn: page, rex }) => {
  ground.write("pricing.md", PLANS);
  await go(rex, page, "pricing.md");
  const thread = await note(rex, page, "pricing.md", LOST);
  ground.edit("pricing.md", LOST, "None of it is given back to anyone.".replace("None of it is", "Zero"));
  await expect.poll(async () => (await placeOf(rex, page, thread)).state).toBe("gone");
  await page.goto(`${rex.origin}/?doc=pricing.md&thread=${thread}`);
  await card(page).getByRole("button", { name: "It is gone" }).click();
  await expect(card(page)).toContainText("You said that it is gone");
  await page.reload();
  await expect(card(page)).toContainText("You said that it is gone");
  await expect(card(page).getByRole("button", { name: "Yes, here" })).toBeHidden();
  await expect(card(page)).toContainText(LOST);
  await page.keyboard.press("u");
  await expect(card(page).getByRole("button", { name: "Select another place" })).toBeVisible();
});
