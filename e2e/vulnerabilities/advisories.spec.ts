import type { Page } from "@playwright/test";

import type { ResolvedReport } from "platform-contract/advisory/resolved-reports";
import type { Repo } from "platform-contract/registry/repos";
import type { Tag } from "platform-contract/registry/tags";
import type { VulnerabilityMetadata as Known } from "platform-contract/advisory/metadata";
import type { PackageTag } from "platform-contract/vulnerabilities/package-tags";
import type { Advisory } from "platform-contract/vulnerabilities/advisories";

import { connect, type Api } from "../api";
import { bind } from "../bindings";
import { signInToDemo } from "../demo";
import { expect, gate, ownService, test as base, type Faulty } from "../faulty";
import { hasNoFinding, openFilters } from "../lists";
import { param } from "../records";

/** A user of the demo. Only the demo has advisories: the API cannot create them. */
type Reader = Pick<Faulty, "page" | "api" | "open">;

const test = base.extend<{ readonly reader: Reader }>({
  reader: async ({ page, context, proxied: { proxy, direct } }, use) => {
    const at = `${proxy.url}/`;
    await signInToDemo(page, at, "viewer");
    const api = await connect(context.request, at, { direct });
    await use({ page, api, open: async (path) => void (await page.goto(new URL(path, at).href)) });
  },
});

test.use({ serviceVariables: { SEED: "demo" } });
// Run in one worker, so that the demo is seeded once.
test.describe.configure({ mode: "default" });

const LIST = "/vulnerabilities/v2/advisories";
const found = async (api: Api, query: string) =>
  (await api.get<{ advisories?: Advisory[] }>(`${LIST}?page_size=200&${query}`)).advisories ?? [];
const rows = (page: Page) => page.getByRole("table", { name: "Advisories" }).getByRole("row");
const cveOf = ({ aliases = [] }: Advisory): string => aliases.find((id) => id.startsWith("CVE-")) ?? "";

/** Asserts that the page shows what the API knows about every alias of the advisory. */
async function sameAsKnown(page: Page, api: Api, { aliases = [] }: Advisory): Promise<void> {
  const query = new URLSearchParams(aliases.map((id) => ["ids", id]));
  const answer = await api.get<{ vulnerabilityMetadata: Known[] }>(`/advisory/v2/metadata?${query}`);
  expect(answer.vulnerabilityMetadata.length).toBeGreaterThan(0);
  const region = page.getByRole("region", { name: "Vulnerability" });
  for (const { id, summary = "", details = "", references = [] } of answer.vulnerabilityMetadata) {
    await expect(region.getByRole("heading", { name: id })).toBeVisible();
    for (const text of [summary, details]) await expect(region).toContainText(text);
    const links = region.getByRole("list", { name: `References of ${id}` }).getByRole("link");
    await expect(links).toContainText(references.map(({ url = "" }) => url));
  }
}

