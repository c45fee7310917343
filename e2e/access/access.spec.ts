import { readFile } from "node:fs/promises";

import type { Group } from "platform-contract/iam/groups";

import { follow } from "../api";
import { bind, bindTo, identityOf } from "../bindings";
import { expect, gate, test } from "../fixtures";
import { createMachines } from "../bulk-delete";
import { folder, param } from "../records";

test(
  "a viewer reads everything, sees each action disabled with the capability it needs, and is refused by the service",
  gate,
  async ({ person, signUp }) => {
    const { api, organization } = person;
    const made = await api.post<{ uid: string }>(`/iam/v2/identities/${organization.uid}`, {
      name: "deployer",
      claimMatch: { issuer: "https://issuer.example", subject: "deployer" },
    });
    const viewer = await signUp();
    await bind(api, organization, viewer, "viewer");
    const { page } = viewer;
    await viewer.open(`identities?group=${organization.uid}`);
    await expect(page.getByRole("link", { name: "deployer" })).toBeVisible();
    const create = page.getByRole("button", { name: "Create identity" });
    await expect(create).toHaveAttribute("aria-disabled", "true");
    await expect(create).toHaveAccessibleDescription(/create identities \(identity\.create\)/);
    // Forced: Playwright would wait for the button to be enabled, and pressing it must do nothing.
    await create.click({ force: true });
    await expect(page.getByRole("dialog")).toBeHidden();

    await page.getByRole("link", { name: "deployer" }).click();
    await expect(page.getByRole("button", { name: "Edit" })).toHaveAccessibleDescription(
      /edit identities \(identity\.update\)/,
    );
    const refusal = await viewer.api.refusal("DELETE", `/iam/v2/identities/${made.uid}`);
    expect(refusal).toMatchObject({ http: 403, code: 7 });
    expect(JSON.stringify(refusal.details)).toContain("CAP_IAM_IDENTITY_DELETE");
  },
);

