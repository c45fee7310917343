/**
 * Runs every check of the project: `node tools/test.mjs [check | service | build | e2e] [--long [--changed <ref>]]
 * [-- Playwright's arguments]`. Without a name it runs all of them, in this order. A failure does not stop the others,
 * except that the e2e tests need a build. With `--changed` it runs only the long tests that belong to what differs from
 * that commit.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

import { changedSince, LONG_TESTS, testsOf } from "./changed.mjs";
import { findChromium } from "./chromium.mjs";
import { findCurl } from "./debian.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const own = process.argv.slice(2);
const cut = own.includes("--") ? own.indexOf("--") : own.length;
const [names, playwrightArguments] = [own.slice(0, cut), own.slice(cut + 1)];
const long = names.includes("--long");
const since = names.includes("--changed") ? (names[names.indexOf("--changed") + 1] ?? "HEAD") : undefined;
const groups = names.filter((name) => name !== "--long" && name !== "--changed" && name !== since);

/** @type {{ name: string, passed: number, failed: number, skipped: number, seconds: number }[]} */
const results = [];

/**
 * Failures with reasons, repeated at the end: the end of a long log is what people read, and often all that is kept.
 */
const failures = [];

/** Runs a program of node_modules, with its output passed through. */
function program(command, args, environment = {}) {
  const path = join(root, "node_modules/.bin", command);
  const env = { ...process.env, ...environment };
  return spawnSync(path, args, { cwd: root, stdio: "inherit", env }).status === 0;
}

/** `work` returns whether it succeeded, or the numbers of passed and failed tests. */
async function step(name, work) {
  process.stderr.write(`\n> ${name}\n`);
  const begin = performance.now();
  let outcome;
  try {
    outcome = await work();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    outcome = false;
  }
  const counts = typeof outcome === "object" ? outcome : { passed: outcome ? 1 : 0, failed: outcome ? 0 : 1 };
  results.push({ name, skipped: 0, ...counts, seconds: (performance.now() - begin) / 1000 });
  return counts.failed === 0;
}

/** Reads a reporter's file. A run that died before writing it, or failed outside a test, counts as one failure. */
function counted(file, ok, read) {
  const counts = existsSync(file) ? read(JSON.parse(readFileSync(file, "utf8"))) : { passed: 0, failed: 0 };
  return ok || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}