test(
  "advisories are filtered, opened, and found again by Back and by a link",
  { tag: [gate.tag, ownService.tag] },
  async ({ reader }) => {
    test.slow();
    const { page, api, open } = reader;
    await open("advisories");
    const filters = await openFilters(page);
    await filters.getByLabel("Artifact").fill("openssl");
    await filters.getByLabel("Artifact").press("Enter");
    await filters.getByLabel("Newest event").selectOption("fixed");
    await page.keyboard.press("Escape");
    const all = await found(api, "artifactNames=openssl&latestEventType=EVENT_TYPE_FILTER_FIXED");
    await expect(page.getByText(`of ${all.length}`).first()).toBeVisible();
    await expect(rows(page).filter({ hasText: "Fixed in" }).first()).toContainText(
      /(Critical|High|Medium|Low) \d/,
    );
    await hasNoFinding(page, "main");
    const link = page.getByRole("table").getByRole("link").first();
    // A row leads with what people search for; the page is the advisory's own.
    const [shown = ""] = /^\S+?(?= \+|$)/.exec((await link.textContent()) ?? "") ?? [];
    await link.click();
    const heading = page.getByRole("heading", { name: /^[A-Z]+(-\w{4}){3}$/, level: 1 });
    await expect(heading).toBeVisible();
    const id = (await heading.textContent()) ?? "";
    expect(all.find(({ advisoryId }) => advisoryId === id)?.aliases).toContain(shown);
    await expect(page).toHaveTitle(new RegExp(`^${id}`));
    const history = page.getByRole("region", { name: /^History/ });
    await expect(history.getByRole("listitem").first()).toContainText(/Fixed in .*Current/);
    await history.getByText("Scanner findings").last().click();
    await expect(history.getByLabel("findings", { exact: true })).toContainText('"vulnerability": "CVE-');
    await page.getByText("What each metric means").first().click();
    await expect(page.getByRole("row", { name: /^Attack Vector / })).toBeVisible();
    await sameAsKnown(
      page,
      api,
      all.find(({ advisoryId }) => advisoryId === id)!,
    );
    await hasNoFinding(page, "main");
    await page.getByRole("link", { name: "All advisories of openssl" }).click();
    await expect(page.getByRole("heading", { name: "Advisories of openssl" })).toBeVisible();
    await hasNoFinding(page, "main");
    await page.goBack();
    await page.goBack();
    await expect(page.locator("[data-chip]").filter({ hasText: "Newest event: fixed" })).toBeVisible();
    await page.reload();
    await expect(page.getByText(`of ${all.length}`).first()).toBeVisible();

    const [{ advisoryId = "" }] = all as [Advisory];
    await open(`advisories?id=${advisoryId}&latest=nonsense&sevrity=high`);
    await expect(page.getByText("Ignored in this address: latest, sevrity")).toBeVisible();
    await expect(rows(page).filter({ hasText: advisoryId })).toHaveCount(1);
    await expect(page).not.toHaveURL(/nonsense|sevrity/);
    // Responses contain no score: the console computes it for each advisory.
    await open("advisories?severity=critical&artifact=openssl");
    await expect(page.getByText(/^\d+ of \d+ advisor(y|ies)$/).first()).toBeVisible();
    const severities = await rows(page)
      .getByText(/^(Critical|High|Medium|Low|None) /)
      .allTextContents();
    expect(severities.every((text) => text.startsWith("Critical"))).toBe(true);

    await open("advisories?artifact=openssl");
    const column = page.getByRole("columnheader", { name: "Severity" });
    await column.getByRole("button").click();
    await expect(column).toHaveAttribute("aria-sort", "descending");
    await expect(page).toHaveURL(/order=severity(\+|%20)desc/);
    const badges = rows(page).getByText(/^(Critical|High|Medium|Low|None) [\d.]+$/);
    const scores = async () => (await badges.allTextContents()).map((text) => Number(text.split(" ")[1]));
    const worst = async () => {
      const found = await scores();
      return found.length > 3 && found.every((score, place) => score <= (found[place - 1] ?? 10));
    };
    await expect.poll(worst).toBe(true);
    await column.getByRole("button").click();
    await expect(column).toHaveAttribute("aria-sort", "ascending");
    await expect.poll(worst).toBe(false);
    // A phone has no columns, and says the order in words.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: "Sort by Severity, least severe first" }).click();
    await page.getByRole("menuitem", { name: "Newest event, newest first" }).click();
    await expect(page).toHaveURL(/order=latest_event_time(\+|%20)desc/);
    await hasNoFinding(page, "main");
  },
);

test(
  "advisories that differ only by architecture are one row that leads to each",
  ownService,
  async ({ reader }) => {
    const { page, api, open } = reader;
    const all = await found(api, "order_by=updated_at desc");
    const at = all.findIndex(
      (one, index) => index > 0 && cveOf(one) !== "" && cveOf(one) === cveOf(all[index - 1]!),
    );
    const pair = all.slice(at - 1, at + 1);
    const [name, cve] = [pair[0]?.artifactName ?? "", cveOf(pair[0]!)];
    const architectures = pair.map(({ artifactArchitecture = "" }) => artifactArchitecture).toSorted();
    expect(new Set(architectures).size).toBe(2);
    const same = (await found(api, `artifactNames=${name}`)).length;
    await open(`advisories?artifact=${name}`);
    const row = rows(page).filter({ hasText: cve });
    await expect(row).toHaveCount(1);
    await expect(row).toContainText(`${name} ${architectures.join(", ")}`);
    // The records are counted, not the rows; a file has all of them.
    const table = page.getByRole("table", { name: "Advisories" });
    await expect(page.getByText(new RegExp(`of ${same} advisories, in \\d+ rows$`))).toBeVisible();
    expect(Number(await table.getAttribute("aria-rowcount")) - 1).toBeLessThan(same);
    await page.getByRole("button", { name: "More for this list" }).click();
    await page.getByRole("menuitem", { name: "Export CSV" }).click();
    await expect(page.getByRole("dialog")).toContainText(`with ${same} rows downloaded`);
    await page.keyboard.press("Escape");
    for (const one of pair) {
      await row.getByRole("link", { name: one.artifactArchitecture ?? "" }).click();
      await expect(page.getByRole("heading", { name: one.advisoryId ?? "", level: 1 })).toBeVisible();
      await page.goBack();
    }
    // On a phone the row's menu leads to them.
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(row).toContainText(`${name} ${architectures.join(", ")} · `);
    await row.getByRole("button", { name: /^Actions for / }).click();
    const [, second = ""] = architectures;
    await page.getByRole("menuitem", { name: `Advisory for ${second}` }).click();
    const other = pair.find((one) => one.artifactArchitecture === second);
    await expect(page.getByRole("heading", { name: other?.advisoryId ?? "", level: 1 })).toBeVisible();
  },
);