test("somebody with two distant folders sees two roots, and nothing of what lies between @long", async ({
  person,
  signUp,
  problems,
}) => {
  const { api, organization } = person;
  const folder = (parent: Group, name: string) => api.post<Group>(`/iam/v2/groups/${parent.uid}`, { name });
  const west = await folder(organization, "west");
  const deep = await folder(west, "west-deep");
  const east = await folder(organization, "east");
  await folder(east, "east-inner");
  await folder(organization, "hidden");
  const guest = await signUp();
  await bind(api, deep, guest, "viewer");
  await bind(api, east, guest, "viewer");
  const { page } = guest;
  await guest.open("groups");
  const tree = page.getByRole("tree", { name: "Groups" });
  await expect(tree.getByRole("treeitem", { name: "west-deep", exact: true })).toHaveAttribute(
    "aria-level",
    "1",
  );
  await expect(tree.getByRole("treeitem", { name: "east", exact: true })).toHaveAttribute("aria-level", "1");
  const table = page.getByRole("table", { name: "Groups" });
  await expect(table.getByRole("link", { name: "east-inner" })).toBeVisible();
  await expect(page.getByText("of 3", { exact: false })).toBeVisible();
  await expect(page.getByText(organization.name)).toBeHidden();
  await expect(page.getByText("hidden", { exact: true })).toBeHidden();

  // A link to something they may not see is refused inside the shell.
  problems.allow(/status of 403 .*\/iam\/v2\/groups\//);
  await guest.open(`groups/${organization.uid}`);
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Hidden by your role", level: 1 })).toBeVisible();
  await expect(page.getByText("You need permission to view groups (groups.list).")).toBeVisible();
});

test("a newcomer whom nobody has bound learns on every screen that they have no access yet, and who they are @long", async ({
  person,
  signUp,
  problems,
}) => {
  const { page, api, open } = await signUp();
  await open("");
  await expect(page.getByRole("heading", { name: "No access yet", level: 1 })).toBeVisible();
  await expect(page.getByRole("main").getByText(api.who.subject)).toBeVisible();
  await expect(page.getByRole("link", { name: "Create an organization" })).toBeVisible();

  // The console does not reveal that the organization exists.
  problems.allow(/status of 403 /);
  const uid = param(person.organization);
  for (const path of [
    "groups",
    "identities",
    "repos",
    "tags",
    `repos?group=${uid}`,
    `groups/${uid}`,
    `identities/${uid}`,
    `?group=${uid}`,
  ]) {
    await follow(page, path);
    await expect(page.getByRole("main").getByRole("heading", { name: "No access yet" }), path).toBeVisible();
  }
  await page.getByRole("link", { name: "How to get access" }).click();
  await expect(page.getByRole("heading", { name: "No access yet", level: 1 })).toBeVisible();
});

test("says what a role hides also to someone whose own role bindings are hidden @long", async ({
  person,
  signUp,
  problems,
}) => {
  // The service is asked for a record that doesn't exist, since an empty list doesn't say why it is empty.
  problems.allow(/status of 40[34] .*0000000000000000$/);
  problems.allow(/status of 40[34] .*\/accountAssociations\//);
  const { api, organization } = person;
  const reader = await signUp();
  await bind(api, organization, reader, ["CAP_IAM_GROUPS_LIST", "CAP_IAM_IDENTITY_LIST", "CAP_REPO_LIST"]);
  const { page } = reader;
  const needs = "You need permission to view role bindings (role_bindings.list).";
  await reader.open("");
  const counts = page.getByLabel("Including subfolders");
  await expect(counts).toHaveText(/kinds hidden by your role$/);
  await expect(counts).not.toContainText("role binding");
  await expect(page.getByText("5 checks are hidden by your role")).toBeVisible();

  await reader.open("role-bindings");
  await expect(page.getByRole("heading", { name: "Hidden by your role" })).toBeVisible();
  await expect(page.getByText(needs)).toBeVisible();
  await reader.open("role-bindings?name=nobody");
  await expect(page.getByText(needs)).toBeVisible();
  await reader.open(`audit-log/access?group=${param(organization)}`);
  await expect(page.getByText(needs)).toBeVisible();
  await expect(page.getByLabel("Date")).toHaveCount(0);
  await reader.open("repos");
  await expect(page.getByRole("heading", { name: "No repos here yet" })).toBeVisible();
  await reader.open(`groups/${param(organization)}?tab=access`);
  await expect(page.getByText(needs)).toBeVisible();
  await reader.open(`identities/${await identityOf(api, reader)}`);
  await expect(page.getByRole("region", { name: "Role bindings" })).toContainText("Hidden by your role");
});

test("a person whose last role was removed is gone from lists and recent records, and their page says why", async ({
  person,
  signUp,
  problems,
}) => {
  problems.allow(/status of 40[34] .*\/iam\/v2\/identities\//);
  const { api, organization, page, open } = person;
  const leaver = await signUp();
  const identity = await identityOf(api, leaver);
  await bindTo(api, organization, identity, "viewer");
  await open(`identities/${identity}`);
  const heading = page.getByRole("heading", { level: 1 });
  await expect(page.getByRole("region", { name: "Role bindings" })).toBeVisible();
  const name = (await heading.textContent()) ?? "";
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "People" }).click();
  const people = page.getByRole("table", { name: "People" });
  await expect(people.getByRole("link", { name })).toBeVisible();
  await page.getByRole("button", { name: "Search", exact: true }).click();
  const palette = page.getByRole("dialog", { name: "Search" });
  await palette.getByRole("option", { name: new RegExp(name) }).click();
  await page
    .getByRole("region", { name: "Role bindings" })
    .getByRole("button", { name: /^Actions for/ })
    .click();
  await page.getByRole("menuitem", { name: "Open role binding" }).click();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Remove role" }).click();
  await page.getByRole("button", { name: "Remove role" }).click();
  await expect(page.getByText(/^Removed .* role/).first()).toBeVisible();

  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "People" }).click();
  await expect(people.getByRole("link").first()).toBeVisible();
  await expect(people.getByRole("link", { name })).toBeHidden();
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await expect(palette.getByRole("option", { name: "Create folder" })).toBeVisible();
  await expect(palette.getByRole("option", { name: new RegExp(name) })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await page.goto(new URL(`identities/${identity}`, page.url()).href);
  await expect(page.getByRole("heading", { name: "This person has no access here", level: 1 })).toBeVisible();
  await expect(page.getByText(/^Their last role was removed .* by /)).toBeVisible();
  // Nothing went wrong here.
  await expect(page.getByRole("button", { name: "Errors seen" })).toHaveCount(0);
  await expect(page.getByText("Ask an owner")).toBeHidden();
  await expect(page.getByRole("link", { name: "Grant access" })).toBeVisible();
});

