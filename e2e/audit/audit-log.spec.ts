import type { Identity } from "platform-contract/iam/identities";
import type { Repo } from "platform-contract/registry/repos";

import { bind, bindTo, identityOf } from "../bindings";
import { expect, gate, type Person, test, unique } from "../fixtures";
import { hasNoFinding, machine, openFilters } from "../lists";
import { folder, param } from "../records";

/** Of someone who signed in, their email without its domain; else the subject of their token. */
const named = ({ email, api }: Person): RegExp => new RegExp(`${email.split("@")[0]}|${api.who.subject}`);

test(
  "who gave a person a role, and when, is one click from the person's page",
  gate,
  async ({ person, signUp }) => {
    const { page, api, organization, open } = person;
    const team = await folder(api, organization, "team-a");
    const other = await signUp();
    await bind(api, team, other, "viewer");
    await open(`identities/${await identityOf(api, other)}`);
    const history = page.getByRole("table", { name: "History" });
    const granted = history.getByRole("row", { name: /^Granted access: .* as viewer in team-a/ });
    await expect(granted.getByRole("link", { name: named(person) })).toBeVisible();
    await hasNoFinding(page, "main");
    await granted.getByRole("link", { name: /^Granted access/ }).click();
    await expect(
      page.getByRole("heading", { level: 1, name: /^Granted access: .* as viewer/ }),
    ).toBeVisible();
    await expect(
      page
        .getByRole("definition")
        .filter({ hasText: named(person) })
        .first(),
    ).toBeVisible();
    await expect(page.getByText(/^ ?\d{4}-\d\d-\d\d [\d:]+ UTC$/).first()).toBeVisible();
    const fields = page.getByRole("table", { name: "Created with" });
    await expect(fields.getByRole("row", { name: /^Role/ })).toContainText("viewer");
    await hasNoFinding(page, "main");
    await page
      .getByRole("definition")
      .filter({ hasText: "as viewer" })
      .getByRole("link", { name: "Other entries" })
      .click();
    await expect(page.getByRole("table", { name: "Entries" }).getByRole("row")).toHaveCount(2);
  },
);

test("an edit is on the record's page at once: by whom, which fields, and what they were", async ({
  person,
}) => {
  const { page, api, organization, open } = person;
  const repo = await api.post<Repo>(`/registry/v2/repos/${organization.uid}`, {
    name: "python",
    description: "As it was",
  });
  await open(`repos/${param(repo)}`);
  const history = page.getByRole("table", { name: "History" });
  await expect(history.getByRole("link", { name: "Created repo" })).toBeVisible();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const form = page.getByRole("dialog");
  await form.getByRole("textbox", { name: "Description" }).fill("As it is");
  await form.getByRole("button", { name: "Save changes" }).click();
  await expect(form).toBeHidden();
  const edited = history.getByRole("row", { name: /^Updated repo Description/ });
  await expect(edited).toBeVisible();
  await expect(
    page
      .getByRole("definition")
      .filter({ hasText: /UTC by / })
      .getByRole("link", { name: named(person) }),
  ).toBeVisible();
  await edited.getByRole("link", { name: "Updated repo" }).click();
  const changed = page.getByRole("table", { name: "What changed" }).getByRole("row").nth(1);
  await expect(changed).toContainText("Description");
  await expect(changed).toContainText("As it was");
  await expect(changed).toContainText("As it is");
  await page.getByRole("link", { name: "python", exact: true }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "python" })).toBeVisible();
});

