import { expect, test, type Page } from "@playwright/test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

declare global {
  interface Window {
    longest: number;
  }
}

const address = (path: string): string => new URL(path, process.env["BASE_URL"]).href;

async function signIn(page: Page): Promise<void> {
  await page.goto(address(""));
  await page.getByLabel("Email").fill(process.env["ADMIN_EMAIL"] ?? "owner@demo.example");
  await page.getByLabel("Password").fill(process.env["ADMIN_PASSWORD"] ?? "platform-demo");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
}

/** What is measured: few rows match, as with a name; every row does, which is the most that the table can be given. */
const FILTERS = [
  { what: "a part of a name, a few match", search: "contains=00042" },
  { what: "a part of every name, all match", search: "contains=ci-" },
] as const;

const rows: string[] = [];

for (const { what, search } of FILTERS)
  test(`a scan of all identities: ${what}`, async ({ page }) => {
    test.setTimeout(300_000);
    await signIn(page);
    // Long tasks are those of 50 ms and more (W3C Long Tasks API).
    await page.addInitScript(() => {
      window.longest = 0;
      new PerformanceObserver((list) => {
        // The page's own start is measured elsewhere.
        if (!document.querySelector("progress")) return;
        for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
      }).observe({ type: "longtask", buffered: false });
    });
    const pages: number[] = [];
    page.on("response", (response) => {
      if (/\/identities\?.*page_size=200/.test(response.url())) pages.push(Date.now());
    });
    await page.goto(address(`identities?${search}`));
    const line = page.getByRole("group", { name: "Search of identities" });
    await expect(line).toHaveText(/^[\d,]+ of [\d,]+ identities$/, { timeout: 280_000 });
    const [found = "", read = ""] = (await line.innerText()).match(/[\d,]+/g) ?? [];
    const count = Number(read.replaceAll(",", ""));
    const seconds = ((pages.at(-1) ?? 0) - (pages[0] ?? 0)) / 1000;
    // The first page is what the time is counted from.
    const rate = Math.round((count - 200) / seconds);
    const longest = Math.round(await page.evaluate(() => window.longest));
    const task = longest === 0 ? "below 50 ms" : `${longest} ms`;
    rows.push(
      `| ${what} | ${found} | ${read} | ${seconds.toFixed(1)} s | ${rate.toLocaleString("en")} | ${task} |`,
    );
  });

test.afterAll(() => {
  const table = [
    "| scan of identities | found | read | time | rows a second | longest task |",
    "| --- | ---: | ---: | ---: | ---: | ---: |",
    ...rows,
  ].join("\n");
  process.stdout.write(`\n${table}\n`);
  const output = process.env["BENCH_OUTPUT"];
  if (output === undefined) return;
  mkdirSync(output, { recursive: true });
  writeFileSync(join(output, "scan.md"), `${table}\n`);
});
