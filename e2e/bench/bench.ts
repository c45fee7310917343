import { test as base, type Page } from "@playwright/test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { planGroups } from "../../server/commands/seed/scale-plan";
import { address } from "../api";
import { param } from "../records";

export { expect } from "@playwright/test";

const { uids } = planGroups({ groups: 20_000, depth: 10, identities: 0, bindings: 0 });
const [root = "", deepest = "", wide = ""] = [uids[0], uids[9], uids[10]];
/** uids of the seeded organization, its deepest group, and the group with 10,000 children, as in addresses. */
export const scale = { root, deepest: param(deepest), wide: param(wide), path: uids.slice(0, 10) };

interface Bench {
  /** Signed in as the owner of the seeded organization. */
  readonly owner: Page;
  /** Opens a path and waits until the list with this name has rows. */
  readonly openList: (path: string, name: string) => Promise<void>;
}

export const bench = base.extend<Bench>({
  owner: async ({ page }, use) => {
    await page.goto(address());
    await page.getByLabel("Email").fill("owner@demo.example");
    await page.getByLabel("Password").fill("platform-demo");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Your access" }).waitFor();
    await use(page);
  },
  openList: async ({ owner }, use) => {
    await use(async (path, name) => {
      await owner.goto(address(path));
      await owner.getByRole("table", { name }).locator("[data-row-key]").first().waitFor();
    });
  },
});

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
};

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
export const count = (value: number): string => Math.round(value).toLocaleString("en");
export const milliseconds = (value: number): string => `${Math.round(value)} ms`;

export interface Asked {
  readonly url: string;
  /** ms since the page began to load. */
  readonly startTime: number;
  readonly responseEnd: number;
}

/** The longest chain of requests that each began after the previous one ended: a lower bound for dependent requests. */
export function rounds(asked: readonly Asked[]): number {
  const chain = new Map<Asked, number>();
  for (const request of asked.toSorted((one, other) => one.startTime - other.startTime)) {
    const before = [...chain].filter(([earlier]) => earlier.responseEnd <= request.startTime);
    chain.set(request, 1 + Math.max(0, ...before.map(([, round]) => round)));
  }
  return Math.max(0, ...chain.values());
}

/** Prints a Markdown table, and writes it to `<marker>.md` in BENCH_OUTPUT. */
export async function report(marker: string, head: readonly string[], rows: readonly (readonly string[])[]) {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const rule = head.map((_, column) => (column === 0 ? "---" : "---:"));
  const text = [line(head), line(rule), ...rows.map(line), ""].join("\n");
  process.stdout.write(`\n${text}`);
  const directory = process.env["BENCH_OUTPUT"];
  if (directory === undefined) return;
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, `${marker}.md`), text);
}

/** Watches for tasks longer than 50 ms (Long Tasks API) from now on; the result returns the longest so far, in ms. */
export async function watchTasks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const seen = { longest: 0 };
    Object.assign(window, { longTasks: seen });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration);
    }).observe({ type: "longtask" });
  });
  return () =>
    page.evaluate(() => (window as unknown as { longTasks: { longest: number } }).longTasks.longest);
}
