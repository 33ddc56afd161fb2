/** Places keep their words: through a reload, a reformatting, a move, a deletion that is taken back. */
import type { Page } from "@playwright/test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, go, isPainted, lanes, note, painted, placeOf, test } from "./ground";
import { paper, pick, select, tray } from "./rex";

const keepAsNote = async (page: Page) => {
  await tray(page).getByRole("textbox").fill("To be looked at.");
  await tray(page).getByRole("button", { name: "Keep as note" }).click();
  await expect(tray(page)).toBeHidden();
};

const DELIVERY = `# Delivery

The service **must not** lose an order, see [the rules](rules.md) for why.

- It keeps every order for **seven** days.
- It tells \`the owner\` at once.

\`\`\`rust
let kept = order.keep(7);
order.tell(owner);
\`\`\`

Nothing else counts.
`;

test("S2 S65: passages across bold, a link, a list item and a code block are painted again over the same characters", async ({ ground, signedIn: page, rex }) => {
  ground.write("delivery.md", DELIVERY);
  await go(rex, page, "delivery.md");
  // The tray quotes the source, where bold words have their marks.
  await select(page, "service must not lose");
  await page.getByRole("toolbar", { name: "Selection" }).getByRole("button", { name: /^Comment/ }).click();
  await expect(tray(page)).toContainText("service **must not** lose");
  const shown = ["service must not lose"];
  for (const [from, until] of [["order, see the rules for"], ["order for seven days"], ["kept = order.keep(7);", "order.tell"]]) {
    await select(page, from, until);
    shown.push(until ? `${from} ${until}` : from);
    await expect(tray(page)).toContainText(`${shown.length} passages`);
  }
  await isPainted(page, "pick", shown);
  await keepAsNote(page);
  await isPainted(page, "note", shown);
  await page.reload();
  await isPainted(page, "note", shown);
});

test("S2 S65: one passage from a paragraph through a list into code is one place, and painted in each block", async ({ ground, signedIn: page, rex }) => {
  ground.write("delivery.md", DELIVERY);
  await go(rex, page, "delivery.md");
  await select(page, "must not lose", "let kept = order.keep(7);");
  await page.getByRole("toolbar", { name: "Selection" }).getByRole("button", { name: /^Comment/ }).click();
  await expect(tray(page)).toContainText("1 passage");
  const blocks = await painted(page, "pick");
  expect(blocks).toHaveLength(3);
  expect(blocks[0]).toBe("must not lose an order, see the rules for why.");
  expect(blocks[1]).toMatch(/^It keeps every order for seven days\..*It tells the owner at once\.$/);
  expect(blocks[2]).toBe("let kept = order.keep(7);");
  await keepAsNote(page);
  await page.reload();
  await isPainted(page, "note", blocks);
  const [thread] = Object.keys(await lanes(rex, page));
  // The source of the passage is balanced: the marks of the bold words came with them.
  const { quote } = await placeOf(rex, page, thread);
  expect(quote).toMatch(/^\*\*must not\*\* lose/);
  expect(quote).toMatch(/let kept = order\.keep\(7\);$/);
});

test("S2 S65: an emoji, a combining letter and a right-to-left word keep their marks, also under new text", async ({ ground, signedIn: page, rex }) => {
  const family = "\u{1F468}\u200D\u{1F469}\u200D\u{1F467}";
  const cafe = "cafe\u0301s";
  const peace = "\u05E9\u05DC\u05D5\u05DD";
  ground.write("letters.md", `# Letters\n\nThe sign ${family} here means a household.\n\nAll ${cafe} close at noon.\n\nThey say ${peace} to each guest.\n`);
  await go(rex, page, "letters.md");
  await pick(page, `sign ${family} here`);
  // A double click takes the word, whatever way it is written.
  for (const word of [cafe, peace]) {
    const at = await paper(page).evaluate((article, word) => {
      const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const found = node.textContent!.indexOf(word);
        if (found < 0) continue;
        const range = document.createRange();
        range.setStart(node, found);
        range.setEnd(node, found + word.length);
        const box = range.getBoundingClientRect();
        return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
      }
      throw new Error(`the document does not show: ${word}`);
    }, word);
    await page.mouse.dblclick(at.x, at.y);
    await expect.poll(() => painted(page, "pick")).toContain(word);
  }
  const words = [`sign ${family} here`, cafe, peace];
  await isPainted(page, "pick", words);
  await keepAsNote(page);
  await page.reload();
  await isPainted(page, "note", words);
  ground.edit("letters.md", "# Letters\n", `# Letters\n\nNew: ${peace}, ${family}, ${cafe}.\n`);
  await expect(paper(page)).toContainText("New:");
  await isPainted(page, "note", words);
});

