import { bench, count, expect, milliseconds, report, scale, watchTasks } from "./bench";

/** A search where few rows match, as for a name, and one where every row does, the most a table can receive. */
const FILTERS = [
  { what: "a part of a name", contains: "00042" },
  { what: "a part of every name", contains: "ci-" },
];

bench("scans of 100,000 identities", async ({ owner: page, openList }) => {
  const pages: number[] = [];
  page.on("response", (response) => {
    if (/\/identities\?.*page_size=200/.test(response.url())) pages.push(performance.now());
  });
  const rows: string[][] = [];
  for (const { what, contains } of FILTERS) {
    await openList(`identities?group=${scale.root}`, "Identities");
    const longest = await watchTasks(page);
    pages.splice(0);
    const field = page.getByRole("searchbox", { name: "Search identities" });
    await field.fill(contains);
    await field.press("Enter");
    const line = page.getByRole("group", { name: "Search of identities" });
    await expect(line).toHaveText(/^[\d,]+ of [\d,]+ identities$/, { timeout: 300_000 });
    const [found = "", read = ""] = (await line.innerText()).match(/[\d,]+/g) ?? [];
    // Measured from the first page.
    const seconds = ((pages.at(-1) ?? 0) - (pages[0] ?? 0)) / 1000;
    const rate = (Number(read.replaceAll(",", "")) - 200) / seconds;
    const task = await longest();
    rows.push([
      what,
      found,
      read,
      `${seconds.toFixed(1)} s`,
      count(rate),
      task === 0 ? "below 50 ms" : milliseconds(task),
    ]);
  }
  await report("scan", ["looked for", "found", "read", "time", "rows a second", "longest task"], rows);
});
