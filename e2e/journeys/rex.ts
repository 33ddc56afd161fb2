/** The real `rex` binary with a home of its own, and what a person does with it. */
import { test as base, expect, type Page } from "@playwright/test";
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** The one line that `rex --json` prints when it is ready. */
interface Ready {
  url: string;
  signInUrl: string;
  pid: number;
  home: string;
  version: string;
}

/** One bridge and its folder of everything; it can be ended and started again on the same home. */
export class Rex {
  ready!: Ready;
  private child?: ChildProcess;
  readonly temp = mkdtempSync(join(tmpdir(), "rex-journey-"));

  /** `folder` is what is opened; left out, the sample review. */
  constructor(
    private readonly folder?: string,
    private readonly environment: Record<string, string> = {},
  ) {}

  /** Scheme, host and port: what every address of this bridge begins with. */
  get origin(): string {
    return new URL(this.ready.url).origin;
  }

  get home(): string {
    return join(this.temp, "home");
  }

  async start(): Promise<this> {
    const binary = process.env.REX_BINARY;
    if (!binary) throw new Error("REX_BINARY names no binary: run the journeys by `cargo verify --only journeys`");
    const folder = this.folder ?? this.root;
    const args = ["--no-open", "--json", "--home", this.home, ...(folder ? [folder] : [])];
    const child = spawn(binary, args, {
      cwd: this.temp,
      // Nothing of the caller's environment but the path: no keys, no agent's markers.
      env: {
        PATH: process.env.PATH ?? "/usr/bin:/bin",
        HOME: this.temp,
        TMPDIR: this.temp,
        LANG: "C.UTF-8",
        RUST_LOG: "info",
        // The same on every machine; a journey about the sandbox asks for it.
        REX_SANDBOX: "off",
        ...this.environment,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.child = child;
    let log = "";
    child.stderr?.on("data", (text: Buffer) => (log += text.toString()));
    this.ready = await new Promise<Ready>((resolve, reject) => {
      createInterface({ input: child.stdout! }).once("line", (line) => resolve(JSON.parse(line) as Ready));
      child.once("exit", (code) => reject(new Error(`rex ended with ${code} before it was ready:\n${log}`)));
    });
    return this;
  }

  /** The workspace's folder, known after the first sign-in; a restart opens the same one. */
  root?: string;

  /** Ends the bridge as a crash would, and waits until it is gone. */
  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    const child = this.child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await gone;
  }

  async stop(): Promise<void> {
    await this.kill("SIGTERM");
    rmSync(this.temp, { recursive: true, force: true });
  }

  /** Calls the bridge as the page does, with the page's own secret. */
  async api<T>(page: Page, path: string, body?: unknown, method = body ? "POST" : "GET"): Promise<T> {
    return await page.evaluate(
      async ([path, body, method]) => {
        const secret = localStorage.getItem("rex-secret");
        const answer = await fetch(path as string, {
          method: method as string,
          headers: { authorization: `Bearer ${secret}`, ...(body ? { "content-type": "application/json" } : {}) },
          body: body ? JSON.stringify(body) : undefined,
        });
        const text = await answer.text();
        if (!answer.ok) throw new Error(`${answer.status} ${text}`);
        return text ? JSON.parse(text) : undefined;
      },
      [path, body, method] as const,
    );
  }
}

/** A journey with a bridge on the sample review, signed in and looking at what is shown first. */
export const test = base.extend<{ rex: Rex; signedIn: Page }>({
  rex: async ({}, use) => {
    const rex = await new Rex().start();
    await use(rex);
    await rex.stop();
  },
  signedIn: async ({ page, rex }, use) => {
    // A panic stops the page without a word to the person: no journey may have one.
    const panics: string[] = [];
    page.on("pageerror", (error) => panics.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error" && /panicked/.test(message.text())) panics.push(message.text());
    });
    await page.goto(rex.ready.signInUrl);
    // The sample opens its first document; any other folder without comments says how to begin.
    await expect(paper(page).or(page.getByText(/^Documents in /))).toBeVisible();
    const { workspace } = await rex.api<{ workspace: { root: string } }>(page, "/api/workspace");
    rex.root = workspace.root;
    await use(page);
    expect(panics).toEqual([]);
  },
});

export { expect };

/** The open document. */
export const paper = (page: Page) => page.getByRole("article").first();

/** The open thread. */
export const card = (page: Page) => page.getByRole("complementary", { name: /Comment/ });

/** The picked passages that are not sent yet. */
export const tray = (page: Page) => page.getByRole("region", { name: /passages?/ });

/** Opens a document by the file tree. */
export async function open(page: Page, name: string): Promise<void> {
  await page.getByRole("tab", { name: /Files/ }).click();
  await page.getByRole("treeitem", { name: new RegExp(name.replace(".", "\\.")) }).click();
  await expect(page.getByRole("article", { name: new RegExp(name.replace(".", "\\.")) })).toBeVisible();
}

/** Where the first and the last character of a passage stand in the window. */
type Ends = { from: { x: number; y: number }; to: { x: number; y: number } };

/** Brings a passage into view and says where it stands, once it stands still. */
function aim(page: Page, text: string, until: string): Promise<Ends> {
  return paper(page).evaluate(async (article, [text, until]) => {
    const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
    const nodes: Text[] = [];
    let all = "";
    const starts: number[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if ((node.parentElement as Element).closest("[data-chrome]")) continue;
      starts.push(all.length);
      nodes.push(node as Text);
      all += node.textContent;
    }
    const at = all.indexOf(text);
    const end = all.indexOf(until, at) + until.length;
    if (at < 0 || end < at + until.length) throw new Error(`the document does not show: ${text} … ${until}`);
    const character = (offset: number, after: boolean) => {
      const index = starts.findLastIndex((start) => (after ? start < offset : start <= offset));
      const range = document.createRange();
      const within = offset - starts[index];
      range.setStart(nodes[index], after ? within - 1 : within);
      range.setEnd(nodes[index], after ? within : within + 1);
      return range;
    };
    const first = character(at, false);
    const last = character(end, true);
    const measure = () => {
      const from = first.getBoundingClientRect();
      const to = last.getBoundingClientRect();
      return {
        from: { x: from.left + 0.5, y: from.top + from.height / 2 },
        to: { x: to.right - 0.5, y: to.top + to.height / 2 },
      };
    };
    // A block gets its true height when it first comes into view, and an opened document its reading place: both move
    // the text once more, before a person could have aimed.
    let seen = "";
    for (let still = 0; still < 3; ) {
      first.startContainer.parentElement?.scrollIntoView({ block: "center" });
      last.startContainer.parentElement?.scrollIntoView({ block: "nearest" });
      await new Promise(requestAnimationFrame);
      const now = JSON.stringify(measure());
      still = now === seen ? still + 1 : 0;
      seen = now;
    }
    return measure();
  }, [text, until] as const);
}

/**
 * Selects `text` in the document with the mouse, from its first character to its last, as a person does; with `until`
 * on to the last character of that text below.
 */
export async function select(page: Page, text: string, until = text): Promise<void> {
  await expect(paper(page)).toContainText(text);
  const ends = await aim(page, text, until);
  await page.mouse.move(ends.from.x, ends.from.y);
  await page.mouse.down();
  await page.mouse.move((ends.from.x + ends.to.x) / 2, (ends.from.y + ends.to.y) / 2, { steps: 4 });
  await page.mouse.move(ends.to.x, ends.to.y, { steps: 4 });
  await page.mouse.up();
}

/** Adds the selection to the tray by the selection bar's first pick, or by itself when the tray is open already. */
export async function pick(page: Page, text: string): Promise<void> {
  const first = !(await tray(page).isVisible());
  await select(page, text);
  if (first) await page.getByRole("toolbar", { name: "Selection" }).getByRole("button", { name: /^Comment/ }).click();
  await expect(tray(page)).toContainText(text.slice(0, 20));
}

/** Sends what stands in the tray as a new comment, and says go on where the run is not enforced. */
export async function ask(page: Page, question: string): Promise<void> {
  await tray(page).getByRole("textbox").fill(question);
  await tray(page).getByRole("button", { name: /^Ask about/ }).click();
  await goOn(page);
  await expect(card(page)).toBeVisible();
}

/** Sends a message in the open comment. */
export async function reply(page: Page, text: string): Promise<void> {
  await card(page).getByRole("textbox", { name: "Your message" }).fill(text);
  await card(page).locator("form button[type=submit]").click();
}

/** Answers the question that the first send in a folder brings: the run is not enforced by the system. */
export async function goOn(page: Page): Promise<void> {
  const question = page.getByRole("dialog", { name: "This run is not enforced" });
  await question.getByRole("button", { name: "Go on in this workspace" }).click();
  await expect(question).toBeHidden();
}

/** The turns of the open comment, oldest first. */
export const turns = (page: Page) => card(page).locator(".turn");

/** The newest answer, once its run ended. */
export async function answered(page: Page) {
  await expect(turns(page).last()).not.toHaveClass(/turn--you/);
  await expect(card(page).getByRole("button", { name: "Stop this answer" })).toBeHidden({ timeout: 30_000 });
  return turns(page).last();
}

/** The thread that the address names. */
export const threadOf = (page: Page): string => {
  const id = new URL(page.url()).searchParams.get("thread");
  if (!id) throw new Error(`the address names no thread: ${page.url()}`);
  return id;
};

/** Two passages that contradict each other, in two documents of the sample. */
export const PROMISE = "the API stops and answers again on the first day of the next month";
export const OVERAGE = "The figure is brought up to date every ten minutes";

/** The usual beginning: two passages, one question, the card open. */
export async function begin(page: Page, question = "Which of the two is right?"): Promise<void> {
  await open(page, "pricing.md");
  await pick(page, PROMISE);
  await open(page, "components.md");
  await pick(page, OVERAGE);
  await ask(page, question);
}
