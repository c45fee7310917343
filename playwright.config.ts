import { defineConfig } from "@playwright/test";

// Set by tools/test.mjs, which finds or installs one; without it Playwright looks for its own.
const executablePath = process.env["CHROMIUM_PATH"];

// With half of the processes gone, and the rest of the machine starting them again, everything takes longer.
const patience = process.env["UNDER_KILLS"] === "1" ? 3 : 1;

/**
 * Journeys through the built console on the real service, which the global setup starts; BASE_URL names another one.
 * Every test makes a person and an organization of its own, so that they run side by side.
 */
export default defineConfig({
  testDir: "e2e",
  // Rare weather: files of e2e/long/ and journeys with @long in their titles.
  ...(process.env["TEST_LONG"] !== "1" && { testIgnore: "**/e2e/long/**", grepInvert: /@long\b/ }),
  globalSetup: "./e2e/global-setup.ts",
  outputDir: "test-results",
  // More than there are cores: much of a journey is waiting.
  workers: 3,
  fullyParallel: true,
  forbidOnly: true,
  timeout: 60_000 * patience,
  expect: { timeout: 10_000 * patience },
  reporter: "line",
  use: {
    // Recording takes a third of the time; `npm run e2e -- <file> --trace on` when something is to be looked into.
    trace: "off",
    screenshot: "only-on-failure",
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
  },
});
