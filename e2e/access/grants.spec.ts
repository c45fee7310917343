import type { Identity } from "platform-contract/iam/identities";

import { bind, identityOf } from "../bindings";
import { expect, test, type Person } from "../fixtures";
import { hasNoFinding } from "../lists";
import { folder, param } from "../records";
import { makeRepo } from "../repos";

/** Presses the copy button and returns the clipboard's text. */
const copied = async ({ context, page }: Person): Promise<string> => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy link" }).click();
  return page.evaluate(() => navigator.clipboard.readText());
};

test("a newcomer copies a link, an owner opens it and grants a role in a folder of the tree, and the newcomer works", async ({
  person,
  signUp,
}) => {
  const { page, api, organization, open } = person;
  const newcomer = await signUp();
  const team = await folder(api, await folder(api, organization, "products"), "team");
  await newcomer.open("");
  await expect(newcomer.page.getByRole("heading", { name: "No access yet", level: 1 })).toBeVisible();
  await open(await copied(newcomer));
  const form = page.getByRole("dialog", { name: "Grant access" });
  await expect(form.getByRole("list", { name: "Chosen" }).getByRole("listitem")).toHaveCount(1);
  await form.getByRole("button", { name: "Find a folder" }).focus();
  await page.keyboard.press("Enter");
  const tree = form.getByRole("tree", { name: "All groups" });
  await tree.getByRole("treeitem", { name: organization.name, exact: true }).focus();
  await expect(tree.getByRole("treeitem", { name: "products" })).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await expect(tree.getByRole("treeitem", { name: "team" })).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(tree).toBeHidden();
  await expect(form.getByLabel("Folder")).toHaveValue(team.uid);
  await form.getByLabel("Role").selectOption({ label: "editor (built-in)" });
  await form.getByRole("button", { name: "Grant access" }).click();
  await expect(page.getByText("Granted access").first()).toBeVisible();

  await newcomer.open(`repos?group=${param(team)}`);
  await newcomer.page.getByRole("button", { name: "Create repo" }).first().click();
  const create = newcomer.page.getByRole("dialog", { name: "Create repo" });
  await create.getByRole("textbox", { name: "Name", exact: true }).fill("first");
  await create.getByRole("button", { name: "Create repo" }).click();
  await expect(newcomer.page.getByRole("table").getByRole("link", { name: "first" })).toBeVisible();
});

test("bindings are filtered by an identity, a role and a group that are found by name @long", async ({
  person,
  signUp,
}) => {
  const { page, api, organization, open } = person;
  const team = await folder(api, organization, "team");
  const other = await signUp();
  await bind(api, team, other, "viewer");
  await bind(api, organization, other, "editor");
  // A person has no name here until they first sign in.
  await other.open("");
  const [name = ""] = other.email.split("@");
  await open(`role-bindings?group=${organization.uid}`);
  const rows = page.getByRole("table").getByRole("link");
  await expect(rows).toHaveCount(3);
  const bar = page.getByRole("search");

  await bar.getByRole("button", { name: "Identity any" }).click();
  const panel = page.getByRole("dialog", { name: "Identity" });
  await panel.getByRole("searchbox").fill(name);
  await expect(panel.getByRole("list", { name: "Matches" }).getByRole("button")).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(rows).toHaveCount(2);
  await expect(bar.getByRole("button", { name: `Identity ${name}` })).toBeFocused();
  await expect(page).toHaveURL(new RegExp(`identity=${param(await identityOf(api, other))}`));

  await bar.getByRole("button", { name: "Role any" }).click();
  await page.getByRole("dialog", { name: "Role" }).getByRole("searchbox").fill("view");
  await page
    .getByRole("list", { name: "Roles" })
    .getByRole("button", { name: /^viewer/ })
    .click();
  await expect(rows).toHaveCount(1);
  await expect(bar.getByRole("button", { name: "Role viewer" })).toBeVisible();
  await hasNoFinding(page, "main");
  await page.goBack();
  await expect(rows).toHaveCount(2);
  await bar.getByRole("button", { name: 'Clear "Identity"' }).click();
  await expect(rows).toHaveCount(3);

  await bar.getByRole("button", { name: `Folder ${organization.name}` }).click();
  const tree = page.getByRole("dialog", { name: "Folder" }).getByRole("tree");
  await tree.getByRole("treeitem", { name: "team" }).click();
  await expect(rows).toHaveCount(1);
  await expect(page).toHaveURL(new RegExp(`group=${param(team)}`));
});

