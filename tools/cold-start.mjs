/**
 * Measures how long the first row of the identities takes, signed in, on 1.6 Mbit/s with 150 ms latency and a CPU slowed four
 * times, from an empty cache (cold) and from a full one (warm): `node tools/cold-start.mjs [rounds] <address> [<address> ...]`. The addresses are running services with
 * the demo organization, such as builds of two commits; they take turns, so that a noisy machine affects all of them.
 */
import { setTimeout as sleep } from "node:timers/promises";

import { median, readArguments, signInToDemo, startBrowser } from "./devtools.mjs";

const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000 };
const UNLIMITED = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
const SLOWED = 4;
/** After the cold one, each file is in the cache. */
const STARTS = ["cold", "warm"];
/** The console stores which requests a URL starts with after ten seconds (`api/client/early-requests.ts`). */
const NOTED = 11_000;

const { rounds, addresses } = readArguments("cold-start.mjs", 7);

/** Runs in each new page: the time of the first frame after a row has text. */
function watch() {
  const look = () => {
    if (document.querySelector("[role=table] [data-row-key]")?.textContent?.trim())
      requestAnimationFrame(() => setTimeout(() => Object.assign(window, { firstRow: performance.now() })));
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** A signed-in page whose address has been visited once. */
async function open(browser, address) {
  const page = await browser.openPage(address);
  const { command, until, visit } = page;
  const path = `/identities?group=${encodeURIComponent(await signInToDemo(page))}`;
  await visit(path);
  await until('location.pathname === "/identities" && !!document.querySelector("[data-row-key]")');
  await sleep(NOTED);
  await command("Page.addScriptToEvaluateOnNewDocument", { source: `(${watch})()` });
  await command("Network.enable");

  /** Milliseconds from the start of the navigation to the first row. */
  const measure = async (start) => {
    await visit("/healthz");
    await sleep(300);
    if (start === "cold") await command("Network.clearBrowserCache");
    await command("Network.emulateNetworkConditions", NETWORK);
    await command("Emulation.setCPUThrottlingRate", { rate: SLOWED });
    await visit(path);
    const time = await until('location.pathname === "/identities" && window.firstRow');
    await command("Emulation.setCPUThrottlingRate", { rate: 1 });
    await command("Network.emulateNetworkConditions", UNLIMITED);
    return Math.round(time);
  };
  return { address, times: { cold: [], warm: [] }, measure };
}

const browser = startBrowser();
try {
  const pages = [];
  // oxlint-disable-next-line no-await-in-loop -- one after the other, so that none disturbs another
  for (const address of addresses) pages.push(await open(browser, address));
  for (let round = 0; round < rounds; round += 1)
    for (const start of STARTS)
      for (const { times, measure } of pages) {
        // oxlint-disable-next-line no-await-in-loop
        times[start].push(await measure(start));
      }
  const [first] = pages;
  for (const start of STARTS)
    for (const { address, times } of pages) {
      const ratio = (median(times[start]) / median(first.times[start])).toFixed(2);
      process.stdout.write(
        `${start} ${address}: median ${median(times[start])} ms, ${ratio} of the first (${times[start].join(", ")})\n`,
      );
    }
} finally {
  await browser.end();
}
