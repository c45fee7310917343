/**
 * A Chromium, driven over the DevTools protocol with its Runtime domain disabled: with that enabled, as testing tools do, V8
 * parses whole files again for the stack traces of errors that React creates while loading, which no visitor waits for.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const { module: browsers } = await runnerImport(fileURLToPath(new URL("chromium.ts", import.meta.url)), {
  configFile: false,
  logLevel: "error",
});

const WAIT_TIMEOUT_MS = 60_000;
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--window-size=1280,800"];

/** Starts a Chromium with a profile of its own. */
export function startBrowser() {
  const profile = mkdtempSync(join(tmpdir(), "devtools-"));
  const browser = spawn(
    browsers.findChromium(),
    ["--headless", "--remote-debugging-pipe", `--user-data-dir=${profile}`, ...FLAGS],
    { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] },
  );
  const [, , , input, output] = browser.stdio;

  const waiting = new Map();
  const listeners = new Set();
  let received = "";
  output.setEncoding("utf8");
  output.on("data", (data) => {
    const messages = (received + data).split("\0");
    received = messages.pop();
    for (const { id, result, error, ...event } of messages.map((message) => JSON.parse(message))) {
      if (id === undefined) for (const listener of listeners) listener(event);
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

  /** A page in a browser context of its own. `address`: what `visit` resolves paths against. */
  async function openPage(address) {
    const { browserContextId } = await send("Target.createBrowserContext");
    const { targetId } = await send("Target.createTarget", { url: "about:blank", browserContextId });
    const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
    const command = (method, params) => send(method, params, sessionId);
    await command("Page.enable");
    const evaluate = async (expression) => {
      const { result, exceptionDetails } = await command("Runtime.evaluate", {
        expression,
        returnByValue: true,
        awaitPromise: true,
      });
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return result.value;
    };
    /** Evaluates `expression` until it is truthy. */
    const until = async (expression) => {
      const end = Date.now() + WAIT_TIMEOUT_MS;
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop
        const value = await evaluate(expression).catch(() => undefined);
        if (value) return value;
        if (Date.now() > end) throw new Error(`${address}: waited in vain for ${expression}`);
        // oxlint-disable-next-line no-await-in-loop
        await sleep(40);
      }
    };
    const visit = (path) => command("Page.navigate", { url: new URL(path, address).href });
    return { command, evaluate, until, visit };
  }

  /** Ends the browser and deletes its profile. */
  async function end() {
    // A signal ends only the main process, and its children hold the pipe open.
    const ended = new Promise((resolve) => browser.once("exit", resolve));
    await Promise.all([ended, send("Browser.close")]);
    rmSync(profile, { recursive: true, force: true });
  }

  /** Calls `listener` with each event of the protocol. */
  const onEvent = (listener) => listeners.add(listener);

  /** Records the events of some trace categories; the function returned ends that and resolves to them. */
  async function trace(includedCategories) {
    const events = [];
    let ended;
    const complete = new Promise((resolve) => (ended = resolve));
    const listener = ({ method, params }) => {
      if (method === "Tracing.dataCollected") events.push(...params.value);
      else if (method === "Tracing.tracingComplete") ended();
    };
    listeners.add(listener);
    const traceConfig = { includedCategories, excludedCategories: ["*"] };
    await send("Tracing.start", { transferMode: "ReportEvents", traceConfig });
    return async () => {
      await Promise.all([complete, send("Tracing.end")]);
      listeners.delete(listener);
      return events;
    };
  }
  /** Milliseconds of CPU that each process with a page has used, all of its threads, by its id. */
  async function cpuOfPages() {
    const { processInfo } = await send("SystemInfo.getProcessInfo");
    const pages = processInfo.filter(({ type }) => type === "renderer");
    return new Map(pages.map(({ id, cpuTime }) => [id, cpuTime * 1_000]));
  }
  /** A page that goes to another site gets another process. */
  const cpuBetween = (before, after) =>
    [...after].reduce((sum, [id, cpu]) => sum + cpu - (before.get(id) ?? 0), 0);

  return { openPage, send, onEvent, trace, cpuOfPages, cpuBetween, end };
}

/** Runs in the page: signs in as the owner of the demo. */
function submitOwner() {
  document.querySelector("input[type=email]").value = "owner@demo.example";
  const password = document.querySelector("input[type=password]");
  password.value = "platform-demo";
  password.form.querySelector("button[type=submit]").click();
}

/** Signs a page in as the owner of the demo, and waits for its organizations. */
export async function signInToDemo({ visit, until, evaluate }) {
  await visit("/groups");
  await until('!!document.querySelector("input[type=password]")');
  await evaluate(`(${submitOwner})()`);
  await until('!!document.querySelector("[data-row-key]")');
}

/** The value in the middle, or the upper of two. */
export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** The arguments of a tool: `[rounds] <address> [<address> ...]`. */
export function readAddresses(tool, rounds, given = process.argv.slice(2)) {
  const addresses = given.filter((option) => option.startsWith("http"));
  if (addresses.length === 0) throw new Error(`Usage: node tools/${tool} [rounds] <address> ...`);
  return { rounds: Number(given.find((option) => /^\d+$/.test(option)) ?? rounds), addresses };
}
