import type { Locator, Page } from "@playwright/test";

import { address } from "../api";
import { bench, expect, median, milliseconds, report, scale } from "./bench";

const TIMES = 15;

/** Installs `window.tookUntil(table)`: ms from the last click to a painted row of that list. */
async function watchClicks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    let clicked = 0;
    addEventListener("click", () => (clicked = performance.now()), { capture: true });
    const painted = () =>
      new Promise<number>((resolve) =>
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.addEventListener("message", () => resolve(performance.now() - clicked));
          port1.start();
          port2.postMessage(undefined);
        }),
      );
    const there = (name: string, below: string) =>
      document.querySelector(
        `[role=table][aria-label="${name}"] [role=rowgroup]:not([data-stale]) > [data-row-key${below && `^="${below}"`}]`,
      );
    Object.assign(window, {
      tookUntil: (name: string, below: string) =>
        new Promise<number>((resolve) => {
          const begin = clicked;
          // The click comes after this call.
          const observer = new MutationObserver(() => {
            if (clicked === begin || !there(name, below)) return;
            observer.disconnect();
            void painted().then(resolve);
          });
          observer.observe(document, { subtree: true, childList: true, attributes: true });
        }),
    });
  });
}

/** ms from a click on `link` until the list `name` has rows whose uids begin with `below`. */
async function time(page: Page, link: Locator, name: string, below = ""): Promise<number> {
  const took = page.evaluate(
    ([table = "", uid = ""]) =>
      (window as unknown as { tookUntil(name: string, below: string): Promise<number> }).tookUntil(
        table,
        uid,
      ),
    [name, below],
  );
  await link.click();
  return took;
}

bench("click to rows", async ({ owner: page }) => {
  await watchClicks(page);
  const rows: string[][] = [];
  const cdp = await page.context().newCDPSession(page);
  const main = page.getByRole("navigation", { name: "Main" });
  const link = (name: string) => main.getByRole("link", { name });
  const tree = page.getByRole("tree", { name: "Groups" });
  for (const rate of [1, 4]) {
    await cdp.send("Emulation.setCPUThrottlingRate", { rate: 1 });
    await page.goto(address(`identities?group=${scale.root}`));
    await expect(page.getByRole("table", { name: "Identities" })).toBeVisible();
    await link("Groups").click();
    await expect(page.getByRole("table", { name: "Groups" })).toBeVisible();
    await cdp.send("Emulation.setCPUThrottlingRate", { rate });
    const visited: number[] = [];
    for (let turn = 0; turn < TIMES; turn += 1) {
      visited.push(await time(page, link("Identities"), "Identities"));
      visited.push(await time(page, link("Groups"), "Groups"));
    }
    // Each folder has its own list, and none has been visited since the page loaded.
    const unvisited: number[] = [];
    const folders = await tree
      .locator("[aria-level='2']")
      .evaluateAll((nodes) => nodes.map((node) => (node as HTMLElement).dataset["uid"] ?? ""));
    for (const uid of folders.slice(0, TIMES))
      unvisited.push(await time(page, tree.locator(`[data-uid="${uid}"]`), "Groups", uid));
    const words = rate === 1 ? "this machine" : `slowed ${rate} times`;
    for (const [what, values] of Object.entries({
      "a visited list": visited,
      "an unvisited list": unvisited,
    }))
      rows.push([
        `${what}, ${words}`,
        milliseconds(median(values)),
        milliseconds(Math.max(...values)),
        String(values.length),
      ]);
  }
  await report("clicks", ["click to rows of", "median", "longest", "clicks"], rows);
});
