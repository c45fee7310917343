import type { CDPSession, Page } from "@playwright/test";

import journeys from "../playwright.config";

const { launchOptions } = journeys.use ?? {};

/**
 * For `test.use`. What V8 compiles of functions that are used often counts as heap, and grows for as long as anybody looks
 * on (a heap snapshot shows nothing else growing): interpreted code leaves room for what a screen leaves behind.
 */
export const INTERPRETED = {
  launchOptions: {
    ...launchOptions,
    args: [...(launchOptions?.args ?? []), "--js-flags=--no-sparkplug --no-maglev --no-turbofan"],
  },
};

/** What a page holds after the garbage is gone. */
export interface Memory {
  /** Bytes. */
  readonly heap: number;
  /** Nodes of all documents, also those that only a script still holds. */
  readonly nodes: number;
  readonly listeners: number;
  /** Abort controllers: one for each request, and for each change of the screen. */
  readonly controllers: number;
}

/** Chromium's own counts of a page; open it once for each. */
export async function openMemory(page: Page): Promise<{ read(): Promise<Memory>; cdp: CDPSession }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable");
  await cdp.send("HeapProfiler.enable");
  return {
    cdp,
    async read() {
      // The second time finds what the finalizers of the first let go.
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
  // What the inspector was told of would stay for its sake.
  await cdp.send("Runtime.releaseObjectGroup", group);
  return Number(length.value);
}
