import type { Group } from "platform-contract/iam/groups";
import type { Identity } from "platform-contract/iam/identities";
import type { RoleBinding } from "platform-contract/iam/role-bindings";
import type { Repo } from "platform-contract/registry/repos";

import { button, createMachines, pick } from "../bulk-delete";
import { expect, test } from "../fixtures";
import { folder, param } from "../records";
import { makeRepo } from "../repos";
import { digestOf, NO_IMAGE } from "../tags";

test("selected repos change their tier, but for those that take it from their source; others are deleted", async ({
  person,
  problems,
}) => {
  problems.allow(NO_IMAGE);
  const { page, api, organization, open } = person;
  const base = await makeRepo(person, { name: "alpine", catalogTier: "CATALOG_TIER_BASE" });
  const app = await makeRepo(person, { name: "nginx" });
  const sync_config = { source: base.uid };
  await makeRepo(person, { name: "mirror", sync_config });
  const old = await makeRepo(person, { name: "old" });
  await api.post(`/registry/v2/tags/${old.uid}`, { name: "1", digest: digestOf(1) });
  await open(`repos?group=${organization.uid}`);
  for (const name of ["alpine", "mirror", "nginx"]) await pick(page, `Select ${name}`).check();
  await button(page, "Change catalog tier").click();
  const dialog = page.getByRole("dialog", { name: "Change catalog tier of 2 repos" });
  await expect(dialog).toContainText("A synced repo takes its tier from its source");
  await expect(button(dialog, "Change 2 repos")).toHaveAttribute("aria-disabled", "true");
  await dialog.getByRole("combobox", { name: "New catalog tier" }).selectOption("Base");
  const one = page.getByRole("dialog", { name: "Change catalog tier of 1 repo" });
  await expect(one).toContainText("1: It already has this tier");
  await one.getByRole("combobox", { name: "New catalog tier" }).selectOption("FIPS");
  await button(dialog, "Change 2 repos").click();
  const job = page.getByRole("region", { name: "Changed 2 repos" });
  await expect(job).toContainText("2 of 2 changed");
  // The rows show it without a reload.
  await expect(page.getByRole("row").filter({ hasText: "nginx" })).toContainText("FIPS");
  for (const { uid } of [base, app])
    expect(await api.get<Repo>(`/registry/v2/repos/${uid}`)).toMatchObject({
      catalogTier: "CATALOG_TIER_FIPS",
    });
  await button(job, "Close").click();

  await pick(page, "Select old").check();
  await button(page, "Delete 1 repo").click();
  const deletion = page.getByRole("dialog", { name: "Delete 1 repo?" });
  await deletion.getByLabel(/Type the name/).fill("old");
  await button(deletion, "Delete 1 repo").click();
  await expect(page.getByRole("region", { name: "Deleted 1 repo" })).toContainText("1 of 1 deleted");
  await expect(page.getByRole("table", { name: "Repos" }).getByRole("link", { name: "old" })).toHaveCount(0);
  const { repos } = await api.get<{ repos: Repo[] }>(
    `/registry/v2/repos?uidp.children_of=${organization.uid}`,
  );
  expect(repos.map(({ name }) => name).toSorted()).toEqual(["alpine", "mirror", "nginx"]);
});

