import { by } from "platform-contract/order";
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";

import type { ResolvedReport } from "platform-contract/advisory/resolved-reports";
import type { Repo } from "platform-contract/registry/repos";
import type { Tag } from "platform-contract/registry/tags";

import { connect, type Api } from "../api";
import { bind } from "../bindings";
import { signInToDemo } from "../demo";
import { expect, ownService, test as base } from "../faulty";
import { hasNoFinding } from "../lists";
import { param } from "../records";
import { allTags, createRepo } from "../tags";

interface Viewer {
  readonly page: Page;
  readonly api: Api;
  readonly open: (path: string) => Promise<void>;
  readonly python: Repo;
}

/** A user who reads the demo organization, whose images have packages and a history. */
const test = base.extend<{ readonly viewer: Viewer }>({
  viewer: async ({ page, context, proxied: { proxy, direct } }, use) => {
    const at = `${proxy.url}/`;
    await signInToDemo(page, at, "viewer");
    const api = await connect(context.request, at, { direct });
    const { repos } = await api.get<{ repos: [Repo] }>("/registry/v2/repos?name=python");
    const open = async (path: string) => void (await page.goto(new URL(path, at).href));
    await use({ page, api, open, python: repos[0] });
  },
});
test.use({ serviceVariables: { SEED: "demo" } });
// Run in one worker, so that the demo is seeded once.
test.describe.configure({ mode: "default" });

const DAY = 86_400_000;
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** A CVE counts once, however many advisories of packages and architectures have it. */
const distinct = (some: NonNullable<ResolvedReport["resolvedVulns"]>): number =>
  new Set(some.map(({ id, aliases = [] }) => aliases.filter((one) => one.startsWith("CVE-")).join() || id))
    .size;

/** Day and number of vulnerabilities resolved in the last days according to the service, newest first. */
async function answered(api: Api, imageRef: string, days: number): Promise<[string, number][]> {
  const query = new URLSearchParams({
    imageRefs: imageRef,
    startTime: `${dayOf(Date.now() - (days - 1) * DAY)}T00:00:00Z`,
    endTime: `${dayOf(Date.now())}T23:59:59Z`,
  });
  const path = `/advisory/v2/images/resolvedVulns?${query}`;
  const { resolvedVulnsReports = [] } = await api.get<{ resolvedVulnsReports?: ResolvedReport[] }>(path);
  return resolvedVulnsReports
    .map(({ date, resolvedVulns = [] }): [string, number] => [date.slice(0, 10), distinct(resolvedVulns)])
    .toReversed();
}

/** The same from the table on screen, whose first row is the total. */
const shown = (page: Page) =>
  page
    .getByRole("region", { name: "Resolved by day" })
    .locator("tbody tr")
    .evaluateAll((rows) =>
      rows.slice(1).map((row) => {
        const [day, ...numbers] = [...row.children].map((cell) => cell.textContent ?? "");
        return [new Date(`${day} UTC`).toISOString().slice(0, 10), Number(numbers.at(-1))];
      }),
    );

