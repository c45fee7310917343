import type { Locator } from "@playwright/test";

import type { Role } from "platform-contract/iam/roles";

import { bind } from "../bindings";
import { expect, gate, test } from "../fixtures";
import { hasNoFinding, machine } from "../lists";
import { folder, param } from "../records";

const READS = ["CAP_IAM_GROUPS_LIST", "CAP_REPO_LIST"];

/** Opens an area of the picker and checks some of its capabilities. */
async function tick(form: Locator, area: string, ...names: RegExp[]): Promise<void> {
  const group = form.getByRole("group", { name: area, exact: true });
  if (await group.isHidden()) await form.getByRole("button", { name: new RegExp(`^${area}`) }).click();
  for (const name of names) await group.getByRole("checkbox", { name }).click();
}

test(
  "a role is made with the picker, edited by what differs, and found by what it holds",
  gate,
  async ({ person, problems }) => {
    const { page, organization, open } = person;
    const form = page.getByRole("dialog");
    await open(`roles?group=${organization.uid}`);
    await expect(page.getByRole("heading", { name: "No roles here yet" })).toBeVisible();
    await page.getByRole("button", { name: "Create role" }).first().click();
    await form.getByRole("button", { name: "Create role" }).click();
    await expect(form.getByRole("textbox", { name: "Name", exact: true })).toBeFocused();
    await expect(form.getByText("At least one capability is required")).toBeVisible();
    await form.getByRole("textbox", { name: "Name", exact: true }).fill("reader");
    await tick(form, "Groups and invites", /^View groups/);
    const area = form.getByRole("checkbox", { name: "All of Groups and invites" });
    expect(await area.evaluate((box: HTMLInputElement) => box.indeterminate)).toBe(true);
    const search = form.getByRole("searchbox", { name: "Search capabilities" });
    await search.fill("CAP_NOT_THERE");
    await form.getByRole("button", { name: "Add CAP_NOT_THERE" }).click();
    problems.allow(/status of 400/);
    await form.getByRole("button", { name: "Create role" }).click();
    await expect(form.getByText('"CAP_NOT_THERE" is not a capability')).toBeVisible();
    await expect(search).toBeFocused();
    await tick(form, "Unknown to this console", /CAP_NOT_THERE/);
    await search.fill("repo.list");
    await form.getByRole("checkbox", { name: /^View repos/ }).check();
    const created = page.waitForRequest((request) => request.method() === "POST");
    await form.getByRole("button", { name: "Create role" }).click();
    expect((await created).postDataJSON()).toEqual({ name: "reader", description: "", capabilities: READS });

    await page.getByRole("table").getByRole("link", { name: "reader" }).click();
    await expect(page.getByRole("heading", { name: "reader", level: 1 })).toBeVisible();
    await expect(page.getByText("View repos repo.list")).toBeVisible();
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await tick(form, "Groups and invites", /^View groups/, /^Create groups/);
    await expect(form.getByRole("region", { name: "Chosen capabilities" })).toContainText(
      "1 added, 1 removed",
    );
    await hasNoFinding(page, "[role=dialog]");
    const saved = page.waitForRequest((request) => request.method() === "PATCH");
    await form.getByRole("button", { name: "Save changes" }).click();
    expect(new URL((await saved).url()).searchParams.get("updateMask")).toBe("capabilities");
    expect((await saved).postDataJSON()).toEqual({
      capabilities: ["CAP_IAM_GROUPS_CREATE", "CAP_REPO_LIST"],
    });
    await expect(form).toBeHidden();
    await expect(page.getByText("Create groups groups.create")).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(/roles\?group=/);
    await open(`roles?holds=repo.list&group=${organization.uid}`);
    await expect(page.getByText("1 of 1 role").first()).toBeVisible();
    await hasNoFinding(page, "main");
  },
);

