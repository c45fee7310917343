import type { Subscription } from "platform-contract/events/subscriptions";
import type { Group } from "platform-contract/iam/groups";
import type { Identity } from "platform-contract/iam/identities";
import { roleUidOf, type RoleBinding } from "platform-contract/iam/role-bindings";
import type { Role } from "platform-contract/iam/roles";
import type { Repo } from "platform-contract/registry/repos";

import type { Api } from "../api";
import { bind, bindTo, identityOf } from "../bindings";
import { expect, test, type Owner } from "../fixtures";
import { folder, param } from "../records";
import { makeRepo, writeReadme } from "../repos";

const END = "2031-01-01T00:00:00Z";

/** A folder with one of everything that can be made again, and what can't. */
async function fill(person: Owner): Promise<{ readonly team: Group; readonly place: Group }> {
  const { api, organization } = person;
  const team = await folder(api, organization, "team");
  const place = await folder(api, organization, "place");
  const inner = await folder(api, team, "inner");
  const role = await api.post<Role>(`/iam/v2/roles/${team.uid}`, {
    name: "pusher",
    description: "Pushes",
    capabilities: ["CAP_REPO_LIST"],
  });
  const ci = await api.post<Identity>(`/iam/v2/identities/${team.uid}`, {
    name: "ci",
    claimMatch: { issuer: "https://issuer.example", subject: "ci" },
  });
  await api.post(`/iam/v2/roleBindings/${inner.uid}`, {
    identityUid: ci.uid,
    roleUid: role.uid,
    expirationTime: END,
  });
  await bindTo(api, team, await identityOf(api, person), "viewer");
  const repo = await makeRepo(person, { name: "nginx", description: "Serves" }, inner.uid);
  await writeReadme(person, repo.uid, "# How to pull");
  await api.post(`/registry/v2/tags/${repo.uid}`, { name: "1", digest: `sha256:${"a".repeat(64)}` });
  const { roles } = await api.get<{ roles: Role[] }>("/iam/v2/roles?name=viewer");
  await api.post(`/iam/v2/groupInvites/${team.uid}`, { roleUid: roles[0]?.uid, ttl: "86400s" });
  await api.post(`/events/v2/subscriptions/${inner.uid}`, { sink: "http://127.0.0.1:9/hook" });
  return { team, place };
}

const below = async <T>(api: Api, path: string, group: string): Promise<readonly T[]> => {
  const answer = await api.get<Record<string, T[]>>(`/${path}?uidp.descendants_of=${group}&order_by=uid`);
  return answer[path.split("/")[2] ?? ""] ?? [];
};

/** What is below a group, as the service has it. */
async function contents(api: Api, group: string) {
  const [groups, identities, roles, roleBindings, repos, subscriptions] = await Promise.all([
    below<Group>(api, "iam/v2/groups", group),
    below<Identity>(api, "iam/v2/identities", group),
    below<Role>(api, "iam/v2/roles", group),
    below<RoleBinding>(api, "iam/v2/roleBindings", group),
    below<Repo>(api, "registry/v2/repos", group),
    below<Subscription>(api, "events/v2/subscriptions", group),
  ]);
  return { groups, identities, roles, roleBindings, repos, subscriptions };
}

