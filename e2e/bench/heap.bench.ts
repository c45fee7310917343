import { address } from "../api";
import { INTERPRETED, openMemory } from "../memory";
import { SCREENS, tour } from "../tour";
import { bench, count, megabytes, report, scale } from "./bench";

const CHANGES = 500;
const WARM_UP = 5;

bench.use(INTERPRETED);

bench(`${CHANGES} screen changes`, async ({ owner: page }) => {
  await page.goto(address(`?group=${scale.root}`));
  const memory = await openMemory(page);
  const names: string[] = [];
  for (const list of ["Groups", "Identities"]) {
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: list }).click();
    const first = page.getByRole("table", { name: list }).locator("[data-row-key] a").first();
    names.push((await first.textContent()) ?? "");
  }
  const [group = "", identity = ""] = names;
  const rows: string[][] = [];
  for (let round = 0; round <= Math.ceil(CHANGES / SCREENS / 10) * 10 + WARM_UP; round += 1) {
    if (round >= WARM_UP && (round - WARM_UP) % 10 === 0) {
      const { heap, nodes, listeners } = await memory.read();
      rows.push([count((round - WARM_UP) * SCREENS), megabytes(heap), count(nodes), count(listeners)]);
    }
    await tour(page, group, identity);
  }
  await report("heap", ["screen changes after the first 50", "heap", "nodes", "listeners"], rows);
});
