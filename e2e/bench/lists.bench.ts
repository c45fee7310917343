import type { Page } from "@playwright/test";

import { openMemory } from "../memory";
import { bench, count, expect, megabytes, milliseconds, report, scale, watchTasks } from "./bench";

/** Jumps to a row by its number from 1 and waits for it: ms, measured in the page. */
async function jump(page: Page, row: number): Promise<number> {
  await page.getByLabel("Jump to row").fill(String(row));
  return page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const began = performance.now();
        const look = () =>
          document.querySelector(`[data-row-key][aria-rowindex="${wanted + 1}"]`)
            ? resolve(performance.now() - began)
            : requestAnimationFrame(look);
        const field = document.activeElement as HTMLInputElement;
        field.form?.requestSubmit();
        look();
      }),
    row,
  );
}

const elements = (page: Page): Promise<number> => page.evaluate(() => document.querySelectorAll("*").length);

/** Scrolls like a wheel, three rows per frame, through `rows` rows. */
async function glide(page: Page, rows: number): Promise<void> {
  await page.getByRole("table").evaluate(
    (table, until) =>
      new Promise<void>((resolve) => {
        const end = table.scrollTop + until * 40;
        const step = () => {
          const drawn = table.querySelectorAll("[data-row-key]").length > 10;
          // Wait until the rows are drawn, so that every page on the way is fetched.
          if (drawn) table.scrollTop += 120;
          if (table.scrollTop >= end) resolve();
          else requestAnimationFrame(step);
        };
        step();
      }),
    rows,
  );
}

bench("a list of 100,000", async ({ owner: page, openList }) => {
  await openList(`identities?group=${scale.root}`, "Identities");
  const memory = await openMemory(page);
  const range = await page.getByText(/ of [\d,]+$/).textContent();
  const last = Number(range?.replace(/.* of /, "").replaceAll(",", ""));
  const rows: string[][] = [];
  for (const row of [1, 1000, 50_000, last]) {
    const took = await jump(page, row);
    const { heap } = await memory.read();
    rows.push([
      `row ${count(row)}, by its number`,
      count(await elements(page)),
      megabytes(heap),
      milliseconds(took),
      "",
    ]);
  }
  const table = page.getByRole("table", { name: "Identities" });
  await table.focus();
  await page.keyboard.press("Home");
  await expect(page.getByText(/^1–/)).toBeVisible();
  await page.keyboard.press("End");
  await expect(table.locator(`[aria-rowindex="${last + 1}"]`)).toBeVisible();
  rows.push(["the last row, by the End key", count(await elements(page)), "", "", ""]);

  await jump(page, 1);
  const longest = await watchTasks(page);
  for (const until of [1000, 2500, 5000]) {
    const before = await page.getByRole("table").evaluate((element) => element.scrollTop / 40);
    await glide(page, until - before);
    const { heap } = await memory.read();
    const task = await longest();
    rows.push([
      `scrolled through ${count(until)} rows`,
      count(await elements(page)),
      megabytes(heap),
      "",
      milliseconds(task),
    ]);
  }
  await report("lists", ["at", "elements", "heap", "until it is there", "longest task so far"], rows);
});