test("the log is narrowed by actor, action, outcome and time, and a refused deed is in it", async ({
  person,
  signUp,
}) => {
  const { page, api, organization, open } = person;
  const other = await signUp();
  await bind(api, organization, other, "viewer");
  await api.post(`/iam/v2/identities/${organization.uid}`, machine("ci-bot"));
  await other.api.refusal("DELETE", `/iam/v2/groups/${organization.uid}`);
  await open(`audit-log?group=${param(organization)}`);
  await expect(page.getByRole("heading", { level: 1, name: "Audit log" })).toBeVisible();
  const rows = page.getByRole("table", { name: "Entries" });
  await expect(rows.getByRole("row", { name: /Created identity.*ci-bot/ })).toBeVisible();
  await expect(rows.getByRole("row", { name: /Created organization/ })).toBeVisible();
  await hasNoFinding(page, "main");

  await page.getByRole("button", { name: "Action any" }).click();
  await page.getByRole("searchbox", { name: "Find actions" }).fill("created ident");
  await page.getByRole("list", { name: "Actions" }).getByRole("button").first().click();
  await expect(page).toHaveURL(/action=identities\.create/);
  await expect(rows.getByRole("row")).toHaveCount(2);
  await page.getByRole("button", { name: 'Clear "Action"' }).click();

  await page.getByLabel("Outcome").selectOption("Denied");
  const denied = rows.getByRole("row", { name: /Tried to delete an organization/ });
  await expect(denied).toContainText("Denied");
  await expect(rows.getByRole("row")).toHaveCount(2);
  await page.getByLabel("Outcome").selectOption("");

  const filters = await openFilters(page);
  await filters.getByLabel("To", { exact: true }).fill("2020-01-01");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "No entries match" })).toBeVisible();
  await page.getByRole("button", { name: "Clear filter" }).first().click();
  await expect(rows.getByRole("row", { name: /Created organization/ })).toBeVisible();
});

test("the page of a deleted record says who deleted it, to those who may see its group", async ({
  person,
  problems,
}) => {
  const { page, api, organization, open } = person;
  problems.allow(/status of 404/);
  const made = await api.post<Identity>(`/iam/v2/identities/${organization.uid}`, machine("ci-bot"));
  await bindTo(api, organization, made.uid, "viewer");
  await api.delete(`/iam/v2/identities/${made.uid}`);
  await open(`identities/${param(made)}`);
  await expect(page.getByText(/^ci-bot was deleted by .* on \d{4}-\d\d-\d\d [\d:]+ UTC\./)).toBeVisible();
  await page.getByRole("link", { name: "Show in audit log" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Deleted identity: ci-bot" })).toBeVisible();
});

test("home says by whom its newest records were changed, with one request", async ({ person, signUp }) => {
  const { page, api, organization, open } = person;
  const other = await signUp();
  await bind(api, organization, other, "owner");
  const name = unique("folder");
  await folder(other.api, organization, name);
  const asked: string[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname.startsWith("/audit/")) asked.push(request.url());
  });
  await open("");
  const updated = page.getByRole("region", { name: "Recently updated" });
  const line = updated.getByRole("listitem").filter({ hasText: name });
  await expect(line.getByText(/^by /)).toBeVisible();
  await expect(line.getByText(/^by /)).toHaveText(named(other));
  expect(asked).toHaveLength(1);
});

test("a person who can't see role bindings is told so, and nothing asks for the log", async ({
  person,
  signUp,
}) => {
  const { api, organization } = person;
  const other = await signUp();
  await bind(api, organization, other, ["CAP_IAM_GROUPS_LIST"]);
  const { page } = other;
  const asked: string[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname.startsWith("/audit/")) asked.push(request.url());
  });
  await other.open(`groups/${param(organization)}`);
  const history = page.getByRole("region", { name: "History" });
  await expect(history.getByText("Hidden by your role")).toBeVisible();
  expect(asked).toEqual([]);
  await other.open("audit-log");
  await expect(page.getByRole("heading", { name: "Hidden by your role" })).toBeVisible();
  expect(await other.api.get(`/audit/v1/entries?uidp.descendants_of=${organization.uid}`)).not.toHaveProperty(
    "auditEntries.0",
  );
});

