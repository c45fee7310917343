/**
 * Measures service and browser, and writes the figures to docs/figures/figures.md: `npm run bench`. `--quick` does a
 * small run of the service as a smoke test. Never fails on a slow time; prints the targets that were missed.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "./build.mjs";
import { fill } from "./fill.mjs";

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const quick = process.argv.includes("--quick");
const groups = quick ? 5_000 : 100_000;
const output = mkdtempSync(join(tmpdir(), "platform-bench-output-"));
const env = {
  ...process.env,
  BENCH_OUTPUT: output,
  BENCH_DATA: process.env.BENCH_DATA ?? join(tmpdir(), `platform-bench-${groups}`),
};

const run = (program, options) => {
  const { status, error } = spawnSync(program, options, { stdio: "inherit", env, cwd: at("") });
  if (error) throw error;
  return status ?? 1;
};

let status = 0;
try {
  await build({ stale: true });
  status = run(process.execPath, [at("server/dist/bench.js"), ...(quick ? ["--quick"] : [])]);
  const browser = at("e2e/bench/playwright.config.ts");
  // The browser is measured with the large organization only.
  if (!quick && existsSync(browser)) {
    const playwright = at("node_modules/@playwright/test/cli.js");
    status = run(process.execPath, [playwright, "test", "-c", browser]) || status;
  }
  const path = at("docs/figures/figures.md");
  const before = readFileSync(path, "utf8");
  const snippets = readdirSync(output).filter((name) => name.endsWith(".md"));
  const after = snippets.reduce(
    (document, name) =>
      fill(document, basename(name, ".md"), readFileSync(join(output, name), "utf8").trim()),
    before,
  );
  // A small run is a smoke test; its figures mean nothing.
  if (!quick && after !== before) writeFileSync(path, after);
} finally {
  rmSync(output, { recursive: true, force: true });
}
process.exit(status);
