import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import type { Page } from "@playwright/test";

import type { Repo } from "platform-contract/registry/repos";

import { expect, ownService, register, test } from "../fixtures";
import { param } from "../records";
import { freePort, makeDataDirectory, removeDataDirectory, startBuiltService } from "../service";
import { createRepo, createTags, digestOf, NO_IMAGE } from "../tags";

/** The cases that the service's tests judge through the API, here on the pages that answer people. */
interface Case {
  readonly files: readonly string[];
  readonly packages?: readonly string[];
  /** By id: the verdicts on "Are we affected?", a line each. */
  readonly page?: Readonly<Record<string, readonly string[]>>;
  /** The packages that "In this image" decides about. */
  readonly image?: readonly string[];
}
const folder = fileURLToPath(new URL("../../server/commands/ingest/cases/", import.meta.url));
const cases = JSON.parse(readFileSync(`${folder}expected.json`, "utf8")) as readonly Case[];
const program = fileURLToPath(new URL("../../server/dist/main.js", import.meta.url));
const SBOMS = cases.filter(({ packages }) => packages !== undefined).map(({ files }) => files[0] ?? "");
const digestFor = (file: string): string => digestOf(1_000 + SBOMS.indexOf(file));

/** What else the page of an id says: exploitation, severities, and details in Markdown with HTML. */
const SAYS: Readonly<Record<string, readonly RegExp[]>> = {
  "CVE-2026-20014": [/Exploited Known to be exploited since 2026-03-08/, /91\.2% chance/],
  "EX-2026-0022": [/Critical ?9\.8/],
  "CVE-2026-20013": [/Critical/],
  "CVE-2026-10062": [/A crafted <input> is not escaped/],
  "CVE-2026-20040": [/H2O … and 1 < 2/],
  "CVE-2026-20041": [/Still here\./],
  "CVE-2026-20042": [/Caution/, /:warning:/],
};

/** Imports each file once, an SBOM for an image of its own. */
async function importAll(directory: string, group: string): Promise<void> {
  const run = (...options: string[]) =>
    promisify(execFile)(process.execPath, [program, "ingest", ...options], {
      env: { ...process.env, DATA_DIR: directory },
    });
  const feeds = [...new Set(cases.flatMap(({ files }) => files))].filter((file) => !SBOMS.includes(file));
  // One of the files is refused, which ends the program with status 1 after the others.
  const { stderr } = await run("--group", group, ...feeds.map((file) => folder + file)).catch(
    (error: { stderr: string }) => error,
  );
  expect(stderr).toContain("1 was rejected");
  for (const file of SBOMS)
    // oxlint-disable-next-line no-await-in-loop -- one process at a time has the database
    await run("--digest", digestFor(file), folder + file);
}

/** The rows of each part of the page: its title, and the cells that say what it is about and what is so. */
const verdictsOn = (page: Page, cells: number): Promise<string[]> =>
  page.locator("main section").evaluateAll(
    (sections, count) =>
      sections.flatMap((section) => {
        const title = section.querySelector("h2")?.textContent?.replace(/\d+$/, "").trim();
        // These say where it is, not what is said of it.
        if (title?.startsWith("Tags with ")) return [];
        return [...section.querySelectorAll("tbody tr")].map((row) =>
          [title, ...[...row.children].slice(0, count).map((cell) => (cell as HTMLElement).innerText.trim())]
            .join(" | ")
            .replaceAll(/\s+/g, " ")
            .replaceAll(" (opens in a new tab)", ""),
        );
      }),
    cells,
  );

test("every case of real feeds has the right verdict on its page", ownService, async ({ page, problems }) => {
  test.setTimeout(900_000);
  // No image was pushed for the tags here.
  problems.allow(NO_IMAGE);
  const directory = await makeDataDirectory();
  const variables = { PORT: String(await freePort()) };
  const first = await startBuiltService(directory, variables);
  const person = await register(page, { at: `${first.url}/` });
  const { uid: group } = await person.api.createOrganization("cases");
  const repo: Repo = await createRepo(person.api, group, "shop");
  const tags = await createTags(
    person.api,
    repo.uid,
    SBOMS.map((file, index) => ({ name: `sbom-${index}`, digest: digestFor(file) })),
  );
  await first.stop();
  await importAll(directory, group);
  const service = await startBuiltService(directory, variables);
  try {
    await person.open("affected");
    for (const { page: expected = {} } of cases)
      for (const [id, lines] of Object.entries(expected)) {
        await page.getByRole("textbox", { name: "CVE, package, image, or scanner output" }).fill(id);
        await page.keyboard.press("Enter");
        await expect(
          page.getByRole("heading", { name: `Are we affected by ${id}?`, level: 1 }),
        ).toBeVisible();
        await expect(page.getByText(/^As of /)).toBeVisible();
        expect.soft(await verdictsOn(page, 2), id).toEqual(lines);
        for (const words of SAYS[id] ?? []) await expect(page.locator("main")).toContainText(words);
      }
    for (const [index, tag] of tags.entries()) {
      await person.open(`tags/${param(tag.uid)}?tab=vulnerabilities`);
      const { image = [] } = cases.find(({ files }) => files[0] === SBOMS[index]) ?? {};
      await expect(page.getByRole("heading", { name: "Fixed" })).toBeVisible();
      await expect(
        page.getByRole("heading", { name: image.length > 0 ? "In this image" : "Open vulnerabilities" }),
      ).toBeVisible();
      const rest = page.getByText(/^Not affected: \d/);
      if ((await rest.count()) > 0) await rest.click();
      expect.soft(await verdictsOn(page, 3), SBOMS[index]).toEqual(image);
    }
  } finally {
    // A page that is open goes on asking.
    await page.goto("about:blank");
    await service.stop();
    await removeDataDirectory(directory);
  }
});
