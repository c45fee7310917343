/**
 * Takes the README's pictures and writes them to docs/images/: `node tools/pictures.mjs <address>`. The address is that
 * of a running service with the demo organization.
 */
import { writeFileSync } from "node:fs";
import { chromium } from "@playwright/test";

import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const { module: browsers } = await runnerImport(fileURLToPath(new URL("chromium.ts", import.meta.url)), {
  configFile: false,
  logLevel: "error",
});

const [address] = process.argv.slice(2);
if (!address) throw new Error("Usage: node tools/pictures.mjs <address>");

const FOLDER = new URL("../docs/images/", import.meta.url);
const SCHEMES = ["light", "dark"];
/** The pictures of the README. */
const PICTURES = {
  home: "",
  tags: "tags?deprecated=yes",
  repo: "repos?name=postgres",
  identities: "identities",
  affected: "affected?id=CVE-2026-90149",
};

const browser = await chromium.launch({
  executablePath: browsers.findChromium(),
  args: ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"],
});

/** Resolves once nothing loads any more. */
async function settled(page) {
  await page.waitForLoadState("networkidle");
  await page.waitForFunction(
    () => !document.querySelector("[aria-busy=true]") && !document.body.textContent.includes("Loading…"),
    undefined,
    { timeout: 20_000 },
  );
  await page.waitForTimeout(300);
}

/** A page signed in as the owner of the demo, which can open screens of its organization. */
async function signIn(colorScheme) {
  const context = await browser.newContext({
    colorScheme,
    viewport: { width: 1280, height: 800 },
    locale: "en-US",
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  await page.goto(new URL("/groups", address).href);
  await page.getByLabel("Email").fill("owner@demo.example");
  await page.locator("input[type=password]").fill("platform-demo");
  const form = await page.screenshot();
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  const row = page.locator("[data-row-key]").first();
  await row.waitFor();
  const organization = await row.getAttribute("data-row-key");
  const visit = async (screen) => {
    const url = new URL(screen, address);
    url.searchParams.set("group", organization);
    await page.goto(url.href);
    await settled(page);
  };
  return { page, form, visit };
}

async function takePictures(colorScheme) {
  const { page, form, visit } = await signIn(colorScheme);
  writeFileSync(new URL(`sign-in-${colorScheme}.png`, FOLDER), form);
  for (const [name, screen] of Object.entries(PICTURES)) {
    await visit(screen);
    if (name === "home") {
      await page.getByRole("button", { name: "Check now" }).click();
      await page.getByRole("button", { name: "Check now" }).waitFor();
      await settled(page);
    }
    if (name === "repo") {
      await page.getByRole("link", { name: "postgres", exact: true }).click();
      await page.getByRole("heading", { name: "Readme" }).waitFor();
      await settled(page);
    }
    await page.mouse.move(0, 0);
    await page.screenshot({ path: new URL(`${name}-${colorScheme}.png`, FOLDER).pathname });
  }
  await page.context().close();
}

for (const scheme of SCHEMES) await takePictures(scheme);
await browser.close();