const WIDE = `# Handbook

Every request is answered within one working day, and nobody
*ever* has to ask twice. The answer names its author.

* The first reader checks the figures before noon.
* The second reader checks *only* the words.

> A promise that was given in writing is kept,
> even when it was a mistake.
`;

/** The same words: wider lines, other bullets, other marks of emphasis, other line ends. */
const REFORMATTED = `# Handbook

Every request is answered within one working day, and nobody _ever_ has
to ask twice. The answer names its author.

- The first reader checks the figures before noon.
- The second reader checks _only_ the words.

> A promise that was given in writing is
> kept, even when it was a mistake.
`.replaceAll("\n", "\r\n");

test("S6 S65: a file that is reformatted keeps every comment exactly where it is", async ({ ground, signedIn: page, rex }) => {
  ground.write("handbook.md", WIDE);
  await go(rex, page, "handbook.md");
  const quotes = ["answered within one working day, and nobody\n*ever* has to ask", "checks the figures", "checks *only* the words.", "in writing is kept,\n> even when"];
  const threads: string[] = [];
  for (const quote of quotes) threads.push(await note(rex, page, "handbook.md", quote));
  const words = ["answered within one working day, and nobody ever has to ask", "checks the figures", "checks only the words.", "in writing is kept, even when"];
  await isPainted(page, "note", words);
  ground.write("handbook.md", REFORMATTED);
  const states = async () => (await Promise.all(threads.map((thread) => placeOf(rex, page, thread)))).map((place) => `${place.state}: ${place.quote}`);
  await expect.poll(states).toEqual([
    "exact: answered within one working day, and nobody _ever_ has\r\nto ask",
    "exact: checks the figures",
    "exact: checks _only_ the words.",
    "exact: in writing is\r\n> kept, even when",
  ]);
  await isPainted(page, "note", words);
});

test("S6: text put in above leaves the mark on its words, one paragraph lower, and nothing else changed", async ({ ground, signedIn: page, rex }) => {
  ground.write("handbook.md", WIDE);
  await go(rex, page, "handbook.md");
  const upper = await note(rex, page, "handbook.md", "The answer names its author.");
  const lower = await note(rex, page, "handbook.md", "even when it was a mistake");
  await isPainted(page, "note", ["The answer names its author.", "even when it was a mistake"]);
  const before = await placeOf(rex, page, upper);
  const added = "A paragraph that was put in.\n\n";
  ground.edit("handbook.md", "Every request", `${added}Every request`);
  await expect(paper(page)).toContainText("A paragraph that was put in.");
  await isPainted(page, "note", ["The answer names its author.", "even when it was a mistake"]);
  const after = await placeOf(rex, page, upper);
  expect([after.state, after.start, after.quote]).toEqual(["exact", before.start + added.length, before.quote]);
  expect((await placeOf(rex, page, lower)).state).toBe("exact");
  expect(await lanes(rex, page)).toEqual({ [upper]: ["note"], [lower]: ["note"] });
});

const TWIN = "The invoice is sent on the first day of the month.";
const TWINS = `# Invoices

## Free

Nothing is charged. ${TWIN}

## Team

Seats are counted daily. ${TWIN}

## Scale

Volume is agreed once a year. ${TWIN}
`;

