import { defineConfig } from "@playwright/test";
import { tmpdir } from "node:os";
import { join } from "node:path";

import journeys, { CHROMIUM } from "../../playwright.config";

/**
 * Browser measurements, run one at a time: with `npm run bench`, or alone after `npm run build` with `npx playwright
 * test -c e2e/bench/playwright.config.ts`. BENCH_DATA names a data directory of `platform-console seed` (by default created in
 * the system's temporary directory); the figures go to BENCH_OUTPUT as Markdown.
 */
export default defineConfig({
  ...journeys,
  projects: [{ name: "bench", use: CHROMIUM }],
  testDir: ".",
  testMatch: "*.bench.ts",
  globalSetup: "./set-up.ts",
  // Not the tests' directory, which they empty when they start.
  outputDir: join(tmpdir(), "platform-console-bench-results"),
  workers: 1,
  fullyParallel: false,
  // Minutes: 10,000 siblings are a hundred pages, and slow machines run this too.
  timeout: 20 * 60_000,
  expect: { timeout: 60_000 },
});
