/**
 * Measures how long the first row of the identities takes from an empty cache, signed in, on 1.6 Mbit/s with 150 ms latency and
 * a CPU slowed four times: `node tools/cold-start.mjs [rounds] <address> [<address> ...]`. The addresses are running services with
 * the demo organization, such as builds of two commits; they take turns, so that a noisy machine affects all of them.
 *
 * Speaks the DevTools protocol itself and leaves its Runtime domain disabled: with that enabled, as testing tools do, V8
 * parses whole files again for the stack traces of errors that React creates while loading, which no visitor waits for.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { findChromium } from "./chromium.mjs";

const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000 };
const UNLIMITED = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
const SLOWED = 4;
/** The console stores which requests a URL starts with after ten seconds (`api/client/early-requests.ts`). */
const NOTED = 11_000;
const PATIENCE = 60_000;

const options = process.argv.slice(2);
const rounds = Number(options.find((option) => /^\d+$/.test(option)) ?? 7);
const addresses = options.filter((option) => option.startsWith("http"));
if (addresses.length === 0) throw new Error("Usage: node tools/cold-start.mjs [rounds] <address> ...");

const profile = mkdtempSync(join(tmpdir(), "cold-start-"));
const flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--window-size=1280,800"];
const browser = spawn(
  findChromium(),
  ["--headless", "--remote-debugging-pipe", `--user-data-dir=${profile}`, ...flags],
  { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] },
);
const [, , , input, output] = browser.stdio;

const waiting = new Map();
let received = "";
output.on("data", (data) => {
  const messages = (received + data).split("\0");
  received = messages.pop();
  for (const { id, result, error } of messages.map((message) => JSON.parse(message))) {
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (error) reject?.(new Error(error.message));
    else resolve?.(result);
  }
});

let last = 0;
/** Sends one command of the DevTools protocol, to a page if `sessionId` is given. */
const send = (method, params = {}, sessionId = undefined) =>
  new Promise((resolve, reject) => {
    last += 1;
    waiting.set(last, { resolve, reject });
    input.write(`${JSON.stringify({ id: last, method, params, sessionId })}\0`);
  });

/** Runs in each new page: the time of the first frame after a row has text. */
function watch() {
  const look = () => {
    if (document.querySelector("[data-row-key]")?.textContent?.trim())
      requestAnimationFrame(() => setTimeout(() => Object.assign(window, { firstRow: performance.now() })));
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** Runs in the page: signs in as the owner of the demo. */
function signIn() {
  document.querySelector("input[type=email]").value = "owner@demo.example";
  const password = document.querySelector("input[type=password]");
  password.value = "platform-demo";
  password.form.querySelector("button[type=submit]").click();
}

/** A page of its own browser context, signed in, whose address has been visited once. */
async function open(address) {
  const { browserContextId } = await send("Target.createBrowserContext");
  const { targetId } = await send("Target.createTarget", { url: "about:blank", browserContextId });
  const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
  const command = (method, params) => send(method, params, sessionId);
  const evaluate = async (expression) =>
    (await command("Runtime.evaluate", { expression, returnByValue: true })).result.value;
  const until = async (expression) => {
    const end = Date.now() + PATIENCE;
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop
      const value = await evaluate(expression);
      if (value) return value;
      if (Date.now() > end) throw new Error(`${address}: waited in vain for ${expression}`);
      // oxlint-disable-next-line no-await-in-loop
      await sleep(40);
    }
  };
  const visit = (path) => command("Page.navigate", { url: new URL(path, address).href });
  await command("Page.enable");
  await visit("/groups");
  await until('!!document.querySelector("input[type=password]")');
  await evaluate(`(${signIn})()`);
  const organization = await until('document.querySelector("[data-row-key]")?.dataset.rowKey');
  const path = `/identities?group=${encodeURIComponent(organization)}`;
  await visit(path);
  await until('location.pathname === "/identities" && !!document.querySelector("[data-row-key]")');
  await sleep(NOTED);
  await command("Page.addScriptToEvaluateOnNewDocument", { source: `(${watch})()` });
  await command("Network.enable");

  /** Milliseconds from the start of the navigation to the first row. */
  const measure = async () => {
    await visit("/healthz");
    await sleep(300);
    await command("Network.clearBrowserCache");
    await command("Network.emulateNetworkConditions", NETWORK);
    await command("Emulation.setCPUThrottlingRate", { rate: SLOWED });
    await visit(path);
    const time = await until('location.pathname === "/identities" && window.firstRow');
    await command("Emulation.setCPUThrottlingRate", { rate: 1 });
    await command("Network.emulateNetworkConditions", UNLIMITED);
    return Math.round(time);
  };
  return { address, times: [], measure };
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

try {
  const pages = [];
  // oxlint-disable-next-line no-await-in-loop -- one after the other, so that none disturbs another
  for (const address of addresses) pages.push(await open(address));
  for (let round = 0; round < rounds; round += 1)
    for (const { times, measure } of pages) {
      // oxlint-disable-next-line no-await-in-loop
      times.push(await measure());
    }
  const [first] = pages;
  for (const { address, times } of pages) {
    const ratio = (median(times) / median(first.times)).toFixed(2);
    process.stdout.write(
      `${address}: median ${median(times)} ms, ${ratio} of the first (${times.join(", ")})\n`,
    );
  }
} finally {
  // A signal ends only the main process, and its children hold the pipe open.
  const ended = new Promise((resolve) => browser.once("exit", resolve));
  await Promise.all([ended, send("Browser.close")]);
  rmSync(profile, { recursive: true, force: true });
}
