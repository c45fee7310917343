/**
 * Takes the pictures of the README: `node tools/pictures.mjs <address>`, and with `--sheets [<before>]` also the contact sheets of
 * all screens. The address is a running service with the demo organization, `before` one of an earlier build, shown on the
 * left in the sheets. Writes docs/images/.
 */
import { writeFileSync } from "node:fs";
import { chromium } from "@playwright/test";

import { findChromium } from "./chromium.mjs";

const [address, sheets, before] = process.argv.slice(2);
if (!address || (sheets && sheets !== "--sheets"))
  throw new Error("Usage: node tools/pictures.mjs <address> [--sheets [<address of an earlier build>]]");

const FOLDER = new URL("../docs/images/", import.meta.url);
const SCHEMES = ["light", "dark"];
/** In px: a window, and its pictures in the sheet. */
const SIZES = [
  { width: 390, height: 844, shown: 250, across: 6 },
  { width: 1280, height: 800, shown: 640, across: 2 },
  { width: 1920, height: 1080, shown: 760, across: 2 },
];

const LISTS = [
  "groups",
  "identities",
  "people",
  "roles",
  "role-bindings",
  "group-invites",
  "identity-providers",
  "repos",
  "tags",
  "libraries",
  "audit-log",
  "advisories",
  "account-associations",
  "terms",
  "subscriptions",
];
/** Those whose records have no page, or of which the demo has no records. */
const WITHOUT_PAGES = ["people", "subscriptions"];
/** `list/first` is the page of the first record in the list. */
const SCREENS = [
  "",
  ...LISTS.flatMap((list) => (WITHOUT_PAGES.includes(list) ? [list] : [list, `${list}/first`])),
  "advisories/documents",
  "reports",
  "affected?id=CVE-2026-90149",
  "access-review",
  "snapshots",
  "status",
  "identities?seen=never",
  "repos?name=nothing-has-this-name",
  "groups?drawer=create",
  "identities?drawer=create",
  "role-bindings?drawer=create",
  "identity-providers?drawer=create",
  "roles?drawer=create",
  "repos?drawer=create",
  "subscriptions?drawer=create",
  "identities?drawer=test-token",
  "repos/not-a-repo",
  "nothing-here",
];
/** The pictures of the README. */
const PICTURES = {
  home: "",
  tags: "tags?deprecated=yes",
  repo: "repos?name=postgres",
  identities: "identities",
  affected: "affected?id=CVE-2026-90149",
};

const browser = await chromium.launch({
  executablePath: findChromium(),
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
async function signIn(origin, colorScheme, { width, height }) {
  const context = await browser.newContext({
    colorScheme,
    viewport: { width, height },
    locale: "en-US",
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  await page.goto(new URL("/groups", origin).href);
  await page.getByLabel("Email").fill("owner@demo.example");
  await page.locator("input[type=password]").fill("platform-demo");
  const form = await page.screenshot();
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  const row = page.locator("[data-row-key]").first();
  await row.waitFor();
  const organization = await row.getAttribute("data-row-key");
  const visit = async (screen) => {
    const url = new URL(screen.replace(/\/first$/, ""), origin);
    url.searchParams.set("group", organization);
    await page.goto(url.href);
    if (screen.endsWith("drawer=create")) await page.getByRole("dialog").waitFor();
    await settled(page);
    if (!screen.endsWith("/first")) return;
    const first = page.locator("[data-row-key] a").first();
    await page.goto(new URL(await first.getAttribute("href"), url).href);
    await settled(page);
  };
  return { page, form, visit };
}

async function takePictures(colorScheme) {
  const { page, form, visit } = await signIn(address, colorScheme, { width: 1280, height: 800 });
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

/** All screens, as `[screen, base64 of a JPEG or undefined]`. */
async function takeScreens(origin, colorScheme, size) {
  if (origin === undefined) return SCREENS.map(() => undefined);
  const { page, visit } = await signIn(origin, colorScheme, size);
  const taken = [];
  for (const screen of SCREENS) {
    // An earlier build may lack the screen.
    const there = await visit(screen).then(
      () => true,
      (error) => void process.stderr.write(`${origin} /${screen}: ${error}\n`),
    );
    taken.push(there ? (await page.screenshot({ type: "jpeg", quality: 90 })).toString("base64") : undefined);
  }
  await page.context().close();
  return taken;
}

/** Runs in a page: draws the sheet, and returns it as base64 of a WebP. */
async function draw({ screens, dark, shown, across, ratio }) {
  const [gap, label] = [16, 28];
  const pair = screens.some(({ images: [left] }) => left) ? 2 : 1;
  const cell = { width: pair * (shown + 4) + gap, height: shown * ratio + label + gap };
  const canvas = Object.assign(document.createElement("canvas"), {
    width: across * cell.width + gap,
    height: Math.ceil(screens.length / across) * cell.height + gap,
  });
  const context = canvas.getContext("2d");
  context.fillStyle = dark ? "#000" : "#ddd";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = dark ? "#fff" : "#000";
  context.font = "14px Inter, sans-serif";
  context.imageSmoothingQuality = "high";
  for (const [index, { screen, images }] of screens.entries()) {
    const x = gap + (index % across) * cell.width;
    const y = gap + Math.floor(index / across) * cell.height;
    context.fillText(`/${screen}`, x, y + 18);
    for (const [place, image] of images.slice(-pair).entries()) {
      if (!image) continue;
      const bitmap = await createImageBitmap(await (await fetch(`data:image/jpeg;base64,${image}`)).blob(), {
        resizeWidth: shown,
        resizeQuality: "high",
      });
      context.drawImage(bitmap, x + place * (shown + 4), y + label);
    }
  }
  return canvas.toDataURL("image/webp", 0.7).split(",")[1];
}

async function takeSheet(colorScheme, size) {
  const sides = await Promise.all([before, address].map((origin) => takeScreens(origin, colorScheme, size)));
  const screens = SCREENS.map((screen, index) => ({ screen, images: sides.map((side) => side[index]) }));
  const page = await browser.newPage();
  const { width, height, shown, across } = size;
  const sheet = await page.evaluate(draw, {
    screens,
    dark: colorScheme === "dark",
    shown,
    across,
    ratio: height / width,
  });
  writeFileSync(new URL(`screens-${colorScheme}-${width}.webp`, FOLDER), Buffer.from(sheet, "base64"));
  await page.close();
}

for (const scheme of SCHEMES) {
  await takePictures(scheme);
  if (sheets) for (const size of SIZES) await takeSheet(scheme, size);
}
await browser.close();