test("a viewer sees each action refused with its capability, and can lay down their own role @long", async ({
  person,
  signUp,
  problems,
}) => {
  await person.open("");
  const { api, organization } = person;
  const viewer = await signUp();
  await bind(api, organization, viewer, "viewer");
  const { page, open } = viewer;
  await open(`role-bindings?group=${organization.uid}`);
  const grant = page.getByRole("button", { name: "Grant access" });
  await expect(grant).toHaveAccessibleDescription(/\(role_bindings\.create\)/);
  const nameOf = ({ email }: Person) => email.split("@")[0] ?? "";
  const menuOf = async (of: Person) => {
    await page.getByRole("button", { name: `Actions for ${nameOf(of)}` }).click();
    return page.getByRole("menu");
  };
  const theirs = await menuOf(person);
  await expect(theirs.getByRole("menuitem", { name: /^Edit/ })).toContainText("(role_bindings.update)");
  await expect(theirs.getByRole("menuitem", { name: /^Delete/ })).toContainText("(role_bindings.delete)");
  await page.keyboard.press("Escape");
  const [own] = (
    await api.get<{ roleBindings: { uid: string }[] }>(
      `/iam/v2/roleBindings?identity=${await identityOf(api, viewer)}`,
    )
  ).roleBindings;
  const [theirBinding] = (
    await api.get<{ roleBindings: { uid: string }[] }>(
      `/iam/v2/roleBindings?identity=${await identityOf(api, person)}`,
    )
  ).roleBindings;
  const refusal = await viewer.api.refusal("DELETE", `/iam/v2/roleBindings/${theirBinding?.uid}`);
  expect(JSON.stringify(refusal)).toContain("CAP_IAM_ROLE_BINDINGS_DELETE");

  // The screen refetches its data, which the person can no longer see.
  problems.allow(/status of 403 /);
  const mine = await menuOf(viewer);
  await mine.getByRole("menuitem", { name: /^Delete/ }).click();
  const question = page.getByRole("dialog", { name: /^Remove .* role/ });
  await expect(question.getByText("This is your own access")).toBeVisible();
  await question.getByLabel(/^Type the name/).fill(`${nameOf(viewer)}, viewer in ${organization.name}`);
  await question.getByRole("button", { name: "Remove role" }).click();
  await expect(page.getByRole("heading", { name: "No access yet" })).toBeVisible();
  const gone = await api.refusal("GET", `/iam/v2/roleBindings/${own?.uid}`);
  expect(gone.http).toBe(404);
});

test("the page of a repo says who can push there @long", async ({ person, signUp }) => {
  const { page, api, organization, open } = person;
  const team = await folder(api, organization, "team");
  const repo = await makeRepo(person, { name: "app" }, team.uid);
  const other = await signUp();
  await bind(api, team, other, "viewer");
  await open(`repos/${param(repo)}`);
  await page.getByRole("link", { name: "Who has access" }).click();
  const near = page.getByRole("region", { name: /^From folder team/ });
  await expect(near.getByRole("link", { name: "viewer" })).toBeVisible();
  await page.getByLabel("Who can").selectOption({ label: "push images (manifest.create)" });
  await expect(near.getByText("No one can do this through a role granted there.")).toBeVisible();
  const far = page.getByRole("region", { name: new RegExp(`^From organization ${organization.name}`) });
  await expect(far.getByRole("link", { name: "owner" })).toBeVisible();
  await hasNoFinding(page, "main");
  await page.getByRole("button", { name: "Grant access" }).click();
  await expect(page.getByRole("dialog").getByLabel("Folder")).toHaveValue(team.uid);
});