test("a role that somebody has is not deleted: the refusal says who; without them it goes @long", async ({
  person,
  problems,
}) => {
  const { page, api, organization, open } = person;
  const reader = { name: "reader", capabilities: READS };
  const { uid } = await api.post<Role>(`/iam/v2/roles/${organization.uid}`, reader);
  const robot = await api.post<{ uid: string }>(`/iam/v2/identities/${organization.uid}`, machine("robot"));
  const grant = () =>
    api.post<{ uid: string }>(`/iam/v2/roleBindings/${organization.uid}`, {
      identityUid: robot.uid,
      roleUid: uid,
    });
  const first = await grant();
  await open(`roles?group=${organization.uid}`);
  await expect(page.getByRole("table").getByRole("link", { name: "1 role binding" })).toBeVisible();
  await page.getByRole("button", { name: "Actions for reader" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog");
  const blocking = `robot in ${organization.name}`;
  await expect(dialog.getByRole("link", { name: blocking })).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Delete role" })).toHaveAccessibleDescription(
    "Someone has this role",
  );
  await api.delete(`/iam/v2/roleBindings/${first.uid}`);
  await open(`roles/${param({ uid })}?drawer=delete`);
  await expect(dialog.getByText("No one has this role.")).toBeVisible();
  // Another user grants it while the dialog is open.
  const second = await grant();
  problems.allow(/status of 400/);
  await dialog.getByRole("button", { name: "Delete role" }).click();
  const alert = dialog.getByRole("alert");
  await expect(alert).toContainText("1 role binding grants this role");
  await hasNoFinding(page, "[role=dialog]");
  await alert.getByRole("link", { name: blocking }).click();
  await expect(page.getByRole("heading", { level: 1, name: /^robot, reader/ })).toBeVisible();
  await api.delete(`/iam/v2/roleBindings/${second.uid}`);
  await open(`roles/${param({ uid })}?drawer=delete`);
  await dialog.getByRole("button", { name: "Delete role" }).click();
  await expect(page.getByText("Deleted role reader").first()).toBeVisible();
  await api.refusal("GET", `/iam/v2/roles/${uid}`);
});

test("built-in roles are duplicated by a link, and compared by their differences @long", async ({
  person,
}) => {
  const { page, api, organization, open } = person;
  await open("roles");
  const table = page.getByRole("table");
  await page.getByRole("button", { name: "Actions for viewer", exact: true }).click();
  await expect(page.getByRole("menuitem", { name: /Edit/ })).toContainText("Built-in roles can't be changed");
  await page.getByRole("menuitem", { name: "Duplicate as custom" }).click();
  await page.reload();
  const form = page.getByRole("dialog");
  await expect(form.getByRole("textbox", { name: "Name", exact: true })).toHaveValue("viewer copy");
  await form.getByLabel("Folder").selectOption({ label: organization.name });
  await form.getByRole("checkbox", { name: "All of Libraries" }).click();
  await tick(form, "Policies", /^View policies/);
  await form.getByRole("button", { name: "Create role" }).click();
  await expect(page.getByText("Created role viewer copy").first()).toBeVisible();
  const { roles } = await api.get<{ roles: Role[] }>(
    `/iam/v2/roles?uidp.children_of=${organization.uid}&name=viewer+copy`,
  );
  expect(roles[0]?.capabilities).toContain("CAP_LIBRARIES_GO_CREATE");
  expect(roles[0]?.capabilities).not.toContain("CAP_POLICIES_POLICY_LIST");

  for (const name of ["viewer", "viewer copy"])
    await table.getByRole("checkbox", { name: `Select ${name}`, exact: true }).check();
  await page.getByRole("link", { name: "Compare 2 roles" }).click();
  const matrix = page.getByRole("table");
  await expect(matrix.getByRole("row", { name: /^View groups/ }).getByText("Yes")).toHaveCount(2);
  await page.getByRole("checkbox", { name: "Only differences" }).check();
  await expect(matrix.getByRole("row", { name: /^View groups/ })).toBeHidden();
  await page.reload();
  await expect(matrix.getByRole("row", { name: /^View policies/ }).getByText("Yes")).toHaveCount(1);
  await page.getByLabel("Another role").selectOption({ label: "owner (138)" });
  await page.getByRole("button", { name: "Add role" }).click();
  await expect(matrix.getByRole("columnheader", { name: /^owner/ })).toBeVisible();
  await hasNoFinding(page, "main");
});

test("a viewer is told which capability is missing, and nobody gives what they lack @long", async ({
  person,
  signUp,
}) => {
  const { api, organization } = person;
  const [viewer, maker] = [await signUp(), await signUp()];
  await bind(api, organization, viewer, "viewer");
  const team = await folder(api, organization, "team");
  await bind(api, team, maker, [
    ...READS,
    "CAP_IAM_ROLES_CREATE",
    "CAP_IAM_ROLES_LIST",
    "CAP_IAM_ROLE_BINDINGS_LIST",
  ]);

  await viewer.open(`roles?group=${organization.uid}`);
  await expect(viewer.page.getByRole("button", { name: "Create role" }).first()).toHaveAccessibleDescription(
    /permission to create roles \(roles\.create\)/,
  );

  const { page } = maker;
  await maker.open(`roles?drawer=create&group=${param(team)}`);
  const form = page.getByRole("dialog");
  await tick(form, "Repos, tags, and images");
  const create = form.getByRole("checkbox", { name: /^Create repos/ });
  await expect(create).toHaveAccessibleDescription("You don't have this in this group");
  await create.press("Space");
  await expect(create).not.toBeChecked();
  await form.getByRole("checkbox", { name: "All of Repos, tags, and images" }).click();
  await expect(form.getByText("1 capability chosen")).toBeVisible();
  await form.getByLabel("Add all capabilities of a role").selectOption({ label: "viewer (51)" });
  await form.getByRole("button", { name: "Add to this role" }).click();
  await expect(form.getByText(/^Added 3 capabilities from viewer\. 47 skipped/)).toBeVisible();
  await form.getByRole("textbox", { name: "Name", exact: true }).fill("small");
  await form.getByRole("button", { name: "Create role" }).click();
  await expect(page.getByText("Created role small").first()).toBeVisible();
  expect(await api.get(`/iam/v2/roles?uidp.children_of=${team.uid}`)).toMatchObject({ totalCount: "2" });
});