/** The repos that a fix of each advisory has reached, by advisory id, computed from the API's newest tags. */
async function reachedByFix(api: Api): Promise<Map<string, Set<string>>> {
  const { repos } = await api.get<{ repos: Repo[] }>("/registry/v2/repos?page_size=100");
  const time = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString();
  const reached = new Map<string, Set<string>>();
  for (const { uid, name } of repos) {
    const { tags = [] } = await api.get<{ tags?: Tag[] }>(
      `/registry/v2/tags?uidp.children_of=${uid}&order_by=updated_at+desc&page_size=20`,
    );
    if (tags.length === 0) continue;
    const query = new URLSearchParams({
      imageRefs: `${uid}:${tags.map((tag) => tag.name).join(",")}`,
      startTime: time(360),
      endTime: time(0),
    });
    const { resolvedVulnsReports = [] } = await api.get<{ resolvedVulnsReports?: ResolvedReport[] }>(
      `/advisory/v2/images/resolvedVulns?${query.toString()}`,
    );
    for (const { id } of resolvedVulnsReports.flatMap(({ resolvedVulns = [] }) => resolvedVulns))
      reached.set(id, (reached.get(id) ?? new Set()).add(name));
  }
  return reached;
}

test(
  "the answer to a CVE that was in three images is what the API knows, and its address keeps it",
  { tag: [gate.tag, ownService.tag] },
  async ({ reader }) => {
    test.slow();
    const { page, api, open } = reader;
    const reached = await reachedByFix(api);
    const [advisoryId = "", repos] = [...reached].find(([, names]) => names.size === 3) ?? [];
    const [advisory] = (await found(api, `advisoryIds=${advisoryId}`)) as [Advisory];
    const cve = cveOf(advisory);
    // From the overview: one paste, one key press.
    await open("");
    await page.getByLabel("CVE, package, image, or scanner output").fill(`  ${cve.toLowerCase()} `);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: `Are we affected by ${cve}?`, level: 1 })).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`affected\\?.*id=${cve}`));
    const told = await found(api, `aliases=${cve}`);
    const fixed = page.getByRole("region", { name: `Fixed ${told.length}` });
    for (const { artifactName = "", artifactArchitecture = "", events = [] } of told)
      await expect(
        fixed.getByRole("row", { name: `${artifactName} ${artifactArchitecture}`, exact: false }),
      ).toContainText(events.findLast((event) => event.fixed)?.fixed?.fixedVersion ?? "-");
    await page.getByRole("button", { name: "Find tags that received a fix" }).click();
    const images = page.getByRole("region", { name: "Fixed tags" });
    await expect(images.getByRole("status")).toContainText("in 3 repos", { timeout: 120_000 });
    const names = await images.getByRole("rowheader").allTextContents();
    expect(new Set(names)).toEqual(repos);
    await hasNoFinding(page, "main");
    await page.emulateMedia({ media: "print" });
    await expect(page.getByRole("navigation", { name: "Main" })).toBeHidden();
    await expect(fixed).toBeVisible();
    await page.emulateMedia({ media: "screen" });
    await page.reload();
    await expect(fixed).toBeVisible();
    // The organization's result also appears in its folders.
    await page.getByRole("treeitem", { name: "security", exact: true }).click();
    await expect(page.getByText(/^In security and its subfolders/)).toBeVisible();
    await expect(fixed).toBeVisible();
  },
);

