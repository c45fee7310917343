import { defineConfig } from "@playwright/test";
import { tmpdir } from "node:os";
import { join } from "node:path";

import journeys from "../../playwright.config";

/**
 * What is measured in the browser, one after the other: `npm run bench`, or by itself after `npm run build` with
 * `npx playwright test -c e2e/bench/playwright.config.ts`. BENCH_DATA names a data directory of `npm run seed`
 * (made in the system's temporary directory when it is not there); the figures go to BENCH_OUTPUT as Markdown.
 */
export default defineConfig({
  ...journeys,
  projects: [{ name: "bench" }],
  testDir: ".",
  testMatch: "*.bench.ts",
  globalSetup: "./set-up.ts",
  // Away from the journeys', which empty theirs when they begin.
  outputDir: join(tmpdir(), "platform-console-bench-results"),
  workers: 1,
  fullyParallel: false,
  // Minutes: 10,000 siblings are a hundred pages, and a slow machine is measured as well.
  timeout: 20 * 60_000,
  expect: { timeout: 60_000 },
});
