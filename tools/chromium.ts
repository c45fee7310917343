import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";

import { canInstall, install, run } from "./debian";

const SYSTEM = [
  // Built for tests: renders without a browser window, which takes a third of the CPU time in the full browser.
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome-stable",
  "/usr/bin/google-chrome",
  "/snap/bin/chromium",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** True if it starts. Existence is not enough: a snap wrapper exists without its snap. */
const starts = (path: string): boolean =>
  existsSync(path) && spawnSync(path, ["--version"], { stdio: "ignore" }).status === 0;

/**
 * Finds the Chromium for the e2e tests: `CHROMIUM_PATH`, the system's, or Playwright's own; otherwise installs one.
 * Prints which.
 * @returns path of the executable
 */
export function findChromium(): string {
  const given = process.env["CHROMIUM_PATH"];
  if (given !== undefined && given !== "") {
    if (!starts(given)) throw new Error(`CHROMIUM_PATH: ${given} does not start`);
    return told("of CHROMIUM_PATH", given);
  }
  const system = SYSTEM.find(starts);
  if (system) return told("of the system", system);
  if (starts(chromium.executablePath())) return told("of Playwright", chromium.executablePath());
  return installed();
}

function installed(): string {
  if (canInstall()) {
    process.stderr.write("No Chromium found: installing Debian's package.\n");
    // Releases before Debian 12 have only the full browser.
    install("chromium-headless-shell", "chromium");
    const system = SYSTEM.find(starts);
    if (system) return told("just installed", system);
  }
  process.stderr.write("No Chromium found: downloading Playwright's.\n");
  if (run("npx", ["playwright", "install", "chromium"]) && starts(chromium.executablePath()))
    return told("just downloaded", chromium.executablePath());
  throw new Error("No Chromium could be found or installed: install one and set CHROMIUM_PATH to its path");
}

function told(whose: string, path: string): string {
  process.stderr.write(`Chromium ${whose}: ${path}\n`);
  return path;
}
