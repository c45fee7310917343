import { execFile } from "node:child_process";
import { promisify } from "node:util";

import type { Identity } from "platform-contract/iam/identities";
import type { RoleBinding } from "platform-contract/iam/role-bindings";
import type { Tag } from "platform-contract/registry/tags";

import { bindTo } from "../bindings";
import { expect, test } from "../fixtures";
import { Keyboard } from "../keyboard";
import { chooseTool, createAll, hasNoFinding, machine, openFilters } from "../lists";
import { param } from "../records";
import { tokensOf } from "../tabs";
import { createRepo, createTags, digestOf, names, NO_IMAGE } from "../tags";

/** Runs a command as the user would, with their token. */
async function run(command: string, token: string): Promise<Record<string, unknown>> {
  const { stdout } = await promisify(execFile)("sh", ["-c", command], {
    env: { ...process.env, TOKEN: token },
    maxBuffer: 10_000_000,
  });
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** The commands with curl; those of `platform` stand below them. */
const CURL = { hasText: /^curl/ };

test("the request behind a filtered, ordered list runs elsewhere and answers with the same rows @long", async ({
  person,
}) => {
  const { page, context, api, organization, open } = person;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const names = Array.from({ length: 60 }, (_, index) => `m-${String(index).padStart(2, "0")}`);
  await createAll(
    api,
    `/iam/v2/identities/${organization.uid}`,
    names.map((name) => machine(name)),
  );
  await open(`identities?group=${organization.uid}&kind=claims&order=name+desc`);
  const table = page.getByRole("table", { name: "Identities" });
  await expect(table.getByRole("link", { name: "m-59" })).toBeVisible();
  await chooseTool(page, "Show requests");
  const sheet = page.getByRole("dialog", { name: "API requests" });
  const commands = sheet.getByRole("region", { name: "This screen" }).locator("pre");
  await expect(commands).toHaveCount(2);
  const command = commands.first();
  await expect(commands.last()).toContainText("platform list identities");
  await expect(sheet.getByText("page_token=$NEXT")).toBeVisible();
  await hasNoFinding(page, "dialog[open]");
  await sheet
    .getByRole("button", { name: /^Copy command: List identities/ })
    .first()
    .click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(await command.textContent());
  expect(copied).toContain("page_size=50");

  const { accessToken } = (await tokensOf(page)) as { accessToken: string };
  await sheet.getByText(/^Other requests on this page/).click();
  expect(await sheet.locator("pre").count()).toBeGreaterThan(3);
  for (const text of [copied, await page.content(), ...(await sheet.locator("pre").allTextContents())]) {
    expect(text).not.toContain(accessToken);
    expect(text).not.toContain("eyJ");
  }

  const { identities } = (await run(copied, accessToken)) as unknown as { identities: Identity[] };
  expect(identities).toHaveLength(50);
  const rows = table.getByRole("row").filter({ has: page.getByRole("link") });
  const shown = await rows.evaluateAll((found) =>
    found.map((row) => [row.getAttribute("aria-rowindex"), row.getAttribute("data-row-key")]),
  );
  expect(shown.length).toBeGreaterThan(10);
  for (const [index, uid] of shown) expect(identities[Number(index) - 2]?.uid).toBe(uid);

  // The surrounding requests run as well.
  const around = await sheet.locator("details pre").filter(CURL).allTextContents();
  const answers = await Promise.all(around.map((each) => run(each, accessToken)));
  for (const answer of answers) expect(answer).not.toHaveProperty("code");
});

test("requests are opened by keys on any page, a hostile filter is one word, and a scan says what it reads @long", async ({
  person,
}) => {
  const { page, api, organization, open } = person;
  const made = await api.post<Identity>(`/iam/v2/identities/${organization.uid}`, machine("ci"));
  const hostile = `it's "x" $(touch /tmp/x) \`id\``;
  await open(`identities?group=${organization.uid}&name=${encodeURIComponent(hostile)}`);
  await expect(page.getByRole("heading", { name: "No identities match" })).toBeVisible();
  const keyboard = new Keyboard(page);
  const button = page.getByRole("button", { name: "Show requests" });
  await keyboard.walkTo(button);
  await expect(button).toHaveAttribute("aria-keyshortcuts", "Alt+Shift+R");
  await expect(page.getByRole("tooltip")).toHaveText("Show requests (Alt+Shift+R)");
  await keyboard.press("Alt+Shift+R");
  const sheet = page.getByRole("dialog", { name: "API requests" });
  await expect(sheet).toBeVisible();
  const own = sheet.getByRole("region", { name: "This screen" });
  const { accessToken } = (await tokensOf(page)) as { accessToken: string };
  const none = await run((await own.locator("pre").filter(CURL).textContent()) ?? "", accessToken);
  expect(none["identities"] ?? []).toEqual([]);
  await keyboard.walkTo(sheet.getByRole("button", { name: /^Copy command: List identities/ }).first());
  await keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await expect(button).toBeFocused();

  await open(`identities?group=${organization.uid}&contains=c`);
  await expect(page.getByRole("link", { name: "ci", exact: true })).toBeVisible();
  await page.keyboard.press("Alt+Shift+R");
  await expect(own.getByText("and every following page")).toBeVisible();
  await expect(own.locator("pre").filter(CURL)).toContainText("page_size=200");

  await open(`identities/${param(made)}`);
  await page.getByRole("button", { name: "More actions for ci" }).click();
  await page.getByRole("menuitem", { name: "Show requests" }).click();
  const commands = await own.locator("pre").filter(CURL).allTextContents();
  const [record, bindings] = await Promise.all(commands.slice(0, 2).map((each) => run(each, accessToken)));
  expect(record).toEqual(await api.get(`/iam/v2/identities/${made.uid}`));
  expect(bindings).not.toHaveProperty("code");
});

test("a record is there as the API gave it, from its row and from its page @long", async ({ person }) => {
  const { page, context, api, organization, open } = person;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const made = await api.post<Identity>(`/iam/v2/identities/${organization.uid}`, machine("ci"));
  const truth = await api.get(`/iam/v2/identities/${made.uid}`);
  const sheet = page.getByRole("dialog", { name: "JSON of ci" });
  await open(`identities?group=${organization.uid}`);
  await page.getByRole("button", { name: "Actions for ci" }).click();
  await page.getByRole("menuitem", { name: "Raw JSON" }).click();
  expect(JSON.parse((await sheet.locator("pre").textContent()) ?? "")).toEqual(truth);
  await hasNoFinding(page, "dialog[open]");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Actions for ci" })).toBeFocused();

  await page.getByRole("link", { name: "ci", exact: true }).click();
  await page.getByRole("button", { name: "More actions for ci" }).click();
  await page.getByRole("menuitem", { name: "Copy uid" }).click();
  await expect(page.getByText("Copied the uid")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(made.uid);
  await page.getByRole("button", { name: "More actions for ci" }).click();
  await page.getByRole("menuitem", { name: "Raw JSON" }).click();
  await sheet.getByRole("button", { name: "Copy JSON" }).click();
  expect(JSON.parse(await page.evaluate(() => navigator.clipboard.readText()))).toEqual(truth);
});

test("the requests behind tags are that of the list, or what is read in its place, and apart those of rows @long", async ({
  person,
  problems,
}) => {
  problems.allow(NO_IMAGE);
  const { page, api, organization, open } = person;
  const repo = await createRepo(api, organization.uid);
  for (const [index, name] of ["1.9", "1.2", "latest", "1.10"].entries())
    await createTags(api, repo.uid, [{ name, digest: digestOf(index) }]);
  const sheet = page.getByRole("dialog", { name: "API requests" });
  const own = sheet.getByRole("region", { name: "This screen" }).locator("pre").filter(CURL);

  // Wide enough for the column that sends a request per row.
  await page.setViewportSize({ width: 1700, height: 900 });
  await open(`tags?group=${param(organization)}`);
  await expect.poll(() => names(page)).toEqual(["1.10", "latest", "1.2", "1.9"]);
  await expect(page.getByRole("link", { name: "python" })).toHaveCount(4);
  const { accessToken } = (await tokensOf(page)) as { accessToken: string };
  await expect(page.getByText("Not compared with a registry: none is connected.")).toHaveCount(4);
  await page.getByRole("button", { name: "Show requests" }).click();
  await expect(own).toHaveCount(1);
  await expect(own).toContainText("order_by=updated_at desc");
  const { tags } = (await run((await own.textContent()) ?? "", accessToken)) as unknown as { tags: Tag[] };
  expect(tags.map(({ name }) => name)).toEqual(await names(page));
  const around = await sheet.locator("details pre").allTextContents();
  const nameRequests = around.filter((each) => each.includes("/registry/v2/repos'"));
  expect(nameRequests).toHaveLength(1);
  expect(await run(nameRequests[0] ?? "", accessToken)).toMatchObject({ repos: [{ name: "python" }] });
  const image = `/registry/v2/repos/${repo.uid}/digests/${digestOf(0)}/architectures'`;
  expect(around.filter((each) => each.includes(image))).toHaveLength(1);
  await page.keyboard.press("Escape");

  await (await openFilters(page)).getByRole("checkbox", { name: "Group by digest" }).check();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("group", { name: "Search of tags" })).toContainText("grouped by digest");
  await page.getByRole("button", { name: "Show requests" }).click();
  await expect(own).toHaveCount(1);
  await expect(own).toContainText("page_size=200");
  await expect(own).toContainText("order_by=name");
  await expect(
    sheet.getByText("the API doesn't support one of your filters or the sort order"),
  ).toBeVisible();
});

test("a role binding of an identity is there as the API gave it, and so is its uid @long", async ({
  person,
}) => {
  const { page, context, api, organization, open } = person;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const made = await api.post<Identity>(`/iam/v2/identities/${organization.uid}`, machine("ci"));
  await bindTo(api, organization, made.uid, "viewer");
  const { roleBindings } = await api.get<{ roleBindings: RoleBinding[] }>(
    `/iam/v2/roleBindings?identity=${encodeURIComponent(made.uid)}`,
  );
  await open(`identities/${param(made)}`);
  const name = `${organization.name}, viewer`;
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Copy uid" }).click();
  await expect(page.getByText("Copied the uid")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(roleBindings[0]?.uid);
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Raw JSON" }).click();
  const sheet = page.getByRole("dialog", { name: `JSON of ${name}` });
  expect(JSON.parse((await sheet.locator("pre").textContent()) ?? "")).toEqual(roleBindings[0]);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: `Actions for ${name}` })).toBeFocused();
});