/** `files` are those to run of the projects, by default all. */
function vitest(projects, files = []) {
  const file = join(scratch, `${projects[0]}.json`);
  const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${file}`];
  const chosen = projects.flatMap((project) => ["--project", project]);
  const ok = program("vitest", ["run", ...chosen, ...reporters, ...files], long ? { TEST_LONG: "1" } : {});
  return counted(file, ok, (found) => {
    for (const { name, assertionResults } of found.testResults)
      for (const { fullName, status, failureMessages } of assertionResults)
        if (status === "failed")
          failures.push({ title: `${relative(root, name)} > ${fullName}`, why: failureMessages });
    return { passed: found.numPassedTests, failed: found.numFailedTests, skipped: found.numPendingTests };
  });
}

function playwright(files = []) {
  findCurl();
  const file = join(scratch, "e2e.json");
  const ok = program("playwright", ["test", "--reporter=line,json", ...files, ...playwrightArguments], {
    CHROMIUM_PATH: findChromium(),
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
    ...(long && { TEST_LONG: "1" }),
  });
  return counted(file, ok, ({ suites, errors, stats }) => {
    failures.push(...errors.map(({ message }) => ({ title: "outside a journey", why: [message] })));
    for (const { title, file: spec, tests } of suites.flatMap(specsOf))
      for (const { status, results: runs } of tests)
        if (status === "unexpected")
          failures.push({
            title: `e2e/${spec} > ${title}`,
            why: runs.flatMap((run) => run.errors.map(({ message }) => message)),
          });
    return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped };
  });
}

/** The tests of a suite, including nested suites. */
const specsOf = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(specsOf)];

let building;

/** Builds what is older than its sources, alongside other checks, and only once. Resolves to true on success. */
function build() {
  building ??= once(
    spawn(process.execPath, [join(root, "tools/build.mjs"), "--stale"], { cwd: root, stdio: "inherit" }),
    "exit",
  ).then(([code]) => code === 0);
  return building;
}

const steps = {
  check: async () => {
    await step(
      "routes",
      () => spawnSync(process.execPath, [join(root, "tools/routes.mjs")], { stdio: "inherit" }).status === 0,
    );
    await step("types", () => program("tsc", []));
    await step("lint", () => program("oxlint", ["--deny-warnings"]));
    await step("format", () => program("oxfmt", ["--check"]));
    findCurl();
    await step("unit tests", () => vitest(["unit", "dom"]));
  },
  service: async () => {
    await step("service tests", () => vitest(["service"]));
    if (long) await step("on PostgreSQL", () => vitest(["postgres"]));
    if (long) await step("over gRPC", () => vitest(["grpc"]));
  },
  build: async () => {
    const built = await step("build", build);
    if (built && long) await step("kill -9", () => vitest(["durability"]));
    // Nothing else may run: these measure how other users' requests are slowed down.
    if (built && long) await step("attacks", () => vitest(["attacks"]));
    return built;
  },
  e2e: async () => {
    // With BASE_URL, the tests use that console and service as they are.
    const ready = process.env.BASE_URL
      ? true
      : results.some(({ name }) => name === "build") || (await step("build", build));
    if (ready && results.every(({ name, failed }) => name !== "build" || failed === 0))
      await step("journeys", () => playwright());
  },
};

/** Only the long tests that belong to what changed. */
async function changed() {
  const tests = testsOf(changedSince(since));
  process.stderr.write(`${tests.length} of ${LONG_TESTS.length} files of long tests since ${since}\n`);
  const ending = (end) => tests.filter((test) => test.endsWith(end));
  for (const project of ["postgres", "grpc"])
    if (tests.includes(project)) await step(`on ${project}`, () => vitest([project]));
  const [kills, attacks, journeys] = [".long.ts", ".attack.ts", ".spec.ts"].map(ending);
  if (kills.length + attacks.length + journeys.length === 0 || !(await step("build", build))) return;
  if (kills.length > 0) await step("kill -9", () => vitest(["durability"], kills));
  if (attacks.length > 0) await step("attacks", () => vitest(["attacks"], attacks));
  if (journeys.length > 0) await step("journeys", () => playwright(journeys));
}

const unknown = groups.find((name) => !(name in steps));
if (unknown !== undefined) {
  process.stderr.write(`${unknown} is not one of ${Object.keys(steps).join(", ")}\n`);
  process.exit(2);
}

const MEMORY = "/dev/shm";
const ROOM = 8 * 1024 ** 3;
const room = ({ bavail, bsize }) => bavail * bsize;
// The tests create and remove hundreds of databases and browser profiles: in memory that takes a third less system
// time. `--long` uses the disk, because it tests durability across kills.
if (
  !long &&
  !process.env.TMPDIR &&
  existsSync(MEMORY) &&
  Math.min(freemem(), room(statfsSync(MEMORY))) > ROOM
)
  process.env.TMPDIR = MEMORY;

const scratch = mkdtempSync(join(tmpdir(), "platform-console-test-"));
// The checks leave half of the machine idle.
if (groups.length === 0 && since === undefined) build();
if (since !== undefined) await changed();
else for (const name of groups.length > 0 ? groups : Object.keys(steps)) await steps[name]();
rmSync(scratch, { recursive: true });

for (const { title, why } of failures)
  process.stdout.write(
    `\nFAILED ${title}\n${stripVTControlCharacters(why.join("\n")).split("\n").slice(0, 30).join("\n")}\n`,
  );
process.stdout.write("\n");
for (const { name, passed, failed, seconds } of results)
  process.stdout.write(
    `${failed ? "failed" : "passed"}  ${name.padEnd(18)} ${seconds.toFixed(1).padStart(6)} s  ${passed} passed, ${failed} failed\n`,
  );
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
const skipped = sum("skipped") > 0 ? `, ${sum("skipped")} skipped` : "";
process.stdout.write(`\n${sum("passed")} passed, ${sum("failed")} failed${skipped}\n`);
process.exit(sum("failed") > 0 ? 1 : 0);
