/**
 * Measures service and browser, and writes the figures to docs/figures/figures.md: `npm run bench`. `--quick` does a
 * small run of the service as a smoke test. Never fails on a slow time; prints the targets that were missed.
 *
 * `npm run bench -- --beside URL` instead compares the console of this tree, with the demo, to the one at a URL by turns
 * (tools/cold-start.mjs, which gets all other options).
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
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

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}

/** Runs cold-start.mjs on a service of this build with the demo, and on what the command line names. */
async function compareBeside(options) {
  const PORT = String(await freePort());
  const url = `http://127.0.0.1:${PORT}`;
  const service = spawn(process.execPath, [at("server/dist/main.js")], {
    stdio: ["ignore", "ignore", "inherit"],
    // Never a database that holds something.
    env: {
      ...process.env,
      DATABASE_URL: undefined,
      PORT,
      PUBLIC_URL: url,
      DATA_DIR: join(output, "data"),
      SEED: "demo",
    },
  });
  const ended = once(service, "exit");
  try {
    // It answers 503 until the demo is there.
    while (!(await fetch(`${url}/readyz`).catch(() => undefined))?.ok) {
      if (service.exitCode !== null) throw new Error("The service of this build did not start");
      await sleep(200);
    }
    return run(process.execPath, [at("tools/cold-start.mjs"), url, ...options]);
  } finally {
    service.kill();
    await ended;
  }
}

function measureAll() {
  const status = run(process.execPath, [at("server/dist/bench.js"), ...(quick ? ["--quick"] : [])]);
  const browser = at("e2e/bench/playwright.config.ts");
  // The browser is measured with the large organization only.
  const playwright = at("node_modules/@playwright/test/cli.js");
  const ofBrowser =
    !quick && existsSync(browser) ? run(process.execPath, [playwright, "test", "-c", browser]) : 0;
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
  return ofBrowser || status;
}

const options = process.argv.slice(2);
let status = 0;
try {
  await build({ stale: true });
  status = options.includes("--beside")
    ? await compareBeside(options.filter((option) => option !== "--beside"))
    : measureAll();
} finally {
  rmSync(output, { recursive: true, force: true });
}
process.exit(status);