test("a form shows the request that it would send, without its secrets, and that request does the same", async ({
  person,
}) => {
  const { page, api, organization, open } = person;
  await createAll(api, `/iam/v2/identities/${organization.uid}`, [machine("m-1")]);
  const { identities } = await api.get<{ identities: Identity[] }>("/iam/v2/identities?name=m-1");
  const uid = identities[0]?.uid ?? "";
  await open(`identities/${param({ uid })}?drawer=edit`);
  const form = page.getByRole("dialog", { name: "Edit identity" });
  await form.getByText("Show request").click();
  await expect(form.getByText("Nothing to send: nothing has changed.")).toBeVisible();
  await form.getByRole("textbox", { name: "Description" }).fill("it's $HOME");
  const command = form.locator("pre").first();
  await expect(command).toContainText("updateMask=description");
  await expect(form.locator("pre").last()).toContainText("platform update identities");
  const { accessToken } = (await tokensOf(page)) as { accessToken: string };
  const sent = (await command.textContent()) ?? "";
  expect(sent).not.toContain(accessToken);
  await run(sent, accessToken);
  expect(await api.get<Identity>(`/iam/v2/identities/${uid}`)).toMatchObject({ description: "it's $HOME" });

  // The shown request replaces the secret, and says that the form is not complete yet.
  await open(`identity-providers?group=${organization.uid}&drawer=create`);
  const provider = page.getByRole("dialog", { name: "Create identity provider" });
  await provider.getByLabel("Client secret").fill("hunter2");
  await provider.getByText("Show request").click();
  await expect(provider.locator("pre")).toContainText('"clientSecret": "<secret>"');
  await expect(provider.locator("pre")).not.toContainText("hunter2");
  await expect(provider.getByText(/^Some fields are missing or invalid/)).toBeVisible();
});