test(
  "not affected says why as VEX does, open is not fixed, and unknown is not 'not affected' @long",
  ownService,
  async ({ reader }) => {
    const { page, api, open } = reader;
    const spared = await found(api, "latestEventType=EVENT_TYPE_FILTER_FALSE_POSITIVE_DETERMINATION");
    const [one] = spared as [Advisory];
    await open(`affected?id=${one.advisoryId}`);
    const region = page.getByRole("region", { name: /^Not affected/ });
    await expect(region.getByRole("row", { name: one.artifactName ?? "" }).first()).toContainText(
      /component_not|vulnerable_code/,
    );
    await expect(page.getByText(`Also known as ${one.aliases?.join(", ")}.`)).toBeVisible();
    const [open1] = (await found(api, "latestEventType=EVENT_TYPE_FILTER_TRUE_POSITIVE_DETERMINATION")) as [
      Advisory,
    ];
    await open(`affected?id=${cveOf(open1)}`);
    // "Affected" leads only where a tag holds an affected version.
    const { totalCount: affected } = await api.get<{ totalCount: string }>(
      `/image-packages/v1/tags?aliases=${cveOf(open1)}&verdict=VERSION_VERDICT_AFFECTED&page_size=1`,
    );
    await expect(
      page.getByRole("status").filter({
        hasText:
          Number(affected) > 0
            ? /[\d,]+ of [\d,]+ tags? affected/
            : /(?:Unknown|Not decided) for [\d,]+ of [\d,]+ tags?: |None known of [\d,]+ tags?: /,
      }),
    ).toBeVisible();
    await open("affected?id=CVE-1999-99999");
    await expect(
      page.getByRole("heading", { name: "No advisory here mentions CVE-1999-99999" }),
    ).toBeVisible();
    await expect(page.getByText(/doesn't mean you aren't affected/)).toBeVisible();
    await hasNoFinding(page, "main");
  },
);

test(
  "what a scanner wrote is answered line by line, with the tags that hold the package",
  ownService,
  async ({ reader }) => {
    const { page, api, open } = reader;
    const TAGS = "/image-packages/v1/tags";
    const open1 = (await found(api, "latestEventType=EVENT_TYPE_FILTER_TRUE_POSITIVE_DETERMINATION")).find(
      ({ artifactType, aliases }) => artifactType === "apk" && aliases?.some((id) => id.startsWith("CVE-")),
    ) as Advisory;
    const [cve, name] = [cveOf(open1), open1.artifactName ?? ""];
    const held = await api.get<{ packageTags?: PackageTag[]; totalCount: string }>(
      `${TAGS}?aliases=${cve}&verdict=VERSION_VERDICT_AFFECTED`,
    );
    const [{ name: tag = "", packages = [] }] = held.packageTags as [PackageTag];
    const version = packages.find(({ verdict }) => verdict === "VERSION_VERDICT_AFFECTED")?.version ?? "";
    await open("affected");
    const field = page.getByLabel("CVE, package, image, or scanner output");
    await field.fill(
      `NAME INSTALLED FIXED-IN TYPE VULNERABILITY SEVERITY\n${name} ${version} 99-r0 apk ${cve} Critical\nCVE-1999-99999\nleft-pad 1.0\nacme/nowhere:1`,
    );
    await field.press("Enter");
    const chips = page.getByRole("list", { name: "Found in your text" }).getByRole("listitem");
    await expect(chips).toHaveCount(4);
    const chip = (text: string) => chips.filter({ hasText: text });
    await expect(chip(`${cve} in ${name} ${version}`)).toContainText("Affected");
    await expect(chip("CVE-1999-99999")).toContainText("No advisory here");
    await expect(chip("left-pad 1.0")).toContainText("Unknown: no advisory here is about it");
    await expect(chip("acme/nowhere:1")).toContainText("Unknown");
    await hasNoFinding(page, "main");
    await chip(cve).getByRole("link").click();
    await expect(
      page.getByRole("heading", { name: `Is ${name} ${version} affected by ${cve}?`, level: 1 }),
    ).toBeVisible();
    await expect(page.getByText(`Yes, ${version} is affected: ${name}`)).toBeVisible();
    await expect(
      page.getByText("The scanner says it is fixed in 99-r0; the advisories here name"),
    ).toBeVisible();
    // Whoever sees all advisories isn't told that a role hides some.
    await expect(page.getByText(/role hides/)).toBeHidden();
    const tags = page.getByRole("region", { name: `Tags with any affected version ${held.totalCount}` });
    await expect(tags.getByRole("link", { name: tag, exact: true }).first()).toBeVisible();
    const { totalCount: unknown } = await api.get<{ totalCount: string }>(
      `${TAGS}?aliases=${cve}&verdict=VERSION_VERDICT_UNKNOWN&undecided=false&page_size=1`,
    );
    await expect(
      tags.getByText(`Packages not known: ${Number(unknown).toLocaleString("en")} tag`),
    ).toBeVisible();
    const { totalCount: holders } = await api.get<{ totalCount: string }>(
      `${TAGS}?packageName=${name}&packageVersion=${version}&page_size=1`,
    );
    const holding = page.getByRole("region", {
      name: `Tags with ${name} ${version} ${Number(holders).toLocaleString("en")}`,
    });
    await expect(holding.getByRole("link", { name: tag, exact: true }).first()).toBeVisible();
    // Nothing is known to fix it.
    await expect(page.getByRole("button", { name: "Find tags that received a fix" })).toBeHidden();
    await hasNoFinding(page, "main");
    await page.reload();
    await expect(chip(cve)).toContainText("Affected");

    await field.fill("is anything wrong with our images today");
    await field.press("Enter");
    await expect(page.getByRole("alert").filter({ hasText: "Nothing to look up" })).toBeVisible();
    await field.fill("CVE-2099-1");
    await field.press("Enter");
    await expect(
      page.getByRole("alert").filter({ hasText: "CVE-2099-1 is only part of an ID" }),
    ).toBeVisible();
  },
);