test("S73: of three equal sentences the one with the comment is deleted: gone, the twins unpainted; taken back: as before", async ({ ground, signedIn: page, rex }) => {
  ground.write("invoices.md", TWINS);
  await go(rex, page, "invoices.md");
  const thread = await note(rex, page, "invoices.md", TWIN, 2);
  await isPainted(page, "note", [TWIN]);
  const section = () =>
    page.evaluate(() => {
      const [range] = [...(CSS as any).highlights.get("note")] as Range[];
      return range.startContainer.parentElement!.closest("[data-block]")!.textContent;
    });
  expect(await section()).toMatch(/^Seats are counted/);
  const before = await rex.api(page, `/api/threads/${thread}`);

  ground.edit("invoices.md", `Seats are counted daily. ${TWIN}`, "Seats are counted daily.");
  await expect.poll(() => lanes(rex, page)).toEqual({ [thread]: ["gone"] });
  await isPainted(page, "note", []);
  await isPainted(page, "gone", []);
  const gone = await placeOf(rex, page, thread);
  expect([gone.state, gone.quote]).toEqual(["gone", TWIN]);
  // Never hidden: the list says what is lost.
  await page.getByRole("tab", { name: /Threads/ }).click();
  await expect(page.locator(`a.row[href*="${thread}"]`)).toHaveAttribute("data-lane", "gone");

  ground.write("invoices.md", TWINS);
  await expect.poll(() => lanes(rex, page)).toEqual({ [thread]: ["note"] });
  await isPainted(page, "note", [TWIN]);
  expect(await section()).toMatch(/^Seats are counted/);
  // No trace: what is stored of the comment is what it was.
  expect(await rex.api(page, `/api/threads/${thread}`)).toEqual(before);
});

const STAYS = "The cellar holds whatever the kitchen does not need this week.";
const PLAN = `# Plan

## Kitchen

Bread is baked before anyone else is awake, and never on a Monday.

## Cellar

${STAYS}

## Attic

Old letters are kept until somebody has read all of them.
`;

test("S6: a section that is moved takes its comment along, and it says moved", async ({ ground, signedIn: page, rex }) => {
  ground.write("plan.md", PLAN);
  await go(rex, page, "plan.md");
  const thread = await note(rex, page, "plan.md", STAYS);
  await isPainted(page, "note", [STAYS]);
  const section = `## Cellar\n\n${STAYS}\n\n`;
  ground.write("plan.md", PLAN.replace(section, "").replace("## Kitchen", `${section}## Kitchen`));
  await expect.poll(async () => (await placeOf(rex, page, thread)).state).toBe("moved");
  await isPainted(page, "note", [STAYS]);
  expect(await lanes(rex, page)).toEqual({ [thread]: ["note"] });
});

test("S82: a renamed file is the same document, with its comments", async ({ ground, signedIn: page, rex }) => {
  ground.write("plan.md", PLAN);
  await go(rex, page, "plan.md");
  const thread = await note(rex, page, "plan.md", STAYS);
  await isPainted(page, "note", [STAYS]);
  const before = await placeOf(rex, page, thread);
  ground.rename("plan.md", "house-plan.md");
  await expect.poll(async () => (await placeOf(rex, page, thread)).document).toBe("house-plan.md");
  expect(await placeOf(rex, page, thread)).toEqual({ ...before, document: "house-plan.md" });
  const { missing } = await rex.api<{ missing: string[] }>(page, "/api/files");
  expect(missing).toEqual([]);
  await go(rex, page, "house-plan.md");
  await isPainted(page, "note", [STAYS]);
});

test("S82: a file with comments that is deleted is listed as missing, and what it held is not forgotten", async ({ ground, signedIn: page, rex }) => {
  ground.write("plan.md", PLAN);
  await go(rex, page, "plan.md");
  const thread = await note(rex, page, "plan.md", STAYS);
  await isPainted(page, "note", [STAYS]);
  rmSync(join(ground.root, "plan.md"));
  await expect.poll(async () => (await placeOf(rex, page, thread)).state).toBe("unknown");
  await page.getByRole("tab", { name: /Files/ }).click();
  await expect(page.locator('[role="treeitem"][data-state="missing"], [data-state="missing"]').first()).toContainText("plan.md");
  expect(await lanes(rex, page)).toEqual({ [thread]: ["note"] });
});