test("the rules of selected identities move to another issuer, and the identities get a role together", async ({
  person,
}) => {
  const { page, api, organization, open } = person;
  const [first = "", second = ""] = await createMachines(api, organization.uid, 3);
  await api.post(`/iam/v2/identities/${organization.uid}`, {
    name: "pattern",
    claimMatch: { issuerPattern: "https://.*\\.example", subject: "p" },
  });
  await open(`identities?group=${organization.uid}`);
  for (const name of ["m-000", "m-001", "pattern"]) await pick(page, `Select ${name}`).check();
  await button(page, "Change issuer").click();
  const dialog = page.getByRole("dialog", { name: /^Change issuer of/ });
  await expect(dialog).toContainText("Now: https://issuer.example (2)");
  await expect(dialog).toContainText("1: Its sign-in rule doesn't name an issuer");
  const field = dialog.getByLabel("New issuer");
  await field.fill("moved.example");
  await field.blur();
  await expect(field).toHaveAccessibleDescription(/Use an https:\/\/ address/);
  await field.fill("https://moved.example");
  await expect(dialog.getByText("Issuer not trusted yet")).toBeVisible();
  // Somebody changes one of them meanwhile: that change stays.
  await api.patch(`/iam/v2/identities/${second}?updateMask=claimMatch.issuer`, {
    claimMatch: { issuer: "https://other.example" },
  });
  await button(dialog, "Change 2 identities").click();
  const job = page.getByRole("region", { name: "Changed 1 of 2 identities" });
  await expect(job).toContainText("1 of 2 changed, 1 failed");
  await button(job, "Show items").click();
  await expect(job.getByRole("list", { name: "Reasons" })).toHaveText(
    "1: Someone else changed this meanwhile, so it was left as it is.",
  );
  const issuerOf = async (uid: string) => (await api.get<Identity>(`/iam/v2/identities/${uid}`)).claimMatch;
  expect(await issuerOf(first)).toMatchObject({ issuer: "https://moved.example", subject: "m-000" });
  expect(await issuerOf(second)).toMatchObject({ issuer: "https://other.example" });
  await button(job, "Close").click();

  for (const name of ["m-000", "m-002"]) await pick(page, `Select ${name}`).check();
  await button(page, "Grant access").click();
  const form = page.getByRole("dialog", { name: "Grant access" });
  await expect(form.getByRole("list", { name: "Chosen" }).getByRole("listitem")).toHaveCount(2);
  await form.getByRole("combobox", { name: /^Role/ }).selectOption({ label: "viewer (built-in)" });
  await button(form, "Grant access").click();
  await expect(page.getByText("Granted access to 2 identities")).toBeVisible();
  const { roleBindings } = await api.get<{ roleBindings: RoleBinding[] }>(
    `/iam/v2/roleBindings?uidp.children_of=${organization.uid}`,
  );
  const names = roleBindings.flatMap(({ identity, role }) => (role?.name === "viewer" ? identity?.name : []));
  expect(names.toSorted()).toEqual(["m-000", "m-002"]);
});

test("selected folders are deleted with what is in them, by one plan", async ({ person, problems }) => {
  problems.allow(/status of 40[34] /);
  const { page, api, organization, open } = person;
  const [team, other] = [await folder(api, organization, "team"), await folder(api, organization, "other")];
  await folder(api, organization, "keep");
  const inner = await folder(api, team, "inner");
  const role = await api.post<Group>(`/iam/v2/roles/${organization.uid}`, {
    name: "pusher",
    capabilities: ["CAP_REPO_LIST"],
  });
  const [machine] = await createMachines(api, organization.uid, 1);
  await api.post(`/iam/v2/roleBindings/${other.uid}`, { identityUid: machine, roleUid: role.uid });
  await makeRepo(person, { name: "nginx" }, inner.uid);
  await open(`groups?group=${param(organization)}`);
  for (const name of ["team", "inner", "other"]) await pick(page, `Select ${name}`).check();
  await button(page, "Delete with contents…").click();
  const plan = page.getByRole("dialog", { name: "Plan to delete 2 folders" });
  await expect(plan.getByRole("list", { name: "Order" }).getByRole("listitem")).toHaveText([
    "1 repo",
    "1 role binding",
    "1 folder",
    "the 2 folders",
  ]);
  await button(plan, "Delete 5 records").click();
  await expect(plan.getByText("Type 2 to confirm.")).toBeVisible();
  await plan.getByLabel("Type the number of folders to confirm: 2").fill("2");
  await button(plan, "Delete 5 records").click();
  const job = page.getByRole("region", { name: "Deleted 5 records" });
  await expect(job).toContainText("5 of 5 deleted");
  await expect(page.getByRole("table", { name: "Groups" }).getByRole("link")).toHaveText(["keep"]);
  const { groups } = await api.get<{ groups: Group[] }>(
    `/iam/v2/groups?uidp.descendants_of=${organization.uid}`,
  );
  expect(groups.map(({ name }) => name)).toEqual(["keep"]);
});
