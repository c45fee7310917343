import type { Page } from "@playwright/test";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, ownService, register, test } from "../fixtures";
import { makeDataDirectory, removeDataDirectory, startBuiltService, type RunningService } from "../service";
import { deploymentFor, startStaticHost, type StaticHost } from "../static-host";
import { tokensOf } from "../tabs";

// One service and one host for all tests.
test.describe.configure({ mode: "default" });

let directory: string;
let service: RunningService;
let host: StaticHost;

test.beforeAll(async () => {
  if (process.env["OWN_SERVICE"] === undefined) return;
  directory = await makeDataDirectory();
  host = await startStaticHost();
  service = await startBuiltService(directory, { CONSOLE_URLS: host.url });
  await host.configure(deploymentFor(service.url));
});
test.afterAll(async () => {
  if (process.env["OWN_SERVICE"] === undefined) return;
  await Promise.all([service.stop(), host.stop()]);
  await removeDataDirectory(directory);
});

const swapCase = (text: string): string =>
  [...text]
    .map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))
    .join("");

/** Deploys a new version: renames every asset to a new hash, updates all references, and removes the old files. */
async function redeploy(): Promise<void> {
  const assets = join(host.directory, "assets");
  const names = await readdir(assets);
  const packed = names.filter((name) => /\.(?:gz|br)$/.test(name));
  await Promise.all(packed.map((name) => rm(join(assets, name))));
  const files = names.filter((name) => !packed.includes(name));
  const hashes = new Set(files.flatMap((name) => /-([\w-]{8})\.\w+$/.exec(name)?.[1] ?? []));
  const renamed = (text: string) =>
    [...hashes].reduce((done, hash) => done.replaceAll(hash, swapCase(hash)), text);
  const rewrite = async (path: string) => writeFile(path, renamed(await readFile(path, "utf8")));
  for (const name of files) {
    await rewrite(join(assets, name));
    await rename(join(assets, name), join(assets, renamed(name)));
  }
  await rewrite(join(host.directory, "index.html"));
}

/** Returns the path of the identities list's current file. */
async function fileOfIdentities(): Promise<string> {
  const assets = join(host.directory, "assets");
  const name = (await readdir(assets)).find((each) => /^identities-.*\.js$/.test(each));
  if (name === undefined) throw new Error("no such file");
  return join(assets, name);
}

/** Counts page loads from when they begin: a page can be drawn before the browser considers it loaded. */
function countLoads(page: Page): { readonly count: number } {
  const loads = { count: 0 };
  page.on("request", (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) loads.count++;
  });
  return loads;
}

const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 1 });
const link = (page: Page, name: string) =>
  page.getByRole("navigation").getByRole("link", { name, exact: true });
// Chromium's messages when a missing file is answered with the page, and when the host is down.
const MISSING = /Failed to load module script|Failed to load resource|error loading dynamically/;

/** Creates an account and opens the overview, until the last of its code has come. */
async function arrive(page: Page): Promise<void> {
  const { open } = await register(page, { at: host.url });
  await open("");
  await expect(heading(page, "No access yet")).toBeVisible();
}

test(
  "code that a new version has replaced comes with that version, by one reload and no more",
  ownService,
  async ({ page, problems }) => {
    problems.allow(MISSING);
    await arrive(page);
    await redeploy();
    const loads = countLoads(page);
    await link(page, "Groups").click();
    await expect(heading(page, "Groups")).toBeVisible();
    expect(page.url()).toBe(`${host.url}groups`);
    expect(loads.count).toBe(1);

    // The next version is incomplete: a reload does not help, and is not repeated forever.
    await redeploy();
    const part = await fileOfIdentities();
    await rename(part, `${part}.lost`);
    await page.clock.setFixedTime(Date.now() + 120_000);
    await link(page, "Identities").click();
    await expect(heading(page, "Part of the console couldn't be loaded")).toBeVisible();
    expect(loads.count).toBe(2);
    await rename(`${part}.lost`, part);
    await page.getByRole("button", { name: "Reload" }).click();
    await expect(heading(page, "Identities")).toBeVisible();
  },
);

test(
  "a form half typed before lunch is there again when saving it brings the new version",
  ownService,
  async ({ page, problems }) => {
    problems.allow(MISSING);
    await arrive(page);
    await page.goto(new URL("groups?drawer=create", host.url).href);
    const drawer = page.getByRole("dialog", { name: "Create organization" });
    const name = drawer.getByRole("textbox", { name: "Name" });
    await name.fill("half-typed");
    await drawer.getByLabel("Description").fill("Before lunch");
    const place = page.url();
    await redeploy();
    // Otherwise the browser's cached files would work for a while longer.
    const browser = await page.context().newCDPSession(page);
    await browser.send("Network.clearBrowserCache");
    const loads = countLoads(page);
    // The token has expired, and the code that renews it is in a file of the old version.
    await page.clock.setFixedTime((((await tokensOf(page))?.expiresAt ?? 0) + 60) * 1000);
    await drawer.getByRole("button", { name: "Create organization" }).click();
    await expect.poll(() => loads.count).toBe(1);
    await expect(name).toHaveValue("half-typed");
    await expect(drawer.getByLabel("Description")).toHaveValue("Before lunch");
    expect(page.url()).toBe(place);
    await drawer.getByRole("button", { name: "Create organization" }).click();
    await expect(
      page.getByRole("table", { name: "Groups" }).getByRole("link", { name: "half-typed" }),
    ).toBeVisible();
    expect(loads.count).toBe(1);
  },
);

test(
  "nothing reloads when the host is merely out of reach, until somebody says so",
  ownService,
  async ({ page, problems }) => {
    problems.allow(MISSING);
    await arrive(page);
    const loads = countLoads(page);
    const { port } = new URL(host.url);
    await host.stop();
    await link(page, "Groups").click();
    await expect(heading(page, "This part of the console couldn't be loaded")).toBeVisible();
    await page.getByRole("button", { name: "Reload" }).click();
    await expect(page.getByRole("alert")).toHaveText("Still unreachable.");
    expect(loads.count).toBe(0);
    host = await startStaticHost({ port: Number(port), ...deploymentFor(service.url) });
    await page.getByRole("button", { name: "Reload" }).click();
    await expect(heading(page, "Groups")).toBeVisible();
    expect(loads.count).toBe(1);
  },
);
