import { address } from "../api";
import { param } from "../records";
import { bench, count, expect, milliseconds, report, rounds, scale, watchTasks } from "./bench";

const DEPTH = 5;
/** In the middle by name, so that no first page contains it. */
const SOUGHT = "ci-054321";

bench("who has access, and the search of identities", async ({ owner: page }) => {
  const rows: string[][] = [];

  await page.addInitScript(() => {
    const look = () => {
      if (document.querySelector("main section tbody tr")) performance.mark("first row");
      else requestAnimationFrame(look);
    };
    if (location.search.includes("tab=access")) requestAnimationFrame(look);
  });
  await page.goto(address(`groups/${param(scale.path[DEPTH - 1] ?? "")}?tab=access`));
  await page.waitForFunction(() => performance.getEntriesByName("first row").length > 0);
  const { asked, shown } = await page.evaluate(() => {
    const resources = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
    return {
      shown: performance.getEntriesByName("first row")[0]?.startTime ?? 0,
      asked: resources.map(({ name, startTime, responseEnd }) => ({ url: name, startTime, responseEnd })),
    };
  });
  const needed = asked.filter(({ url, responseEnd }) => /\/iam\/v2\//.test(url) && responseEnd <= shown);
  rows.push(
    ["requests to the API before the first row of a folder at depth 5", count(needed.length)],
    ["rounds of them, at most", count(rounds(needed))],
    [
      "from the first of them to the row on screen",
      milliseconds(shown - Math.min(...needed.map(({ startTime }) => startTime))),
    ],
  );

  const urls: string[] = [];
  page.on("request", (request) => {
    if (/\/iam\/v2\/identities\?/.test(request.url())) urls.push(request.url());
  });
  await page.goto(address(`role-bindings?group=${scale.root}&drawer=create`));
  const form = page.getByRole("dialog", { name: "Grant access" });
  const field = form.getByRole("searchbox", { name: "Find people and machines" });
  await field.waitFor();
  await page.evaluate(() => performance.clearResourceTimings());
  const longest = await watchTasks(page);
  const began = performance.now();
  await field.pressSequentially(SOUGHT, { delay: 80 });
  const typed = performance.now();
  await expect(form.getByRole("list", { name: "Matches" }).getByRole("button")).toHaveCount(1);
  const found = performance.now();
  await expect(form.getByText(/identities read so far/)).toBeVisible();
  rows.push(
    [`typing "${SOUGHT}", a letter every 80 ms`, milliseconds(typed - began)],
    ["from the last letter to the one match", milliseconds(found - typed)],
    ["requests for identities in all", count(urls.length)],
    ["of which were asked twice", count(urls.length - new Set(urls).size)],
    ["longest task meanwhile", milliseconds(await longest())],
  );
  const before = urls.length;
  await field.fill("");
  await field.pressSequentially(SOUGHT.slice(0, -1), { delay: 80 });
  await expect(form.getByText(/identities read so far/)).toBeVisible();
  rows.push([
    "further pages read for another word",
    count(urls.slice(before).filter((url) => !url.includes("name=")).length),
  ]);
  await report("access", ["who has access, of 200,000 role bindings", ""], rows);
});
