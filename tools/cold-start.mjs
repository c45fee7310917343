/**
 * Compares how long consoles take to the first row, signed in, from an empty cache (cold) and from a full one (return), on a slow
 * line and CPU, on a fast line, and without limits:
 * `node tools/cold-start.mjs [rounds] [--until SELECTOR] <address> [<address> ...]`. They take turns, so that a noisy machine
 * affects all of them. An address of a service with our console and the demo is signed in to, and shows its identities. Any
 * other is opened as it is, and has its first row once an element that matches the selector has text. On a busy machine
 * most of the time is waiting, so the CPU time of the page until then, all of its threads, is printed beside it.
 */
import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

import { median, readAddresses, signInToDemo, startBrowser } from "./devtools.mjs";

const line = (megabits, latency) => ({
  offline: false,
  latency,
  downloadThroughput: (megabits * 1e6) / 8,
  uploadThroughput: (megabits * 1e6) / 8,
});
const UNLIMITED = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
const SPEEDS = [
  { name: "1.6 Mbit/s, CPU / 4", network: line(1.6, 150), slowed: 4 },
  { name: "10 Mbit/s", network: line(10, 40), slowed: 1 },
  { name: "no limit", network: UNLIMITED, slowed: 1 },
];
/** After the cold one, each file is in the cache. */
const STARTS = ["cold", "return"];
/** Our console stores which requests an address starts with after ten seconds (`api/client/early-requests.ts`). */
const NOTED_MS = 11_000;
const OUR_ROWS = "[role=table] [data-row-key]";

/** Runs in each new page: the time of the first frame after an element that matches has text. */
function watch(selector) {
  const look = () => {
    if ([...document.querySelectorAll(selector)].some((element) => element.textContent.trim()))
      requestAnimationFrame(() => setTimeout(() => Object.assign(window, { firstRow: performance.now() })));
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** True if the service at an address has a console of ours. */
async function isOurs(address) {
  const answer = await fetch(new URL("/config.json", address)).catch(() => undefined);
  const settings = answer?.ok ? await answer.json().catch(() => undefined) : undefined;
  return settings?.oidc?.clientId === "console";
}

/** The address that is measured, after it was visited once. */
async function firstVisit(page, address, selector) {
  const ours = await isOurs(address);
  if (!ours && selector === undefined)
    throw new Error(`${address} is another console: give --until SELECTOR`);
  const shown = ours ? OUR_ROWS : selector;
  if (ours) await signInToDemo(page);
  // All that the owner sees: the first organization may have only a few.
  const url = new URL(ours ? "/identities" : address, address);
  await page.visit(url);
  const reached = ours ? `location.pathname === ${JSON.stringify(url.pathname)} && ` : "";
  await page.until(`${reached}!!document.querySelector(${JSON.stringify(shown)})`);
  await sleep(NOTED_MS);
  return { url, shown };
}

/** A page that has visited its console, and how to measure a start of it. */
async function open(browser, address, selector) {
  const page = await browser.openPage(address);
  const { command, until, visit } = page;
  const { url, shown } = await firstVisit(page, address, selector);
  await command("Page.addScriptToEvaluateOnNewDocument", {
    source: `(${watch})(${JSON.stringify(shown)})`,
  });
  await command("Network.enable");

  /** Milliseconds from the start of the navigation to the first row, and of CPU. */
  const measure = async ({ network, slowed }, start) => {
    await visit("about:blank");
    await until('location.href === "about:blank"');
    await sleep(300);
    if (start === "cold") await command("Network.clearBrowserCache");
    await command("Network.emulateNetworkConditions", network);
    await command("Emulation.setCPUThrottlingRate", { rate: slowed });
    const before = await browser.cpuOfPages();
    await visit(url);
    const wall = await until(`location.href !== "about:blank" && window.firstRow`);
    const cpu = browser.cpuBetween(before, await browser.cpuOfPages());
    await command("Emulation.setCPUThrottlingRate", { rate: 1 });
    await command("Network.emulateNetworkConditions", UNLIMITED);
    return { wall: Math.round(wall), cpu: Math.round(cpu) };
  };
  return { address, measure };
}

const { values, positionals } = parseArgs({
  options: { until: { type: "string" } },
  allowPositionals: true,
});
const { rounds, addresses } = readAddresses("cold-start.mjs", 5, positionals);

const browser = startBrowser();
try {
  const pages = [];
  // oxlint-disable-next-line no-await-in-loop -- one after the other, so that none disturbs another
  for (const address of addresses) pages.push(await open(browser, address, values.until));
  const kinds = SPEEDS.flatMap((speed) => STARTS.map((start) => ({ speed, start })));
  const measured = kinds.map(() => pages.map(() => []));
  const load = [loadavg()[0]];
  for (let round = 0; round < rounds; round += 1)
    for (const [kind, { speed, start }] of kinds.entries())
      for (const [index, { measure }] of pages.entries()) {
        // oxlint-disable-next-line no-await-in-loop
        measured[kind][index].push(await measure(speed, start));
        load.push(loadavg()[0]);
      }
  const row = (cells) => `| ${cells.join(" | ")} |\n`;
  const middle = (times, what) => median(times.map((time) => time[what]));
  process.stdout.write(
    [
      `Medians of ${rounds}, ms and CPU ms, then as parts of the first; load ${Math.min(...load).toFixed(0)} to ${Math.max(...load).toFixed(0)}\n\n`,
      row(["", ...pages.map(({ address }) => address)]),
      row(["---", ...pages.map(() => "---:")]),
      ...kinds.map(({ speed, start }, kind) =>
        row([
          `${start}, ${speed.name}`,
          ...measured[kind].map((times, index) => {
            const [wall, cpu] = ["wall", "cpu"].map((what) => middle(times, what));
            const [first] = measured[kind];
            const parts = ["wall", "cpu"].map((what) =>
              (middle(times, what) / middle(first, what)).toFixed(2),
            );
            return `${wall} + ${cpu}${index === 0 ? "" : ` (${parts.join(", ")})`}`;
          }),
        ]),
      ),
      "\n",
      ...kinds.flatMap(({ speed, start }, kind) =>
        measured[kind].map(
          (times, index) =>
            `${start}, ${speed.name}, ${pages[index].address}: ${times.map(({ wall }) => wall).join(", ")}\n`,
        ),
      ),
    ].join(""),
  );
} finally {
  await browser.end();
}