test(
  "a report has the figures of the service for the images and days in the address, on screen and as a file",
  ownService,
  async ({ viewer: { page, api, open, python } }) => {
    await open("reports");
    await expect(page.getByRole("heading", { name: "Choose an image" })).toBeVisible();
    const add = page.getByRole("searchbox", { name: "Add image" });
    await add.fill("python");
    await add.press("Enter");
    const [quarter, year] = [await answered(api, python.uid, 90), await answered(api, python.uid, 365)];
    expect(year.length).toBeGreaterThan(quarter.length);
    await expect.poll(() => shown(page)).toEqual(quarter);
    await page.getByLabel("Range").selectOption("last 365 days");
    await expect.poll(() => shown(page)).toEqual(year);
    await expect(page).toHaveURL(new RegExp(`images=${param(python)}&days=365`));
    await expect(page.locator(".recharts-bar-rectangle :is(path, rect)").first()).toBeVisible();
    await hasNoFinding(page, "main");

    const [file] = await Promise.all([
      page.waitForEvent("download"),
      (async () => {
        await page.getByRole("button", { name: "Export this report" }).click();
        await page.getByRole("menuitem", { name: "Export figures by day as CSV" }).click();
      })(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^resolved-by-day-365-days-.*\.csv$/);
    const [, ...lines] = (await readFile(await file.path(), "utf8")).trimEnd().split("\r\n");
    const cells = lines.map((line) => line.split(","));
    expect(cells.slice(0, -1).map((line) => [line[0], Number(line.at(-1))])).toEqual(year);
    expect(cells.at(-1)?.[0]).toBe("All days (each vulnerability once)");

    await page.reload();
    await expect.poll(() => shown(page)).toEqual(year);
    await page.goBack();
    await expect.poll(() => shown(page)).toEqual(quarter);
    const tags = page.getByRole("group", { name: "python" }).getByLabel("Tags", { exact: true });
    await tags.fill("3.14-dev, none-such");
    await tags.press("Enter");
    await expect(page.getByText("python:none-such. The report counts them only")).toBeVisible();
    await expect.poll(() => shown(page)).toEqual(await answered(api, `${python.uid}:3.14-dev,none-such`, 90));
    await open(`reports?images=${param(python)}&days=367`);
    await expect(page.getByRole("alert")).toHaveText(/up to 366 days/);
  },
);

test(
  "the home page counts what every tag that moved resolved, whichever repo was updated last",
  ownService,
  async ({ viewer: { page, api, open } }) => {
    const since = new Date(Date.now() - 29 * DAY).toISOString().slice(0, 10);
    const query = new URLSearchParams({
      name: "latest",
      updatedSince: `${since}T00:00:00Z`,
      order_by: "updated_at desc",
      page_size: "20",
    });
    const moved = await api.get<{ tags: Tag[]; totalCount: string }>(`/registry/v2/tags?${query}`);
    expect(moved.tags).toHaveLength(Number(moved.totalCount));
    const refs = new URLSearchParams(
      moved.tags.map(({ uid }) => ["imageRefs", uid.split("/").slice(0, -1).join("/")]),
    );
    const { resolvedVulnsReports = [] } = await api.get<{ resolvedVulnsReports?: ResolvedReport[] }>(
      `/advisory/v2/images/resolvedVulns?${refs}&startTime=${since}T00:00:00Z&endTime=${dayOf(Date.now())}T23:59:59Z`,
    );
    const resolved = distinct(resolvedVulnsReports.flatMap(({ resolvedVulns = [] }) => resolvedVulns));
    await open("");
    const section = page.getByRole("region", { name: "Resolved vulnerabilities" });
    await expect(section.getByRole("link", { name: `${resolved} vulnerabilities resolved` })).toBeVisible();
    await expect(section).toContainText(`in the ${moved.totalCount} latest tags that moved`);
  },
);

test(
  "the page of a tag says what was resolved in it and which packages are known, and a comparison what was in between @long",
  ownService,
  async ({ viewer: { page, api, open, python } }) => {
    const tags = await allTags(api, python.uid);
    const latest = tags.find(({ name }) => name === "latest")!;
    const days = await answered(api, `${python.uid}:latest`, 365);
    const count = days.reduce((sum, [, resolved]) => sum + resolved, 0);
    await open(`tags/${param(latest)}`);
    await page.getByRole("link", { name: "Vulnerabilities", exact: true }).click();
    await expect(page.getByRole("heading", { name: `Fixed ${count}` })).toBeVisible();
    const fixed = page.getByRole("region", { name: "Fixed in this tag" }).getByRole("row");
    await expect(fixed).toHaveCount(count + 1);
    await expect(fixed.filter({ hasText: "openssl" }).first()).toBeVisible();
    const installed = page.getByRole("region", { name: "In this image", exact: true });
    await expect(installed.getByRole("rowheader", { name: /^libssl3 / }).first()).toBeVisible();
    await hasNoFinding(page, "main");
    // Scanners report the package; the advisories name what it is built from.
    await open("affected?ask=libssl3");
    await expect(page.getByRole("status").filter({ hasText: "is built from" })).toContainText(
      "libssl3 is built from openssl, which advisories name.",
    );
    await expect(page.getByRole("heading", { name: /^Tags with libssl3 \d/ })).toBeVisible();
    await page.goBack();
    await page.reload();
    await expect(page.getByRole("heading", { name: `Fixed ${count}` })).toBeVisible();
    // No other request of this tab loads the repo's name; its folder has the same name.
    const path = page.getByRole("navigation", { name: "Breadcrumb" });
    await expect(path.getByRole("link", { name: "python", exact: true })).toHaveCount(2);

    const older = tags
      .filter(({ name }) => /^3\.14\.\d+$/.test(name))
      .toSorted(
        by(
          ({ updateTime = "" }) => updateTime,
          ({ name }) => name,
        ),
      )[0]!;
    await open(`tags/compare?a=${param(older)}&b=${param(latest)}`);
    const between = page.getByRole("region", { name: "Fixed between the tags" }).getByRole("row");
    const same = tags.filter(({ digest }) => digest === latest.digest).map(({ name }) => name);
    const [after = "", until = ""] = [older, latest].map(({ updateTime }) => updateTime?.slice(0, 10));
    const expected = (await answered(api, `${python.uid}:${same.join(",")}`, 365))
      .filter(([day]) => day > after && day <= until)
      .reduce((sum, [, resolved]) => sum + resolved, 0);
    expect(expected).toBeGreaterThan(0);
    await expect(between).toHaveCount(expected + 1);
    await open(`tags/compare?a=${param(latest)}&b=${param(latest)}`);
    await expect(page.getByText("Both tags point to the same image.")).toBeVisible();
  },
);

base(
  "a report is refused with the capability that is missing @long",
  async ({ person, signUp, problems }) => {
    // The console may request the report before it knows the user's capabilities.
    problems.allow(/status of 400 .*resolvedVulns/);
    const { api, organization } = person;
    const repo = await createRepo(api, organization.uid);
    const reader = await signUp();
    await bind(api, organization, reader, [
      "CAP_REPO_LIST",
      "CAP_TAG_LIST",
      "CAP_MANIFEST_METADATA_LIST",
      "CAP_IAM_GROUPS_LIST",
      "CAP_IAM_ROLES_LIST",
      "CAP_IAM_ROLE_BINDINGS_LIST",
    ]);
    await reader.open(`reports?images=${param(repo)}`);
    await expect(reader.page.getByRole("heading", { name: "Hidden by your role" })).toBeVisible();
    await expect(reader.page.getByText("You need permission to view APK packages (apk.list)")).toBeVisible();
  },
);