test("a folder is made again in another place with what is in it, and once however often it is moved", async ({
  person,
}) => {
  const { page, api, open } = person;
  const { team, place } = await fill(person);
  await open(`groups/${param(team)}`);
  await page.getByRole("button", { name: "More actions for team" }).click();
  await page.getByRole("menuitem", { name: "Move…" }).click();
  const move = page.getByRole("dialog", { name: "Move team" });
  const start = move.getByRole("button", { name: /^Copy/ });
  await expect(move).toContainText("Nothing is deleted");
  await expect(start).toHaveAttribute("aria-disabled", "true");

  // Not into itself, nor where it is.
  const node = (name: string) => move.getByRole("treeitem", { name, exact: true });
  await node("team").click();
  await expect(move.getByRole("alert")).toContainText("A folder can't be in itself.");
  await move.getByRole("button", { name: "Change" }).click();
  await node(person.organization.name).click();
  await expect(move.getByRole("alert")).toContainText("It is in this place already.");
  await move.getByRole("button", { name: "Change" }).click();
  await node("place").click();
  await expect(move.getByRole("list", { name: "Order" }).getByRole("listitem")).toHaveText([
    "2 folders",
    "1 identity",
    "1 role",
    "2 role bindings",
    "1 repo, with settings and readme, without images",
    "1 event subscription",
  ]);
  const left = move.getByRole("region", { name: "Not copied" }).getByRole("row");
  await expect(left).toContainText([/What/, /1 invite.*Invite again/, /1 tag.*Push the images again/]);
  await expect(move.getByRole("list", { name: "Different afterwards" })).toContainText(
    "need the new one (1 identity)",
  );

  // The place is part of the address.
  await page.reload();
  await expect(start).toHaveText("Copy to place");
  await start.click();
  await expect(move).toContainText("It is in place now, and still in the old place");

  const moved = await contents(api, place.uid);
  const [top, inner] = moved.groups;
  expect([top?.name, inner?.name]).toEqual(["team", "inner"]);
  expect(inner?.uid.startsWith(`${top?.uid}/`)).toBe(true);
  const [ci] = moved.identities;
  expect(ci).toMatchObject({ name: "ci", claimMatch: { issuer: "https://issuer.example", subject: "ci" } });
  const [role] = moved.roles;
  expect(role).toMatchObject({ name: "pusher", description: "Pushes", capabilities: ["CAP_REPO_LIST"] });
  const machine = moved.roleBindings.find((binding) => binding.uid.startsWith(`${inner?.uid}/`));
  expect(machine?.identityUid ?? machine?.identity?.uid).toBe(ci?.uid);
  expect(machine && roleUidOf(machine)).toBe(role?.uid);
  expect(Date.parse(machine?.expirationTime ?? "")).toBe(Date.parse(END));
  expect(moved.roleBindings).toHaveLength(2);
  const [repo] = moved.repos;
  expect(repo).toMatchObject({ name: "nginx", description: "Serves" });
  expect(await api.get(`/registry/v2/repos/${repo?.uid}/readme`)).toMatchObject({ content: "# How to pull" });

  expect(moved.subscriptions).toMatchObject([{ sink: "http://127.0.0.1:9/hook" }]);

  const both = move.getByRole("region", { name: "Old and new" }).first();
  await expect(both.getByRole("row", { name: /^Role bindings/ })).toHaveText(/Role bindings\s*2\s*2/);
  await expect(both.getByRole("row", { name: /^Tags/ })).toHaveText(/Tags\s*1\s*0/);
  const saved = page.waitForEvent("download");
  await move.getByRole("button", { name: "Export as CSV" }).click();
  const file = Buffer.concat(await (await (await saved).createReadStream()).toArray()).toString();
  expect(file).toContain("name,uid,new uid,folder");
  expect(file).toContain(`folder team,${team.uid},${top?.uid},place`);

  // Again: it says before what is there, and makes nothing twice.
  await move.getByRole("button", { name: "Close" }).last().click();
  await expect(move).toBeHidden();
  await page.goto(
    new URL(`groups/${param(team)}?drawer=move&item=${param(place)}`, page.url()).href.replace(
      "groups/groups",
      "groups",
    ),
  );
  await expect(move).toContainText("place has a folder named team already");
  await start.click();
  await expect(move).toContainText("It is in place now, and still in the old place");
  await expect(move.getByText("It was already there.")).toHaveCount(8);
  expect(await contents(api, place.uid)).toEqual(moved);

  await move.getByRole("link", { name: "Delete the old folder with its contents" }).click();
  const plan = page.getByRole("dialog", { name: "Plan to delete folder team" });
  await expect(plan.getByRole("row", { name: /team/ }).last()).toContainText(person.organization.name);
});

