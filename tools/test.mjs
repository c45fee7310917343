/**
 * Runs npm scripts as one test run: `node tools/test.mjs [--long] <script> ...`. Two at a time, in this order, so that
 * both cores of a small machine are busy; with `--long` one at a time, because some of the long tests measure how far
 * others are slowed down. A failure does not stop the others. Prints every failure again at the end, since the end of a
 * long log is what people read, and the number of tests.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import pLimit from "p-limit";

const root = fileURLToPath(new URL("..", import.meta.url));
const scripts = process.argv.slice(2).filter((name) => name !== "--long");
const long = process.argv.includes("--long");

const MEMORY = "/dev/shm";
const ROOM = 8 * 1024 ** 3;
// The tests create and remove hundreds of databases and browser profiles: in memory that takes a third less system
// time. Long tests use the disk, because they test durability.
if (!long && !process.env.TMPDIR && existsSync(MEMORY)) {
  const { bavail, bsize } = statfsSync(MEMORY);
  if (Math.min(freemem(), bavail * bsize) > ROOM) process.env.TMPDIR = MEMORY;
}
const scratch = mkdtempSync(join(tmpdir(), "platform-console-test-"));

/** The tests of a Playwright suite, including nested suites. */
const specsOf = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(specsOf)];

/** Reads the report of a test runner: Playwright's or Vitest's JSON. */
function read(report) {
  if (report.suites)
    return {
      passed: report.stats.expected + report.stats.flaky,
      failed: report.stats.unexpected,
      skipped: report.stats.skipped,
      failures: [
        ...report.errors.map(({ message }) => ({ title: "outside a test", why: [message] })),
        ...report.suites.flatMap(specsOf).flatMap(({ title, file, tests }) =>
          tests
            .filter(({ status }) => status === "unexpected")
            .map(({ results }) => ({
              title: `e2e/${file} > ${title}`,
              why: results.flatMap(({ errors }) => errors.map(({ message }) => message)),
            })),
        ),
      ],
    };
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests,
    failures: report.testResults.flatMap(({ name, assertionResults, message }) => [
      ...(assertionResults.length === 0 && message ? [{ title: relative(root, name), why: [message] }] : []),
      ...assertionResults
        .filter(({ status }) => status === "failed")
        .map(({ fullName, failureMessages }) => ({
          title: `${relative(root, name)} > ${fullName}`,
          why: failureMessages,
        })),
    ]),
  };
}

/** Runs one script; prints what it printed once it has ended, if it failed. A script without a report is one test. */
async function run(script) {
  const file = join(scratch, `${script.replace(":", "-")}.json`);
  const begin = performance.now();
  const child = spawn("npm", ["run", "--silent", script], {
    cwd: root,
    env: { ...process.env, TEST_REPORT: file, ...(long && { TEST_LONG: "1" }) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => output.push(data));
  const [code] = await once(child, "close");
  const printed = stripVTControlCharacters(Buffer.concat(output).toString());
  const found = existsSync(file) ? read(JSON.parse(readFileSync(file, "utf8"))) : undefined;
  const counts = found ?? { passed: 1, failed: 0, skipped: 0, failures: [] };
  // It died before its report was complete, or failed outside a test.
  if (code !== 0 && counts.failed === 0) {
    counts.failed = 1;
    counts.passed -= found ? 0 : 1;
    counts.failures.push({ title: script, why: [printed.slice(-10_000)] });
  }
  const seconds = (performance.now() - begin) / 1000;
  const { passed, failed } = counts;
  const line = `${failed > 0 ? "failed" : "passed"}  ${script.padEnd(14)} ${seconds.toFixed(1).padStart(6)} s  ${passed} passed, ${failed} failed`;
  process.stdout.write(`${line}\n`);
  if (failed > 0) process.stderr.write(`${printed}\n`);
  return counts;
}

const limit = pLimit(long ? 1 : 2);
const results = await Promise.all(scripts.map((script) => limit(run, script)));
rmSync(scratch, { recursive: true, force: true });

for (const { title, why } of results.flatMap(({ failures }) => failures))
  process.stdout.write(
    `\nFAILED ${title}\n${stripVTControlCharacters(why.join("\n")).split("\n").slice(0, 30).join("\n")}\n`,
  );
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
const skipped = sum("skipped") > 0 ? `, ${sum("skipped")} skipped` : "";
process.stdout.write(`\n${sum("passed")} passed, ${sum("failed")} failed${skipped}\n`);
process.exit(sum("failed") > 0 ? 1 : 0);
