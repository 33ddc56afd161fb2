/** The real Claude Code, driven against the project's own scripted model on loopback. */
import { spawn } from "node:child_process";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { answered, card, expect, goOn, open, paper, pick, reply, Rex, test, tray, turns } from "./rex";

const MODEL = "fake-large";

/** Starts the scripted model; gives its address and what ends it. */
async function model(): Promise<{ url: string; end: () => void }> {
  const child = spawn(process.env.REX_VERIFY!, ["model-server", "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("exit", (code) => reject(new Error(`the scripted model ended with ${code}`)));
  });
  return { url, end: () => child.kill() };
}

test("S23 S38 S46: a question to the real Claude streams in, resumes, and resumes after a kill of the bridge", async ({ page }) => {
  test.setTimeout(240_000);
  const scripted = await model();
  const path = `${dirname(process.env.REX_CLAUDE!)}:${process.env.PATH}`;
  const rex = await new Rex(undefined, { PATH: path, SCRIPTED_KEY: "dummy", REX_SANDBOX: "" }).start();
  try {
    await page.goto(rex.ready.signInUrl);
    await expect(paper(page)).toBeVisible();
    const { workspace, agents } = await rex.api<{ workspace: { root: string }; agents: { sdk: string; sandbox: string }[] }>(page, "/api/workspace");
    const isEnforced = agents.find(({ sdk }) => sdk === "claude")!.sandbox !== "none";
    rex.root = workspace.root;
    const gatewayId = "01890a5d-ac96-774b-bcce-b302099a8057";
    const gateway = { gatewayId, name: "Scripted", sdks: ["claude"], baseUrl: scripted.url, keyRef: "env:SCRIPTED_KEY", models: [MODEL] };
    await rex.api(page, "/api/gateways", gateway);
    await page.reload();

    await open(page, "pricing.md");
    await pick(page, "The price is charged in advance");
    await tray(page).getByRole("button", { name: "Save draft" }).click();
    await page.getByRole("tab", { name: /Threads/ }).click();
    await page.locator("a.row").first().click();
    await card(page).getByRole("combobox", { name: /Agent/ }).selectOption("claude");
    await card(page).getByRole("combobox", { name: /Gateway/ }).selectOption({ label: "Scripted" });
    await card(page).getByRole("combobox", { name: /Model/ }).selectOption(MODEL);

    await reply(page, "What is charged in advance?");
    if (!isEnforced) await goOn(page);
    await expect(await answered(page)).toContainText("turns=1", { timeout: 60_000 });
    await reply(page, "And when?");
    await expect(turns(page).last()).toContainText("turns=2", { timeout: 60_000 });
    await expect(await answered(page)).toContainText("resumed");

    await rex.kill();
    await rex.start();
    await page.goto(rex.origin + "/" + new URL(page.url()).search);
    await expect(turns(page)).toHaveCount(4);
    await reply(page, "Once more, after a restart.");
    await expect(turns(page).last()).toContainText("turns=3", { timeout: 60_000 });
    await expect(await answered(page)).toContainText("resumed");
  } finally {
    await rex.stop();
    scripted.end();
  }
});
