import { expect, type Page } from "@playwright/test";

interface Source {
  readonly node: Node | null;
  readonly previousRect: DOMRectReadOnly;
  readonly currentRect: DOMRectReadOnly;
}

/** Returns the cumulative layout shift since the page loaded, and what moved. */
const shiftOf = () =>
  new Promise<{ score: number; moved: string[] }>((resolve) => {
    new PerformanceObserver((list) => {
      const shifts = list.getEntries() as (PerformanceEntry & {
        value: number;
        sources: readonly Source[];
      })[];
      const edges = ({ x, y, width, height }: DOMRectReadOnly) =>
        [x, y, width, height].map(Math.round).join();
      resolve({
        score: shifts.reduce((sum, { value }) => sum + value, 0),
        moved: shifts.flatMap(({ value, sources }) =>
          sources.map(
            ({ node, previousRect, currentRect }) =>
              `${value.toFixed(4)} ${node?.nodeName} "${node?.textContent?.slice(0, 60)}" ${edges(previousRect)} → ${edges(currentRect)}`,
          ),
        ),
      });
    }).observe({ type: "layout-shift", buffered: true });
    // The observer reports nothing if nothing moved.
    setTimeout(() => resolve({ score: 0, moved: [] }), 200);
  });

/** Asserts, softly, that the page did not move while it loaded; `what` names it. */
export async function staysPut(page: Page, what: string): Promise<void> {
  await page.waitForLoadState("networkidle");
  const { score, moved } = await page.evaluate(shiftOf);
  expect.soft(score, `${what}:\n${moved.join("\n")}`).toBeLessThan(0.02);
}