/** Opens the newest entry about a record that has this title. */
async function openEntry({ page, open }: Person, uid: string, title: RegExp): Promise<void> {
  await open(`audit-log?record=${uid.replaceAll("/", "~")}`);
  await page.getByRole("table", { name: "Entries" }).getByRole("link", { name: title }).first().click();
  await expect(page.getByRole("heading", { level: 2, name: /^(Undo|Can't be undone)$/ })).toBeVisible();
}

test(
  "an update is undone with the values before it, unless somebody changed them since",
  gate,
  async ({ person }) => {
    const { page, api, organization } = person;
    const path = "/registry/v2/repos";
    const made = await api.post<Repo>(`${path}/${organization.uid}`, {
      name: "python",
      description: "As it was",
    });
    const read = async () => (await api.get<Repo>(`${path}/${made.uid}`)).description;
    await api.patch(`${path}/${made.uid}?updateMask=description`, { description: "As it is" });
    await openEntry(person, made.uid, /Updated repo/);
    await page.getByRole("button", { name: "Undo this update" }).click();
    const dialog = page.getByRole("dialog", { name: "Undo the update of python" });
    const row = dialog.getByRole("table", { name: "What the undo changes" }).getByRole("row").nth(1);
    await expect(row).toContainText(/Description.*As it is.*As it was/);
    await hasNoFinding(page, "dialog");
    await dialog.getByRole("button", { name: "Undo this update" }).click();
    await expect(dialog).toBeHidden();
    expect(await read()).toBe("As it was");

    await page.getByRole("button", { name: "Undo this update" }).click();
    await expect(dialog.getByText(/Description changed again since/)).toBeVisible();
    await expect(dialog.getByRole("button", { name: "Undo this update" })).toHaveCount(0);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(await read()).toBe("As it was");
  },
);

test("a changed role is undone, a grant by its deletion, and that by granting it again", async ({
  person,
  signUp,
}) => {
  const { page, api, organization } = person;
  const other = await signUp();
  const roleOf = async (name: string) =>
    (await api.get<{ roles: [{ uid: string }] }>(`/iam/v2/roles?name=${name}`)).roles[0].uid;
  const [viewer, editor] = [await roleOf("viewer"), await roleOf("editor")];
  const identityUid = await identityOf(api, other);
  const { uid } = await api.post<{ uid: string }>(`/iam/v2/roleBindings/${organization.uid}`, {
    identityUid,
    roleUid: viewer,
  });
  const path = `/iam/v2/roleBindings/${uid}`;
  await api.patch(`${path}?updateMask=roleUid`, { roleUid: editor });
  await openEntry(person, uid, /Changed access/);
  await page.getByRole("button", { name: "Undo this update" }).click();
  const dialog = page.getByRole("dialog", { name: /^Undo the update of/ });
  await expect(dialog.getByRole("row", { name: /^Role/ })).toContainText(/editor.*viewer/);
  await dialog.getByRole("button", { name: "Undo this update" }).click();
  await expect(dialog).toBeHidden();
  expect(await api.get(path)).toMatchObject({ role: { uid: viewer } });

  await openEntry(person, uid, /Granted access/);
  await page.getByRole("link", { name: "Delete this role binding" }).click();
  const asks = page.getByRole("dialog");
  await asks.getByRole("button", { name: /^(?:Delete|Remove)/ }).click();
  await expect(asks).toBeHidden();
  await expect.poll(async () => (await api.refusal("GET", path)).code).toBe(5);
  await openEntry(person, uid, /Removed access/);
  await page.getByRole("button", { name: "Create this role binding again" }).click();
  await expect(page.getByRole("heading", { name: "Restored 1 role binding" })).toBeVisible();
  const query = new URLSearchParams({ group: organization.uid, identity: identityUid });
  const { roleBindings } = await api.get<{ roleBindings: { uid: string; role: { uid: string } }[] }>(
    `/iam/v2/roleBindings?${query}`,
  );
  expect(roleBindings.map(({ role }) => role.uid)).toEqual([viewer]);
  expect(roleBindings[0]?.uid).not.toBe(uid);

  const repo = await api.post<Repo>(`/registry/v2/repos/${organization.uid}`, { name: "gone" });
  await api.delete(`/registry/v2/repos/${repo.uid}`);
  await openEntry(person, repo.uid, /Deleted repo/);
  await expect(page.getByText(/The API can't bring back a deleted record/)).toBeVisible();
});

test("whoever may not update the record can't undo, and reads why", async ({ person, signUp }) => {
  const { api, organization } = person;
  const other = await signUp();
  await bind(api, organization, other, "viewer");
  const made = await api.post<Repo>(`/registry/v2/repos/${organization.uid}`, { name: "python" });
  await api.patch(`/registry/v2/repos/${made.uid}?updateMask=description`, { description: "As it is" });
  await openEntry(other, made.uid, /Updated repo/);
  await expect(other.page.getByRole("button", { name: "Undo this update" })).toHaveAccessibleDescription(
    /You need permission/,
  );
});
