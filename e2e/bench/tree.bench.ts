import { address } from "../api";
import { openMemory } from "../memory";
import { bench, count, expect, megabytes, milliseconds, report, rounds, scale, watchTasks } from "./bench";

bench("the tree", async ({ owner: page }) => {
  const rows: string[][] = [];
  const tree = page.getByRole("tree", { name: "Groups" });

  // Load the page of the deepest group, whose name is not cached yet.
  await page.addInitScript(() => {
    const look = () => {
      const chosen = document.querySelector("[role=treeitem][aria-selected=true][aria-level='10']");
      if (chosen) performance.mark("deepest");
      else requestAnimationFrame(look);
    };
    if (location.search.includes("group=")) requestAnimationFrame(look);
  });
  await page.goto(address(`groups/${scale.deepest}?group=${scale.deepest}`));
  await expect(tree.locator("[aria-selected=true]")).toHaveAttribute("aria-level", "10");
  await page.waitForFunction(() => performance.getEntriesByName("deepest").length > 0);
  const { asked, shown } = await page.evaluate(() => {
    const resources = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
    return {
      shown: performance.getEntriesByName("deepest")[0]?.startTime ?? 0,
      asked: resources.map(({ name, startTime, responseEnd }) => ({ url: name, startTime, responseEnd })),
    };
  });
  const needed = asked.filter(({ url, startTime }) => /\/iam\/v2\/groups\?/.test(url) && startTime < shown);
  rows.push(
    ["requests for the way down to level 10", count(needed.length)],
    ["rounds of them, at most", count(rounds(needed))],
    [
      "from the first of them to the row on screen",
      milliseconds(shown - Math.min(...needed.map((each) => each.startTime))),
    ],
    ["from the load of the page to the row on screen", milliseconds(shown)],
  );

  // Scrolls through all ten thousand siblings: each page is fetched as it comes into view.
  await page.goto(address(`?group=${scale.wide}`));
  const wide = tree.locator("[aria-selected=true]");
  await wide.focus();
  await page.keyboard.press("ArrowRight");
  await expect(wide).toHaveAttribute("aria-expanded", "true");
  const memory = await openMemory(page);
  const before = await memory.read();
  const longest = await watchTasks(page);
  await page.evaluate(() => performance.clearResourceTimings());
  const began = Date.now();
  let steps = 0;
  const last = tree.locator("[aria-level='3'][aria-posinset='10000']");
  for (; !(await last.isVisible()); steps += 1)
    await tree.evaluate(
      (element) =>
        new Promise<void>((resolve) => {
          // Only rows below the wide group: groups above it are open too, and can push it out of view when they load.
          const top = (row: Element | null) => row?.getBoundingClientRect().top ?? 0;
          const wide = element.querySelector("[aria-selected=true]");
          const inside = [...element.querySelectorAll("[aria-level='3']")].filter(
            (row) => top(row) > top(wide),
          );
          (inside.at(-1) ?? wide)?.scrollIntoView({ block: "start" });
          requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
        }),
    );
  rows.push([
    "10,000 siblings scrolled through, a page of 100 at a time",
    `${Math.round((Date.now() - began) / 1000)} s`,
  ]);
  const waited = await page.evaluate(() => {
    const asked = performance.getEntriesByType("resource").filter(({ name }) => name.includes("page_token="));
    return asked.reduce((sum, { duration }) => sum + duration, 0);
  });
  rows.push(
    ["of which requests were on their way", `${(waited / 1000).toFixed(1)} s`],
    ["steps of one window, two frames each at least", count(steps)],
  );
  rows.push(["longest task meanwhile", milliseconds(await longest())]);
  const after = await memory.read();
  rows.push(
    ["rows of the tree in the document then", count(await tree.getByRole("treeitem").count())],
    ["elements in the document", count(await page.evaluate(() => document.querySelectorAll("*").length))],
    ["heap that they take", megabytes(after.heap - before.heap)],
  );
  const keys = await page.evaluate(async () => {
    const press = (key: string) =>
      new Promise<number>((resolve) => {
        const start = performance.now();
        const target = document.activeElement as HTMLElement;
        target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
      });
    const took: Record<string, number> = {};
    for (const key of ["Home", "End", "ArrowUp", "ArrowDown", "z"]) took[key] = await press(key);
    return took;
  });
  for (const [key, took] of Object.entries(keys))
    rows.push([
      `${key === "z" ? "a letter that no name begins with" : key}, until painted`,
      milliseconds(took),
    ]);
  await report("tree", ["the tree", ""], rows);
});
