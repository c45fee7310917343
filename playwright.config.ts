import { defineConfig } from "@playwright/test";

// Set by the global setup, which finds or installs a browser.
const executablePath = process.env["CHROMIUM_PATH"];

/** `use` of tests that need Chromium. */
export const CHROMIUM = {
  launchOptions: {
    ...(executablePath && { executablePath }),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  },
};

// Set by tools/test.mjs, which reads it.
const { BROWSERS = "chromium", TEST_REPORT: report } = process.env;
const browsers = BROWSERS.split(",");

// Everything takes longer while half of the processes are killed and restarted.
const patience = process.env["UNDER_KILLS"] === "1" ? 3 : 1;

/**
 * End-to-end tests of the built console against the real service, which the global setup starts; BASE_URL selects
 * another one. Each test creates its own user and organization, so that tests can run in parallel.
 *
 * `BROWSERS=firefox,webkit` runs the tests with @engines in their titles in Playwright's builds of these browsers, which
 * `npx playwright install --with-deps firefox webkit` installs.
 */
export default defineConfig({
  testDir: "e2e",
  // Rare cases: files named `*.long.spec.ts` and tests with @long in their titles.
  ...(process.env["TEST_LONG"] !== "1" && { testIgnore: "**/*.long.spec.ts", grepInvert: /@long\b/ }),
  globalSetup: "./e2e/global-setup.ts",
  outputDir: "test-results",
  // Each starts a browser of its own, and services of its own for tests with other settings.
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  // Long enough for a machine that does much else: a test fails by what it sees, not by the clock.
  timeout: 180_000 * patience,
  expect: { timeout: 20_000 * patience },
  reporter: report ? [["dot"], ["json", { outputFile: report }]] : "line",
  use: {
    // Tracing takes a third of the time; use `npm run e2e -- <file> --trace on` to investigate a failure.
    trace: "off",
    // A quarter of what the browser computes is animation; the long tests have it.
    ...(process.env["TEST_LONG"] !== "1" && { contextOptions: { reducedMotion: "reduce" as const } }),
    screenshot: "only-on-failure",
  },
  projects: [
    { name: "chromium", use: CHROMIUM },
    ...(["firefox", "webkit"] as const).map((browserName) => ({
      name: browserName,
      // A screenshot adds a style to the page, which Firefox reports as a violation of the page's policy.
      use: { browserName, screenshot: "off" as const },
      grep: /@engines\b/,
      // Also rare ones.
      testIgnore: [],
      grepInvert: [],
    })),
  ].filter(({ name }) => browsers.includes(name)),
});
