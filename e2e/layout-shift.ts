import { expect, type Page, type Route } from "@playwright/test";

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

/** Holds back the fonts of a page from `hold` to `release`, which returns how many there were. */
export async function holdFonts(page: Page): Promise<{ hold: () => void; release: () => Promise<number> }> {
  let held: Route[] | undefined;
  await page.route(/\.woff2$/, (route) => (held ? void held.push(route) : route.continue()));
  return {
    hold() {
      held = [];
    },
    async release() {
      const waiting = held ?? [];
      held = undefined;
      await Promise.all(waiting.map((route) => route.continue()));
      return waiting.length;
    },
  };
}

/** In the page: the top and the height of each element with text, above the end of the window, by its text. */
const linesOf = () =>
  [...document.querySelectorAll<HTMLElement>("body *")]
    .filter((element) =>
      [...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim()),
    )
    .map((element) => ({ element, box: element.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 1 && box.height > 1 && box.top < innerHeight)
    .map(({ element, box }) => ({
      what: `${element.tagName} "${element.textContent.slice(0, 60)}"`,
      top: Math.round(box.top),
      height: Math.round(box.height),
    }));

/** Px by which a line can be off without being another line. */
const ROUNDING_PX = 3;

/** The lines of a page that only its fonts can still move. */
async function settledLines(page: Page): Promise<ReturnType<typeof linesOf>> {
  let lines: ReturnType<typeof linesOf> = [];
  let last = "";
  let equal = 0;
  await expect
    .poll(
      async () => {
        lines = await page.evaluate(linesOf);
        // Not the texts: some tell the time.
        const now = lines.map(({ top, height }) => `${top}+${height}`).join();
        equal = now === last ? equal + 1 : 0;
        last = now;
        return equal;
      },
      { intervals: [200], timeout: 30_000 },
    )
    .toBeGreaterThan(2);
  return lines;
}

/** Asserts, softly, that no text of a settled page moves up or down when the fonts come. */
export async function keepsItsLines(page: Page, path: string, release: () => Promise<number>): Promise<void> {
  const before = await settledLines(page);
  expect.soft(await release(), `${path}: fonts that came late`).toBeGreaterThan(0);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  const after = await settledLines(page);
  const moved = before.flatMap((line, index) => {
    const now = after[index];
    // A time can have gone on, or a part have come: only what is the same is compared.
    if (now?.what !== line.what) return [];
    const isOff = [now.top - line.top, now.height - line.height].some((by) => Math.abs(by) > ROUNDING_PX);
    return isOff ? [`${line.what} ${line.top}+${line.height} → ${now.top}+${now.height}`] : [];
  });
  expect.soft(moved.slice(0, 3), path).toEqual([]);
}
