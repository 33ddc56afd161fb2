import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Driver } from "./driver";

/** The key under which W3C WebDriver names an element. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

/** WebKitGTK's MiniBrowser lies below the machine's library folder. */
function miniBrowser(): string {
  for (const folder of ["/usr/lib", ...readdirSync("/usr/lib").map((name) => join("/usr/lib", name))]) {
    for (const version of ["webkit2gtk-4.1", "webkit2gtk-4.0", "webkitgtk-6.0"]) {
      try {
        if (readdirSync(join(folder, version)).includes("MiniBrowser")) return join(folder, version, "MiniBrowser");
      } catch {
        // Not this folder.
      }
    }
  }
  throw new Error("MiniBrowser was not found: install the package webkit2gtk-driver");
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

export async function webkit(): Promise<Driver> {
  const port = await freePort();
  const home = mkdtempSync(join(tmpdir(), "rex-webkit-"));
  const child = spawn(
    "dbus-run-session",
    ["--", "xvfb-run", "-a", "WebKitWebDriver", `--port=${port}`, "--host=127.0.0.1"],
    {
      detached: true,
      stdio: "ignore",
      env: { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: home, TMPDIR: home, LANG: "C.UTF-8", WEBKIT_DISABLE_COMPOSITING_MODE: "1", WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1" },
    },
  );
  const ended = new Promise<void>((done) => child.once("exit", () => done()));

  const call = async (method: string, path: string, body?: unknown): Promise<any> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const { value } = (await answer.json()) as { value: any };
    if (!answer.ok) throw new Error(`${method} ${path}: ${value?.error}: ${value?.message}`);
    return value;
  };
  const ready = async () => {
    const end = Date.now() + 20_000;
    for (;;) {
      try {
        if ((await call("GET", "/status")).ready) return;
      } catch (error) {
        if (Date.now() > end) throw error;
      }
      await new Promise((done) => setTimeout(done, 100));
    }
  };
  await ready();
  const { sessionId } = await call("POST", "/session", {
    capabilities: {
      alwaysMatch: { browserName: "MiniBrowser", "webkitgtk:browserOptions": { binary: miniBrowser(), args: ["--automation"] } },
    },
  });
  const base = `/session/${sessionId}`;
  await call("POST", `${base}/timeouts`, { implicit: 10_000, script: 20_000, pageLoad: 30_000 });
  const find = async (selector: string) => {
    const element = await call("POST", `${base}/element`, { using: "css selector", value: selector });
    return `${base}/element/${element[ELEMENT]}`;
  };
  return {
    goto: (url) => call("POST", `${base}/url`, { url }),
    reload: () => call("POST", `${base}/refresh`, {}),
    click: async (selector) => call("POST", `${await find(selector)}/click`, {}),
    type: async (selector, text) => call("POST", `${await find(selector)}/value`, { text }),
    run: (body, ...args) => call("POST", `${base}/execute/sync`, { script: body, args }),
    close: async () => {
      await call("DELETE", base).catch(() => undefined);
      // The group: dbus, xvfb and the driver were started by us and by nobody else.
      if (child.pid) process.kill(-child.pid, "SIGTERM");
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}
