import type { CDPSession, Page } from "@playwright/test";

import { CHROMIUM } from "../playwright.config";

const { launchOptions } = CHROMIUM;

/**
 * For `test.use`. Code that V8 compiles for hot functions counts as heap and keeps growing (a heap snapshot shows
 * nothing else growing). With the interpreter only, what remains is what the screens leak.
 */
export const INTERPRETED = {
  launchOptions: {
    ...launchOptions,
    args: [...launchOptions.args, "--js-flags=--no-sparkplug --no-maglev --no-turbofan"],
  },
};

/** What a page holds after garbage collection. */
export interface Memory {
  /** Bytes. */
  readonly heap: number;
  /** Nodes of all documents, including those that only scripts still reference. */
  readonly nodes: number;
  readonly listeners: number;
  /** Abort controllers: one for each request and each change of screen. */
  readonly controllers: number;
}

/** Chromium's own counters for a page; open once per page. */
export async function openMemory(page: Page): Promise<{ read(): Promise<Memory>; cdp: CDPSession }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable");
  await cdp.send("HeapProfiler.enable");
  return {
    cdp,
    async read() {
      // The second pass collects what the finalizers of the first released.
      for (let time = 0; time < 2; time += 1) await cdp.send("HeapProfiler.collectGarbage");
      const { metrics } = await cdp.send("Performance.getMetrics");
      const of = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? 0;
      return {
        heap: of("JSHeapUsedSize"),
        nodes: of("Nodes"),
        listeners: of("JSEventListeners"),
        controllers: await countControllers(cdp),
      };
    },
  };
}

async function countControllers(cdp: CDPSession): Promise<number> {
  const group = { objectGroup: "controllers" };
  const { result } = await cdp.send("Runtime.evaluate", {
    expression: "AbortController.prototype",
    ...group,
  });
  const found = await cdp.send("Runtime.queryObjects", {
    prototypeObjectId: result.objectId ?? "",
    ...group,
  });
  const { result: length } = await cdp.send("Runtime.callFunctionOn", {
    objectId: found.objects.objectId ?? "",
    functionDeclaration: "function () { return this.length; }",
  });
  // Objects that the inspector holds would never be collected.
  await cdp.send("Runtime.releaseObjectGroup", group);
  return Number(length.value);
}