test("S73: a paragraph moved to another file is gone here, offered there, and never followed by itself", async ({ ground, signedIn: page, rex }) => {
  ground.write("plan.md", PLAN);
  ground.write("storage.md", "# Storage\n\nWhat is kept, and where.\n");
  await go(rex, page, "storage.md");
  await go(rex, page, "plan.md");
  const thread = await note(rex, page, "plan.md", STAYS);
  await isPainted(page, "note", [STAYS]);
  ground.edit("plan.md", `${STAYS}\n\n`, "");
  ground.edit("storage.md", "and where.\n", `and where.\n\n${STAYS}\n`);
  await expect.poll(() => lanes(rex, page)).toEqual({ [thread]: ["gone"] });
  const { placeId } = await placeOf(rex, page, thread);
  const offers = async () => {
    const detail = await rex.api<{ offers: { document: string; quote: string }[] }>(page, `/api/threads/${thread}/places/${placeId}`);
    return detail.offers.map((offer) => `${offer.document}: ${offer.quote}`);
  };
  await expect.poll(offers).toContain(`storage.md: ${STAYS}`);
  await go(rex, page, "storage.md");
  await expect(paper(page)).toContainText(STAYS);
  expect(await painted(page, "note")).toEqual([]);
  expect((await placeOf(rex, page, thread)).document).toBe("plan.md");
});

test("S69 S75: a resolved comment whose text is deleted stays resolved, one that is not is gone", async ({ ground, signedIn: page, rex }) => {
  ground.write("plan.md", PLAN);
  await go(rex, page, "plan.md");
  const done = await note(rex, page, "plan.md", STAYS);
  const other = await note(rex, page, "plan.md", "The cellar holds whatever the kitchen does not need");
  const third = await note(rex, page, "plan.md", "never on a Monday");
  await rex.api(page, `/api/threads/${done}`, { status: "resolved" }, "PATCH");
  await isPainted(page, "resolved", [STAYS]);
  ground.edit("plan.md", `${STAYS}\n\n`, "");
  await expect.poll(() => lanes(rex, page)).toEqual({ [done]: ["resolved"], [other]: ["gone"], [third]: ["note"] });
  expect((await placeOf(rex, page, done)).state).toBe("gone");
  await isPainted(page, "resolved", []);
  await isPainted(page, "note", ["never on a Monday"]);
  await page.getByRole("tab", { name: /Threads/ }).click();
  await page.getByRole("group", { name: "Lane" }).getByRole("button", { name: /Gone/ }).click();
  await expect(page.locator(`a.row[href*="${other}"]`)).toBeVisible();
  await expect(page.locator(`a.row[href*="${done}"]`)).toHaveCount(0);
});

test("S63: a document edited by another program keeps the reader at the same words", async ({ ground, signedIn: page, rex }) => {
  const paragraph = (at: number) => `Paragraph ${at} tells of chapter ${at} what the reader of ${at} wants to know, in so many words that one line is not enough for it and a second one is begun.`;
  const paragraphs = Array.from({ length: 150 }, (_, at) => paragraph(at + 1));
  const text = (parts: string[]) => `# Long\n\n${parts.join("\n\n")}\n`;
  ground.write("long.md", text(paragraphs));
  await go(rex, page, "long.md");
  await expect(paper(page)).toContainText("Paragraph 150 tells");
  const read = paper(page).locator(".block").filter({ hasText: "Paragraph 90 " });
  // The paragraph that is read begins just above the edge of the view.
  await read.evaluate((block) => {
    const view = block.closest(".centre__scroll")!;
    block.scrollIntoView({ block: "start" });
    view.scrollTop += 12;
  });
  const stands = async () => (await read.boundingBox())!.y;
  const before = await stands();
  const keeps = (line: string) => expect.poll(async () => Math.abs((await stands()) - before), { message: line }).toBeLessThan(2);

  const added = Array.from({ length: 30 }, (_, at) => `Added ${at}: somebody else wrote this while the document was open, and it is not short either.`);
  ground.write("long.md", text([...added, ...paragraphs]));
  await expect(paper(page)).toContainText("Added 29:");
  await keeps("text put in above");

  ground.write("long.md", text(paragraphs.slice(40)));
  await expect(paper(page)).not.toContainText("Added 29:");
  await keeps("text taken away above");

  const reworded = paragraphs.map((text, at) => (at === 89 ? text.replace("wants to know", "hopes to hear") : text));
  ground.write("long.md", text([...added.slice(0, 7), ...reworded]));
  await expect(paper(page)).toContainText("hopes to hear");
  await keeps("the very paragraph reworded");
});