test("an identity is created with a role; where the role is refused it is deleted again from the same form @long", async ({
  person,
  signUp,
  problems,
}) => {
  const { api, organization } = person;
  const capabilities = ["GROUPS_LIST", "ROLES_LIST", "ROLE_BINDINGS_CREATE"].map((name) => `CAP_IAM_${name}`);
  for (const verb of ["CREATE", "LIST", "DELETE"]) capabilities.push(`CAP_IAM_IDENTITY_${verb}`);
  const makeRole = (name: string) =>
    api.post<{ uid: string }>(`/iam/v2/roles/${organization.uid}`, { name, capabilities });
  const role = await makeRole("ci");
  const growing = await makeRole("deploy");
  const keeper = await signUp();
  await bind(api, organization, keeper, role.uid);
  const { page, open } = keeper;
  await open(`identities?group=${organization.uid}&drawer=create`);
  const form = page.getByRole("dialog");
  await form.getByRole("radio", { name: /OIDC claims/ }).check();
  await form.getByRole("textbox", { name: "Name", exact: true }).fill("deployer");
  await form.getByRole("textbox", { name: "Issuer", exact: true }).fill("https://issuer.example");
  await form.getByRole("textbox", { name: "Subject", exact: true }).fill("deployer");
  await expect(form.getByRole("option", { name: /^owner \(.* you don't have\)$/ })).toBeDisabled();
  await form.getByLabel("Role").selectOption({ label: "deploy (custom)" });
  // Meanwhile the chosen role gets a capability that its grantor lacks, so only the service knows that it is too much.
  await api.patch(`/iam/v2/roles/${growing.uid}?updateMask=capabilities`, {
    capabilities: [...capabilities, "CAP_REPO_DELETE"],
  });
  problems.allow(/status of 403 .*\/iam\/v2\/roleBindings:batchCreate/);
  await form.getByRole("button", { name: "Create identity" }).click();
  await expect(form.getByText("deployer was created, but has no role yet")).toBeVisible();
  const named = () => api.get<{ identities: Identity[] }>("/iam/v2/identities?name=deployer");
  expect((await named()).identities).toHaveLength(1);
  await form.getByRole("button", { name: "Delete the identity" }).click();
  await expect(form.getByRole("textbox", { name: "Name", exact: true })).toHaveValue("deployer");
  expect((await named()).identities).toHaveLength(0);

  await form.getByLabel("Role").selectOption({ label: "ci (custom)" });
  await form.getByRole("button", { name: "Create identity" }).click();
  await expect(form).toBeHidden();
  const [made] = (await named()).identities;
  expect(await api.get(`/iam/v2/roleBindings?identity=${made?.uid}&role=${role.uid}`)).toMatchObject({
    totalCount: "1",
  });
});

test("a role is found by what it can do, and says what it can, and what is more than a machine needs", async ({
  person,
}) => {
  const { page, api, organization } = person;
  await api.post(`/iam/v2/roles/${organization.uid}`, {
    name: "release",
    capabilities: ["CAP_MANIFEST_LIST", "CAP_REPO_BLOBS_GET", "CAP_MANIFEST_CREATE", "CAP_TAG_CREATE"],
  });
  const machine = await api.post<{ uid: string }>(`/iam/v2/identities/${organization.uid}`, {
    name: "builder",
    claimMatch: { issuer: "https://issuer.example", subject: "builder" },
  });
  await person.open(`role-bindings?group=${param(organization)}&drawer=create&identity=${param(machine)}`);
  const form = page.getByRole("dialog", { name: "Grant access" });
  await form.getByRole("button", { name: "Find a role" }).click();
  const search = form.getByRole("searchbox", { name: "Find roles" });
  const roles = form.getByRole("list", { name: "Roles" }).getByRole("button");
  // Before anything is typed: every built-in role, wherever one is.
  await expect(roles.filter({ hasText: "viewer" }).first()).toBeVisible();
  await search.fill("push");
  // The editor's words say that it can't push, so it is not among these.
  await expect(roles).toHaveCount(2);
  await expect(roles.nth(0)).toContainText(/^release custom/);
  await expect(roles.nth(0)).toContainText("4 capabilities: can pull and push images");
  await expect(roles.nth(0)).toContainText("(manifest.create)");
  await expect(roles.nth(0)).not.toContainText("More than a machine needs");
  await expect(roles.nth(1)).toContainText(/^owner built-in/);
  await expect(roles.nth(1)).toContainText("Can do everything where it is granted and below. ");
  await expect(roles.nth(1)).toContainText("More than a machine needs for images");
  await search.fill("tag.del");
  await expect(roles).toHaveCount(1);
  await search.fill("release");
  await search.press("Enter");
  await expect(form.getByRole("combobox", { name: /^Role/ }).locator("option:checked")).toHaveText(
    "release (custom)",
  );
  await expect(search).toBeHidden();
  await form.getByRole("button", { name: "Grant access" }).click();
  await expect(page.getByText("Granted access").first()).toBeVisible();
});
