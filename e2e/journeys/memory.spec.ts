/** What agents remember and where they ask their models: gateways made in the page, the forecast, the debug report. */
import AxeBuilder from "@axe-core/playwright";
import { answered, begin, card, expect, paper, reply, test, threadOf, turns } from "./rex";
import type { Page } from "@playwright/test";

const dialog = (page: Page) => page.getByRole("dialog");

async function isAccessible(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`)).toEqual([]);
  }
}

test("a gateway is made, changed and deleted by the keyboard, and nothing unfit is kept", async ({ signedIn: page, rex }) => {
  await begin(page);
  await answered(page);
  await expect(card(page).getByRole("combobox", { name: "Gateway" })).toHaveCount(0);
  await card(page).getByRole("button", { name: "Gateways" }).press("Enter");
  await expect(dialog(page)).toContainText("No gateway yet.");
  await isAccessible(page);
  await dialog(page).getByRole("button", { name: "Add a gateway" }).press("Enter");
  await dialog(page).getByRole("button", { name: "Save" }).press("Enter");
  const name = dialog(page).getByRole("textbox", { name: "Name", exact: true });
  await expect(name).toBeFocused();
  await expect(name).toHaveAttribute("aria-invalid", "true");
  await page.keyboard.type("LiteLLM");
  await page.keyboard.press("Tab");
  await page.keyboard.type("localhost:4000");
  await page.keyboard.press("Enter");
  await expect(dialog(page)).toContainText("An address begins with http:// or https://");
  await dialog(page).getByRole("textbox", { name: "Address" }).fill("http://localhost:4000");
  await dialog(page).getByRole("checkbox", { name: "Demo" }).press("Space");
  await dialog(page).getByRole("combobox", { name: "Key" }).selectOption("in a variable");
  await dialog(page).getByRole("textbox", { name: "Name of the variable" }).fill("sk-not-a-name");
  await dialog(page).getByRole("textbox", { name: "Models" }).fill("large\nanthropic/small");
  await isAccessible(page);
  await dialog(page).getByRole("button", { name: "Save" }).press("Enter");
  const key = dialog(page).getByRole("textbox", { name: "Name of the variable" });
  await expect(key).toBeFocused();
  await key.fill("LITELLM_KEY");
  await page.keyboard.press("Enter");
  await expect(dialog(page).getByRole("listitem")).toContainText("LiteLLM");
  await expect(dialog(page).getByRole("listitem")).toContainText("for Demo");
  await isAccessible(page);
  const kept = await rex.api<{ keyRef: string; models: string[] }[]>(page, "/api/gateways");
  expect(kept[1]).toMatchObject({ name: "LiteLLM", baseUrl: "http://localhost:4000", keyRef: "env:LITELLM_KEY", models: ["large", "anthropic/small"] });

  await dialog(page).getByRole("button", { name: "Edit LiteLLM" }).press("Enter");
  await expect(dialog(page).getByRole("textbox", { name: "Models" })).toHaveValue("large\nanthropic/small");
  await name.fill("thrown away");
  await page.keyboard.press("Escape");
  await expect(dialog(page).getByRole("listitem")).toContainText("LiteLLM");
  await expect(dialog(page).getByRole("button", { name: "Add a gateway" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  await expect(card(page)).toBeVisible();

  await card(page).getByRole("combobox", { name: "Gateway" }).selectOption("LiteLLM");
  await expect(card(page).getByRole("combobox", { name: "Model" }).getByRole("option")).toHaveText(["its own model", "large", "anthropic/small"]);
  await card(page).getByRole("button", { name: "Gateways" }).click();
  await dialog(page).getByRole("button", { name: "Delete LiteLLM" }).click();
  await expect(dialog(page)).toContainText("What was said through it stays.");
  await dialog(page).getByRole("button", { name: "Delete it" }).click();
  await expect(dialog(page)).toContainText("No gateway yet.");
  expect(await rex.api<unknown[]>(page, "/api/gateways")).toHaveLength(1);
});

test("S36: the composer names a gateway that has not seen the comment, before the send", async ({ signedIn: page, rex }) => {
  const gatewayId = "01890a5d-ac96-774b-bcce-b302099a8057";
  await rex.api(page, "/api/gateways", { gatewayId, name: "LiteLLM", sdks: [], baseUrl: null, keyRef: null, models: [] });
  await page.reload();
  await expect(paper(page)).toBeVisible();
  await begin(page);
  await answered(page);
  await expect(card(page)).toContainText("Demo remembers this comment.");
  await card(page).getByRole("combobox", { name: "Gateway" }).selectOption("LiteLLM");
  await expect(card(page)).toContainText(/LiteLLM has not seen this comment yet\. It will be given the conversation so far \(≈ [\d,]+ tokens\)\./);
  await reply(page, "And the table?");
  await expect(turns(page).filter({ hasText: "And the table?" })).toBeVisible();
  await answered(page);
  await expect(card(page)).toContainText("Demo on LiteLLM remembers this comment.");
  await expect(card(page)).not.toContainText("has not seen this comment yet");
});

test("S47: the debug report is read, the agents are asked, and it is copied whole", async ({ signedIn: page, rex }) => {
  await begin(page);
  await answered(page);
  const thread = threadOf(page)!;
  await card(page).getByRole("button", { name: /^More/ }).click();
  await page.getByRole("button", { name: "Debug report", exact: true }).click();
  const report = dialog(page).getByRole("region", { name: "The report" });
  await expect(report).toContainText(thread);
  await expect(report).toContainText("sdk store:  has it");
  await expect(report).toContainText("sdk log:    present");
  await isAccessible(page);
  await dialog(page).getByRole("button", { name: "Copy" }).click();
  await expect(dialog(page).getByRole("status")).toHaveText("Copied.");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const stored = await rex.api<{ workspace: { workspaceId: string } }>(page, "/api/workspace");
  for (const id of [thread, stored.workspace.workspaceId, "reading:    normal"]) expect(copied).toContain(id);

  const { rmSync } = await import("node:fs");
  const { join } = await import("node:path");
  rmSync(join(rex.home, "demo-agent"), { recursive: true });
  await dialog(page).getByRole("button", { name: "Ask the agents" }).click();
  await expect(report).toContainText("sdk store:  no record");
  await expect(report).toContainText("reading:    the cache was cleaned");
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  await expect(card(page)).toBeVisible();
});

test("a program is asked for its models when the person wants them", async ({ signedIn: page }) => {
  await begin(page);
  await answered(page);
  await card(page).getByRole("button", { name: "Models" }).click();
  await expect(page.getByText("Demo names no models.")).toBeVisible();
  await expect(card(page).getByRole("button", { name: "Models" })).toHaveCount(0);
});