test("who leaves loses every role and sent invite at once, and an owner is left to a decision of its own", async ({
  person,
  signUp,
}) => {
  const { api, organization, page, open } = person;
  const leaver = await signUp();
  const identity = await identityOf(api, leaver);
  const team = await folder(api, organization, "team");
  const night = await folder(api, team, "night shift");
  for (const group of [organization, team, night]) await bindTo(api, group, identity, "viewer");
  await bindTo(api, organization, identity, "owner");
  const { roles } = await api.get<{ roles: { uid: string }[] }>("/iam/v2/roles?name=viewer");
  const invite = { roleUid: roles[0]?.uid, ttl: "3600s" };
  const sent = await leaver.api.post<{ uid: string }>(`/iam/v2/groupInvites/${team.uid}`, invite);
  const own = await api.post<{ uid: string }>(`/iam/v2/groupInvites/${team.uid}`, invite);
  // With one to their address they would come back.
  await api.post(`/iam/v2/groupInvites/${team.uid}`, { ...invite, email: leaver.email });
  const viewer = await signUp();
  await bind(api, organization, viewer, "viewer");
  await viewer.open(`identities/${identity}`);
  await expect(viewer.page.getByRole("button", { name: "Remove all access" })).toHaveAccessibleDescription(
    /role_bindings\.delete/,
  );
  await open(`identities/${identity}`);
  const bindings = page.getByRole("region", { name: "Role bindings" });
  await bindings.getByRole("button", { name: "Remove all access" }).click();
  const dialog = page.getByRole("dialog", { name: /^Remove all access of / });
  await expect(dialog.getByText(/^viewer in .*team \/ night shift$/)).toBeVisible();
  await expect(dialog.getByText(/^invite, viewer for anyone with the link/)).toBeVisible();
  await expect(dialog.getByText(`invite to them, viewer for ${leaver.email}`)).toBeVisible();
  await expect(dialog.getByText("1: Remove organization owners one at a time")).toBeVisible();
  await dialog.getByRole("textbox", { name: "Reason (optional)" }).fill("Left the team, ticket 12");
  await dialog.getByRole("button", { name: "Remove 5 role bindings and invites" }).click();
  const job = page.getByRole("region", { name: "Removed 5 role bindings and invites" });
  await expect(job).toBeVisible();
  const held = await api.get<{ roleBindings: { role: { name: string } }[] }>(
    `/iam/v2/roleBindings?identity=${identity}`,
  );
  expect(held.roleBindings.map(({ role }) => role.name)).toEqual(["owner"]);
  const left = await api.get<{ groupInvites: { uid: string }[] }>("/iam/v2/groupInvites");
  expect(left.groupInvites.map(({ uid }) => uid)).toEqual([own.uid]);
  await expect(bindings.getByRole("row")).toHaveCount(2);
  // Success is quiet.
  await expect(page.getByRole("button", { name: "Errors seen" })).toBeHidden();

  const download = page.waitForEvent("download");
  await job.getByRole("button", { name: "Save report" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^removed-access-.+-\d{4}-\d\d-\d\d\.csv$/);
  const lines = (await readFile(await file.path(), "utf8")).trim().split("\r\n");
  expect(lines).toHaveLength(6);
  expect(lines.filter((line) => /Removed,\d{4}-\d\d-\d\dT/.test(line))).toHaveLength(5);
  expect(lines.join("\n")).toContain(`invite to them, viewer for ${leaver.email}`);
  for (const part of ["viewer in night shift", sent.uid]) expect(lines.join("\n")).toContain(part);
  expect(lines[0]).toContain("identity,identity uid,access,folder");
  expect(lines.join("\n")).toMatch(
    new RegExp(`${identity},role viewer,${organization.name} / team / night shift,Removed,`),
  );
  expect(lines.filter((line) => line.includes(person.email))).toHaveLength(5);
  expect(lines.filter((line) => line.includes('"Left the team, ticket 12"'))).toHaveLength(5);
});

test("several people lose their access from the list, and nobody else does", async ({ person, signUp }) => {
  const { api, organization, page, open } = person;
  const leavers = [await signUp(), await signUp()];
  const team = await folder(api, organization, "team");
  const uids: string[] = [];
  for (const leaver of leavers) {
    const uid = await identityOf(api, leaver);
    uids.push(uid);
    await bindTo(api, organization, uid, "viewer");
    await bindTo(api, team, uid, "editor");
  }
  const stays = await signUp();
  await bind(api, organization, stays, "viewer");
  await open(`people?group=${organization.uid}`);
  const people = page.getByRole("table", { name: "People" });
  const nameOf = async (uid: string) => (await api.get<{ name: string }>(`/iam/v2/identities/${uid}`)).name;
  const names = [await nameOf(uids[0] ?? ""), await nameOf(uids[1] ?? "")];
  for (const name of names) await people.getByRole("checkbox", { name: `Select ${name}` }).check();
  await page.getByRole("button", { name: "Remove access of 2 people" }).click();
  const dialog = page.getByRole("dialog", { name: /^Remove all access of / });
  await dialog.getByRole("button", { name: "Remove 4 role bindings" }).click();
  await expect(page.getByRole("region", { name: "Removed 4 role bindings" })).toBeVisible();
  for (const name of names) await expect(people.getByRole("link", { name })).toBeHidden();
  const staying = await nameOf(await identityOf(api, stays));
  await expect(people.getByRole("link", { name: staying })).toBeVisible();
  for (const uid of uids)
    expect(
      (await api.get<{ roleBindings?: object[] }>(`/iam/v2/roleBindings?identity=${uid}`)).roleBindings ?? [],
    ).toEqual([]);
});

test("a role that cannot list bindings leaves what one may do unknown, and unknown is not denied @long", async ({
  person,
  signUp,
  problems,
}) => {
  problems.allow(/status of 40[34] .*0000000000000000$/);
  const { api, organization } = person;
  const [machine = ""] = await createMachines(api, organization.uid, 1);
  await bindTo(api, organization, machine, "viewer");
  const keeper = await signUp();
  await bind(api, organization, keeper, [
    "CAP_IAM_GROUPS_LIST",
    "CAP_IAM_IDENTITY_LIST",
    "CAP_IAM_IDENTITY_DELETE",
    "CAP_IAM_GROUPS_CREATE",
  ]);
  const { page } = keeper;
  await keeper.open(`groups?group=${organization.uid}`);
  const create = page.getByRole("button", { name: "Create folder" }).first();
  await expect(create).toBeEnabled();
  await create.click();
  const drawer = page.getByRole("dialog", { name: "Create folder" });
  await drawer.getByRole("textbox", { name: "Name" }).fill("kept");
  await drawer.getByRole("button", { name: "Create folder" }).click();
  await expect(page.getByRole("table", { name: "Groups" }).getByRole("link", { name: "kept" })).toBeVisible();

  // Records the role cannot see still count: the machine has a role binding, which is deleted too.
  await keeper.open(`identities/${machine.replaceAll("/", "_")}?drawer=delete`);
  const dialog = page.getByRole("dialog", { name: "Delete identity m-000?" });
  await expect(dialog).toContainText("needs permission to view role bindings (role_bindings.list)");
  await expect(dialog.getByRole("textbox", { name: /^Type the name to confirm/ })).toBeVisible();
});