test("what failed keeps the service's reason, and what belongs to it is not tried", async ({
  person,
  problems,
}) => {
  problems.allow(/status of 400 .*\/iam\/v2\/roles\//);
  const { page, api, open } = person;
  const { team, place } = await fill(person);
  await open(`groups/${param(team)}?drawer=move&item=${param(place)}`);
  const move = page.getByRole("dialog", { name: "Move team" });
  const start = move.getByRole("button", { name: "Copy to place" });
  await start.click();
  await expect(move).toContainText("It is in place now");
  const moved = await contents(api, place.uid);
  // Somebody changes the new role meanwhile.
  const [role] = moved.roles;
  await api.delete(
    `/iam/v2/roleBindings/${moved.roleBindings.find((each) => roleUidOf(each) === role?.uid)?.uid}`,
  );
  await api.patch(`/iam/v2/roles/${role?.uid}`, { capabilities: ["CAP_TAG_LIST"] });
  await move.getByRole("button", { name: "Close" }).last().click();
  await open(`groups/${param(team)}?drawer=move&item=${param(place)}`);
  await start.click();
  await expect(move).toContainText("Not everything is there");
  await expect(move.getByRole("list", { name: "Reasons" }).getByRole("listitem")).toHaveText([
    "1: There is another one by this name with other values, which was left as it is.",
    "1: Not tried: role pusher isn't there.",
  ]);
  await api.patch(`/iam/v2/roles/${role?.uid}`, { capabilities: ["CAP_REPO_LIST"] });
  await move.getByRole("button", { name: "Retry 2 failed" }).click();
  await expect(move).toContainText("It is in place now, and still in the old place");
  expect((await contents(api, place.uid)).roleBindings).toHaveLength(2);
});

test("says before the start what a person can't create there, and doesn't start where they can't create folders", async ({
  person,
  signUp,
}) => {
  const { api, organization } = person;
  const { team, place } = await fill(person);
  const other = await folder(api, organization, "other");
  const mover = await signUp();
  await bind(api, team, mover, "viewer");
  await bind(api, place, mover, [
    "CAP_IAM_GROUPS_LIST",
    "CAP_IAM_GROUPS_CREATE",
    "CAP_IAM_IDENTITY_CREATE",
    "CAP_IAM_IDENTITY_LIST",
  ]);
  await bind(api, other, mover, "viewer");
  const { page } = mover;
  await mover.open(`groups/${param(team)}?drawer=move&item=${param(other)}`);
  const move = page.getByRole("dialog", { name: "Move team" });
  await expect(move.getByRole("alert")).toContainText(
    "You need permission to create folders (groups.create) there.",
  );
  await mover.open(`groups/${param(team)}?drawer=move&item=${param(place)}`);
  await expect(move.getByRole("list", { name: "Order" }).getByRole("listitem")).toHaveText([
    "2 folders",
    "1 identity",
  ]);
  const left = move.getByRole("region", { name: "Not copied" }).first();
  await expect(left).toContainText("You need permission to create roles (roles.create) in place.");
  await expect(left).toContainText("You need permission to create repos (repo.create) in place.");
  await move.getByRole("button", { name: "Copy to place" }).click();
  await expect(move).toContainText("It is in place now, and still in the old place");
  await expect(move).toContainText("The old folder stays until somebody deletes it. You need permission");
  const moved = await contents(api, place.uid);
  expect([moved.groups.length, moved.identities.length]).toEqual([2, 1]);
  expect(moved.roles.map(({ name }) => name)).not.toContain("pusher");
});

test("an empty folder is moved by its row's menu, and nothing is compared", async ({ person }) => {
  const { page, api, organization, open } = person;
  await folder(api, organization, "team");
  await folder(api, organization, "place");
  await open(`groups?group=${organization.uid}`);
  await page.getByRole("button", { name: "Actions for team" }).click();
  await page.getByRole("menuitem", { name: "Move…" }).click();
  const move = page.getByRole("dialog", { name: "Move team" });
  await expect(move.getByRole("searchbox", { name: "Search folders" })).toBeFocused();
  await page.keyboard.type("place");
  await expect(move.getByRole("link", { name: /place/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await move.getByRole("button", { name: "Copy to place" }).click();
  await expect(move).toContainText("It is in place now, and still in the old place");
  await expect(move).toContainText("lists the old and the new ID of each record");
  await expect(move.getByRole("region", { name: "Old and new" })).toHaveCount(0);
});

test("a folder that is dragged onto another one gets the plan of its move, but not by who can't do it", async ({
  person,
  signUp,
}) => {
  const { page, api, organization, open } = person;
  const team = await folder(api, organization, "team");
  await folder(api, team, "inner");
  const place = await folder(api, organization, "place");
  const node = (of: typeof page, name: string) => of.getByRole("treeitem", { name, exact: true });
  await open("identities");
  // Not onto what it is in, which stays as it is.
  await node(page, "team").dragTo(node(page, organization.name));
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await node(page, "team").dragTo(node(page, "place"));
  const move = page.getByRole("dialog", { name: "Move team" });
  await expect(move.getByRole("button", { name: "Copy to place" })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/groups/${param(team)}\\?.*item=${param(place)}`));
  await expect(move.getByRole("list", { name: "Order" })).toContainText("2 folders");

  const viewer = await signUp();
  await bind(api, organization, viewer, "viewer");
  await viewer.open("identities");
  await expect(node(viewer.page, "place")).toBeVisible();
  await node(viewer.page, "team").dragTo(node(viewer.page, "place"));
  await expect(viewer.page.getByRole("heading", { name: "Identities", level: 1 })).toBeVisible();
  await expect(viewer.page.getByRole("dialog")).toHaveCount(0);
});
