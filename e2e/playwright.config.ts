import { defineConfig } from "@playwright/test";

/** What Chromium needs to run as root, and not to look anything up. */
const chromium = {
  browserName: "chromium" as const,
  launchOptions: {
    executablePath: process.env.REX_CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  },
  viewport: { width: 1440, height: 900 },
  permissions: ["clipboard-read", "clipboard-write"],
  screenshot: "only-on-failure" as const,
};

export default defineConfig({
  testDir: "journeys",
  outputDir: "test-results",
  // A journey waits on events, each at most ten seconds.
  expect: { timeout: 10_000 },
  timeout: 90_000,
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  reporter: [["list"]],
  projects: [
    { name: "journeys", testIgnore: ["engines.spec.ts", "agents.spec.ts"], use: chromium },
    { name: "engines", testMatch: "engines.spec.ts", use: chromium },
    { name: "agents", testMatch: "agents.spec.ts", use: chromium },
  ],
});
