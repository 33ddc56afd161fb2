/** A folder of one's own under review: files that other programs change, comments in them, and what is painted. */
import { expect, open, test as signedIn, Rex } from "./rex";
import type { Page } from "@playwright/test";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A place as the bridge tells it. */
export interface Place {
  placeId: string;
  document: string;
  start: number;
  end: number;
  quote: string;
  state: "exact" | "moved" | "changed" | "gone" | "unknown";
  vanished?: { at: number; version: string };
}

/** The folder that is reviewed, as any other program sees it. */
export class Ground {
  readonly root = mkdtempSync(join(tmpdir(), "rex-ground-"));

  /** Replaces a file the way most programs save: a new file in the old one's stead. */
  write(name: string, text: string): void {
    const path = join(this.root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.saving`, text);
    renameSync(`${path}.saving`, path);
  }

  read(name: string): string {
    return readFileSync(join(this.root, name), "utf8");
  }

  /** Changes one run of text; it must be there, and once. */
  edit(name: string, from: string, to: string): void {
    const parts = this.read(name).split(from);
    if (parts.length !== 2) throw new Error(`${name} holds ${parts.length - 1} times: ${from}`);
    this.write(name, parts.join(to));
  }

  rename(from: string, to: string): void {
    renameSync(join(this.root, from), join(this.root, to));
  }
}

/** A journey on a folder that begins with one file. */
export const test = signedIn.extend<{ ground: Ground }>({
  ground: async ({}, use) => {
    const ground = new Ground();
    ground.write("a.md", "# A\n\nThe document that is open at first.\n");
    await use(ground);
    rmSync(ground.root, { recursive: true, force: true });
  },
  rex: async ({ ground }, use) => {
    const rex = await new Rex(ground.root).start();
    await use(rex);
    await rex.stop();
  },
});

/** What a comment stands on: the `nth` time that `quote` is in the source. Gives the thread's id. */
export async function note(rex: Rex, page: Page, document: string, quote: string, nth = 1): Promise<string> {
  const source = readFileSync(join(rex.root!, document), "utf8");
  let at = -1;
  for (let time = 0; time < nth; time++) {
    at = source.indexOf(quote, at + 1);
    if (at < 0) throw new Error(`${document} does not hold ${nth} times: ${quote}`);
  }
  const start = Buffer.byteLength(source.slice(0, at));
  const { version } = await rex.api<{ version: string }>(page, `/api/documents?document=${document}&count=1`);
  const threadId = randomUUID();
  const place = { placeId: randomUUID(), document, kind: "text", start, end: start + Buffer.byteLength(quote), version, quote };
  await rex.api(page, "/api/threads", { threadId, note: `About: ${quote}`, places: [place], isNote: true });
  return threadId;
}

/** The one place of a thread as it stands now. */
export async function placeOf(rex: Rex, page: Page, thread: string): Promise<Place> {
  const { places } = await rex.api<{ places: Place[] }>(page, `/api/threads/${thread}`);
  return places[0];
}

/** The lane of each thread, by its id: a thread that the listing gives twice would be in two lanes. */
export async function lanes(rex: Rex, page: Page): Promise<Record<string, string[]>> {
  const rows = await rex.api<{ threadId: string; lane: string }[]>(page, "/api/stored-threads");
  const all: Record<string, string[]> = {};
  for (const row of rows) (all[row.threadId] ??= []).push(row.lane);
  return all;
}

/** The text under each painted range of a name, in reading order, its white space as one sees it. */
export async function painted(page: Page, name: string): Promise<string[]> {
  return await page.evaluate((name) => {
    const ranges = [...((CSS as any).highlights.get(name) ?? [])] as Range[];
    ranges.sort((one, other) => one.compareBoundaryPoints(Range.START_TO_START, other));
    return ranges.map((range) => range.toString().replace(/\s+/g, " ").trim());
  }, name);
}

/** Waits until exactly these texts are painted. */
export async function isPainted(page: Page, name: string, texts: string[]): Promise<void> {
  await expect.poll(() => painted(page, name)).toEqual(texts);
}

/** Opens a document by its address, which leaves nothing from before. */
export async function go(rex: Rex, page: Page, document: string): Promise<void> {
  await page.goto(`${rex.origin}/?doc=${document}`);
  await expect(page.getByRole("article", { name: document })).toBeVisible();
}

export { expect, open };
