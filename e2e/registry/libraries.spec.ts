import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { bind } from "../bindings";
import { expect, FOREIGN, NO_SERVICE, ownService, register, test } from "../fixtures";
import { hasNoFinding, openFilters, searchList } from "../lists";
import { makeDataDirectory, removeDataDirectory, startBuiltService, type RunningService } from "../service";

const program = fileURLToPath(new URL("../../server/dist/main.js", import.meta.url));
const day = (number: number) => `2026-01-${String(number).padStart(2, "0")}T00:00:00Z`;
const published = (version: string, number: number, more: object = {}) => ({
  version,
  createTime: day(number),
  sizeBytes: String(number * 1_000_000),
  ...more,
});

const LONG_NAME = `com.example.${"deeply.".repeat(12)}nested:${"an-artifact-with-a-long-name-".repeat(4)}end`;
const LIBRARIES = [
  {
    ecosystem: "ECOSYSTEM_PYTHON",
    name: "torch",
    versions: [
      published("2.9", 1, { description: "Old words" }),
      published("2.10", 3, { description: "Tensors on a GPU", cudaVersions: ["12.4"] }),
      published("2.10rc1", 2, { remediated: true }),
    ],
  },
  { ecosystem: "ECOSYSTEM_PYTHON", name: "requests", versions: [published("2.32.3", 5)] },
  { ecosystem: "ECOSYSTEM_JAVA", name: "org.slf4j:slf4j-api", versions: [published("2.0.16", 4)] },
  { ecosystem: "ECOSYSTEM_JAVA", name: LONG_NAME, versions: [published("1.0", 6)] },
];

let directory: string;
let service: RunningService;

// Without this, `beforeAll` would start a service even if all tests are skipped.
test.skip(FOREIGN, NO_SERVICE);
// The API cannot create libraries: they are ingested before the service starts.
test.beforeAll(async () => {
  directory = await makeDataDirectory();
  const file = join(directory, "libraries.ndjson");
  await writeFile(file, LIBRARIES.map((one) => JSON.stringify(one)).join("\n"));
  await promisify(execFile)(process.execPath, [program, "ingest", file], {
    env: { ...process.env, DATA_DIR: directory },
  });
  service = await startBuiltService(directory, { REGISTRY_HOST: "registry.example" });
});
test.afterAll(async () => {
  await service.stop();
  await removeDataDirectory(directory);
});

test(
  "a library is found, its versions are in their order, and one is installed by its link",
  ownService,
  async ({ page }) => {
    const { api, open } = await register(page, { at: `${service.url}/` });
    await api.createOrganization("libraries");
    await open("");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Libraries" }).click();
    const tabs = page.getByRole("navigation", { name: "Ecosystems" });
    await expect(tabs.getByRole("link")).toHaveText(["All4", "Python2", "Java2"]);
    await hasNoFinding(page, "main");
    await tabs.getByRole("link", { name: "Python" }).click();
    const table = page.getByRole("table", { name: "Libraries" });
    await expect(table.getByRole("link")).toHaveText(["requests", "torch"]);
    await searchList(page, "gpu");
    const filters = await openFilters(page);
    await filters.getByLabel("CUDA version").fill("12.4");
    await filters.getByLabel("CUDA version").press("Enter");
    await expect(page).toHaveURL(/libraries\?ecosystem=python&query=gpu&cuda=12\.4/);
    await expect(table.getByRole("link")).toHaveText(["torch"]);
    await filters.getByRole("checkbox", { name: "Remediated only" }).check();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("heading", { name: "No libraries match" })).toBeVisible();
    await page.goBack();
    await table.getByRole("link", { name: "torch" }).click();

    await expect(page.getByRole("heading", { name: "torch", level: 1 })).toBeVisible();
    await expect(page.getByText("Tensors on a GPU")).toBeVisible();
    const versions = page.getByRole("table", { name: "Versions" });
    await expect(versions.getByRole("link")).toHaveText(["2.10", "2.10rc1", "2.9"]);
    await versions.getByRole("columnheader", { name: "Size" }).getByRole("button").click();
    await expect(page).toHaveURL(/libraries\/python(?::|%3A)torch\?order=size_bytes\+desc/);
    await hasNoFinding(page, "main");
    await versions.getByRole("link", { name: "2.9" }).click();
    const dialog = page.getByRole("dialog", { name: "Install torch 2.9" });
    await page.reload();
    await expect(dialog.getByLabel("pip snippet", { exact: true })).toHaveText(
      "pip install --index-url https://registry.example/python/simple/ torch==2.9",
    );
    await hasNoFinding(page, "[role=dialog]");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await dialog.getByRole("button", { name: "Copy uv snippet" }).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe("uv add --default-index https://registry.example/python/simple/ torch==2.9");
    await page.goBack();
    await expect(dialog).toBeHidden();
    await open("libraries/java:org.slf4j:slf4j-api?drawer=install");
    await expect(page.getByLabel("Gradle snippet", { exact: true })).toContainText(
      'implementation("org.slf4j:slf4j-api:2.0.16")',
    );
  },
);

test(
  "who may not see libraries is told so, on the list and on a page, and what is not there is not found @long",
  ownService,
  async ({ page, browser, problems }) => {
    const at = { at: `${service.url}/` };
    const owner = await register(page, at);
    const organization = await owner.api.createOrganization("closed");
    problems.allow(/status of 404/);
    await owner.open("libraries/python:nothing");
    await expect(page.getByRole("heading", { name: "This library wasn't found" })).toBeVisible();

    const context = await browser.newContext();
    const other = await register(await context.newPage(), at);
    await bind(owner.api, organization, other, [
      "CAP_IAM_GROUPS_LIST",
      "CAP_IAM_ROLES_LIST",
      "CAP_IAM_ROLE_BINDINGS_LIST",
    ]);
    await other.open("libraries");
    const refused = other.page.getByRole("heading", {
      name: "Hidden by your role",
    });
    await expect(refused).toBeVisible();
    await other.page.goto(`${service.url}/libraries/python:torch`);
    await expect(refused).toBeVisible();
    await expect(other.page.getByText(/libraries\.artifacts\.list/)).toBeVisible();
    await context.close();
  },
);
