import { bind, bindTo, identityOf } from "../bindings";
import { createMachines } from "../bulk-delete";
import { expect, test } from "../fixtures";
import { hasNoFinding } from "../lists";
import { folder, param } from "../records";
import { createRepo } from "../tags";

test("why a machine can't pull is answered with the smallest role, and granting that makes it a yes", async ({
  person,
}) => {
  const { page, api, organization, open } = person;
  const team = await folder(api, organization, "team-a");
  const repo = await createRepo(api, team.uid);
  const [machine = ""] = await createMachines(api, organization.uid, 1);
  const { name } = await api.get<{ name: string }>(`/iam/v2/identities/${machine}`);

  await open(`repos?group=${param(team)}`);
  await page.getByRole("button", { name: "Actions for python" }).click();
  await page.getByRole("menuitem", { name: "Why somebody can't pull or push" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Can they do that?" })).toBeVisible();
  await expect(page.getByText("Who is it about?")).toBeVisible();
  await page.getByRole("button", { name: "Ask about yourself" }).click();
  await expect(page.getByText("You can pull images in repo python")).toBeVisible();
  await page.getByRole("button", { name: /^Who / }).click();
  await page.getByRole("searchbox", { name: "Find people and machines" }).fill(name);
  await page.getByRole("dialog", { name: "Who" }).getByRole("button", { name }).click();
  await expect(page.getByText(`${name} can't pull images in repo python`)).toBeVisible();
  await expect(page.getByText(/Missing: .*repo\.blobs\.get/)).toBeVisible();
  await hasNoFinding(page, "main");

  await page.getByRole("link", { name: "Grant registry.pull", exact: true }).click();
  const form = page.getByRole("dialog", { name: "Grant access" });
  await expect(form.getByText(name, { exact: true })).toBeVisible();
  await form.getByRole("button", { name: "Grant access" }).click();
  await expect(form).toBeHidden();
  await page.goBack();
  await expect(page.getByText(`${name} can pull images in repo python`)).toBeVisible();
  await expect(page.getByRole("link", { name: "granted in team-a" })).toBeVisible();
  const query = `uid=${repo.uid}&capabilities=repo.blobs.get&identity=${machine}`;
  expect(await api.get(`/access/v1/decisions?${query}`)).toMatchObject({
    decision: "DECISION_ALLOWED",
    bindings: [{ group: team.uid, roleName: "registry.pull" }],
  });
  // About the whole organization that is no plain no.
  await open(`can?group=${param(organization)}&identity=${machine.replaceAll("/", "_")}`);
  const inPart = `${name} can pull images in 1 folder below ${organization.name}, not in all of it`;
  await expect(page.getByText(inPart)).toBeVisible();
  await page
    .getByRole("region", { name: "Where it is allowed" })
    .getByRole("link", { name: "In team-a" })
    .click();
  await expect(page.getByText(`${name} can pull images in team-a`)).toBeVisible();
});

test("a pasted refusal leads to why, with the repo, the act and the machines that it can be about", async ({
  person,
}) => {
  const { page, api, organization, open } = person;
  const team = await folder(api, organization, "team-r");
  await createRepo(api, team.uid);
  const [machine = ""] = await createMachines(api, organization.uid, 1);
  const { name } = await api.get<{ name: string }>(`/iam/v2/identities/${machine}`);
  await bindTo(api, organization, machine, "registry.pull");
  await open("groups");
  await expect(page.getByRole("link", { name: organization.name }).first()).toBeVisible();
  await page.keyboard.press("ControlOrMeta+k");
  const field = page.getByRole("combobox", { name: "Search screens, actions, and records" });
  const image = `registry.example/elsewhere/python:latest`;
  await field.fill(`denied: failed to push ${image}: requested access to the resource is denied`);
  await expect(page.getByRole("option").first()).toContainText("Why is this refused?");
  await field.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Can they do that?" })).toBeVisible();
  await expect(page.getByText("whether they can push images in repo python, and why.")).toBeVisible();
  await expect(
    page.getByText(`the path of this repo is ${organization.name}/python, not elsewhere/python`),
  ).toBeVisible();
  const likely = page.getByRole("region", { name: "People and machines to ask about" });
  await expect(likely.getByRole("listitem").first()).toContainText(`${name} machine, registry.pull in`);
  await likely.getByRole("button", { name }).click();
  await expect(page.getByText(`${name} can't push images in repo python`)).toBeVisible();
});

test("who can push to a repo is removed from the answer, also where the role is granted further up", async ({
  person,
  signUp,
}) => {
  const { page, api, organization, open } = person;
  const team = await folder(api, organization, "team-w");
  const repo = await createRepo(api, team.uid);
  await createRepo(api, team.uid, "go");
  const other = await signUp();
  await bind(api, organization, other, ["CAP_MANIFEST_CREATE", "CAP_TAG_CREATE"]);
  const who = await identityOf(api, other);
  await open(`can?on=${repo.uid.replaceAll("/", "_")}&act=push`);
  await page.getByRole("link", { name: "Everybody who can push images" }).click();
  const above = page.getByRole("region", { name: `From organization ${organization.name}` });
  const row = above.getByRole("row").filter({ hasText: other.email.split("@")[0] ?? "" });
  await expect(row).toBeVisible();
  await hasNoFinding(page, "main");
  const remove = row.getByRole("button", { name: `in ${organization.name}` });
  await expect(remove).toHaveText("Remove");
  await remove.click();
  const dialog = page.getByRole("dialog", { name: /^Remove / });
  await expect(dialog.getByText(/has 2 capabilities.* They lose all of it\./)).toBeVisible();
  await expect(
    dialog.getByText(`The role applies to all 2 repos in ${organization.name} and below.`),
  ).toBeVisible();
  await dialog.getByRole("button", { name: "Remove role" }).click();
  await expect(row).toBeHidden();
  const held = async () =>
    (await api.get<{ roleBindings?: object[] }>(`/iam/v2/roleBindings?identity=${who}`)).roleBindings ?? [];
  expect(await held()).toEqual([]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(row).toBeVisible();
});

test("who can't do something is told what is missing and whom to ask, and nothing of others", async ({
  person,
  signUp,
}) => {
  const { organization, api, email } = person;
  const team = await folder(api, organization, "team-b");
  const other = await signUp();
  await bind(api, organization, other, "viewer");
  await other.open(`can?group=${param(team)}&act=push&identity=me`);
  await expect(other.page.getByText("You can't push images in team-b")).toBeVisible();
  await expect(other.page.getByText("You can't grant a role there yourself.")).toBeVisible();
  await expect(other.page.getByText(`${email.split("@")[0]} can grant access there.`)).toBeVisible();
  // Only the owner's role would do, which is more than they need.
  await expect(other.page.getByRole("link", { name: "owner", exact: true })).toHaveCount(0);
  await expect(other.page.getByRole("link", { name: /^granted in/ })).toHaveCount(0);
  await other.page
    .getByRole("link", { name: "Ask for permission to push images (manifest.create, tag.create)" })
    .click();
  await expect(other.page.getByLabel("Message")).toHaveValue(
    "I need to push images (manifest.create, tag.create).",
  );
});

test("for a machine of another folder it says where another one is needed, and by whom", async ({
  person,
}) => {
  const { page, api, organization, open } = person;
  const [home, team] = [await folder(api, organization, "home"), await folder(api, organization, "team-c")];
  const repo = await createRepo(api, team.uid);
  const [machine = ""] = await createMachines(api, home.uid, 1);
  const { name } = await api.get<{ name: string }>(`/iam/v2/identities/${machine}`);

  await open("identities");
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Why it can or can't do something" }).click();
  // It starts in the folder of the machine.
  await expect(page.getByText(`${name} can't pull images in home`)).toBeVisible();
  // The repo is in another folder than the scope.
  await open(`can?group=${param(home)}&identity=${machine.replaceAll("/", "_")}`);
  await page.getByRole("button", { name: /^Repo / }).click();
  await page.getByRole("searchbox", { name: "Find repos" }).fill("pyth");
  await page.getByRole("button", { name: "python", exact: true }).click();
  await expect(page.getByText(`${name} can't pull images in repo python`)).toBeVisible();
  await expect(page.getByText(/This machine belongs to home\./)).toBeVisible();
  await expect(
    page.getByText(/Another identity in folder team-c, signing in as this machine does/),
  ).toBeVisible();
  await expect(page.getByText(`also acts in home, create it in ${organization.name}`)).toBeVisible();
  await expect(page.getByRole("link", { name: "registry.pull", exact: true })).toBeVisible();
  await hasNoFinding(page, "main");
  await page.getByRole("link", { name: "Who can create identities there" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "team-c" })).toBeVisible();
  await page.goBack();
  await page.getByRole("link", { name: "Create identity in team-c" }).click();
  const form = page.getByRole("dialog", { name: "Create identity" });
  await expect(form.getByRole("textbox", { name: "Name", exact: true })).toHaveValue(name);
  await expect(form.getByRole("textbox", { name: "Issuer" })).toHaveValue(/^https:/);
  expect(repo.uid).toContain(team.uid);

  // A role that would have no effect can't be granted by mistake; the way out is beside it.
  const uid = (of: string) => of.replaceAll("/", "_");
  await open(`role-bindings?drawer=create&identity=${uid(machine)}&group=${param(team)}`);
  const grant = page.getByRole("dialog", { name: "Grant access" });
  await grant.getByLabel("Role").selectOption({ label: "registry.pull (built-in)" });
  await expect(grant.getByText("This role would have no effect")).toBeVisible();
  await expect(grant.getByRole("button", { name: "Grant access" })).toHaveAccessibleDescription(
    /belongs to another folder/,
  );
  await grant.getByRole("link", { name: "create one that signs in the same way" }).click();
  await page.getByRole("button", { name: "Discard changes" }).click();
  await expect(form.getByRole("textbox", { name: "Name", exact: true })).toHaveValue(name);
  await form.getByRole("button", { name: "Create identity" }).click();
  await expect(form).toBeHidden();
  const { identities } = await api.get<{ identities: { uid: string }[] }>(
    `/iam/v2/identities?uidp.children_of=${team.uid}`,
  );
  const { roleBindings } = await api.get<{ roleBindings: { role: { name: string } }[] }>(
    `/iam/v2/roleBindings?identity=${identities[0]?.uid}`,
  );
  expect(roleBindings.map(({ role }) => role.name)).toEqual(["registry.pull"]);
});