test("somebody whose role lacks advisories is told which capability is missing @long", async ({
  person,
  signUp,
}) => {
  const { api, organization } = person;
  const blind = await signUp();
  await bind(api, organization, blind, [
    "CAP_IAM_GROUPS_LIST",
    "CAP_IAM_ROLE_BINDINGS_LIST",
    "CAP_IAM_ROLES_LIST",
  ]);
  for (const path of ["advisories", "affected?id=CVE-2026-1", "advisories/documents?package=openssl"]) {
    await blind.open(`${path}${path.includes("?") ? "&" : "?"}group=${param(organization)}`);
    const refused = blind.page.getByRole("heading", {
      name: "Hidden by your role",
    });
    await expect(refused).toBeVisible();
    await expect(blind.page.getByText("advisories.list")).toBeVisible();
  }
});

test(
  "what isn't decided leads, a short version is compared as it stands, and an image here is offered",
  ownService,
  async ({ reader }) => {
    const { page, api, open } = reader;
    const open1 = (await found(api, "latestEventType=EVENT_TYPE_FILTER_DETECTION")).find(
      ({ artifactType, aliases }) => artifactType === "apk" && aliases?.some((id) => id.startsWith("CVE-")),
    ) as Advisory;
    const tags = "/image-packages/v1/tags?page_size=1";
    const { totalCount: undecided } = await api.get<{ totalCount: string }>(
      `${tags}&aliases=${cveOf(open1)}&verdict=VERSION_VERDICT_UNKNOWN&undecided=true`,
    );
    const holding = Number(undecided).toLocaleString("en");
    await open(`affected?id=${cveOf(open1)}`);
    await expect(page.getByRole("status").filter({ hasText: "isn't decided" })).toContainText(
      new RegExp(`Not decided for ${holding} of [\\d,]+ tags?: `),
    );
    await expect(
      page.getByRole("region", { name: `Tags with an undecided version ${holding}` }),
    ).toBeVisible();

    await open("affected?ask=glibc@2.41");
    const exact = page.getByRole("region", { name: /^Tags with glibc 2\.41/ });
    await expect(exact).toContainText("Exactly 2.41 was searched for");
    await exact
      .getByRole("link", { name: /^2\.41\.\d+-r\d+$/ })
      .first()
      .click();
    await expect(page.getByRole("heading", { name: /^Is glibc 2\.41\.\d+-r\d+ affected\?$/ })).toBeVisible();

    await open("affected?ask=image:nginx:1.27");
    await expect(page.getByText("it is an image of Docker Hub")).toBeVisible();
    await page.getByRole("link", { name: /\/nginx:1\.27$/ }).click();
    await expect(page.getByRole("link", { name: "Open vulnerabilities" })).toBeVisible();
    await hasNoFinding(page, "main");
  },
);
