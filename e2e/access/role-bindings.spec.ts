import { expect, gate, test } from "../fixtures";
import { bind, bindTo, identityOf } from "../bindings";
import { createMachines } from "../bulk-delete";
import { hasNoFinding } from "../lists";
import { folder, param } from "../records";

test("a role binding is found, changed and deleted; one's own access asks for its name @long", async ({
  person,
  signUp,
}) => {
  const { page, api, organization, open } = person;
  const other = await signUp();
  const team = await folder(api, organization, "team");
  await bind(api, team, other, "viewer");
  const repos = `/iam/v2/groups?uidp.descendants_of=${organization.uid}`;
  expect(await other.api.get(repos)).toMatchObject({ totalCount: "1" });

  await open(`role-bindings?group=${organization.uid}`);
  const table = page.getByRole("table");
  await expect(table.getByRole("link")).toHaveCount(2);
  await hasNoFinding(page, "main");
  const who = await identityOf(api, other);
  await open(`role-bindings?identity=${who}&group=${organization.uid}`);
  await expect(table.getByRole("link")).toHaveCount(1);
  await table.getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1, name: /, viewer in team/ })).toBeVisible();
  await expect(page.locator("dl").getByRole("link", { name: "team" })).toBeVisible();

  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const sent = page.waitForRequest((request) => request.method() === "PATCH");
  await page.getByRole("combobox", { name: /^Role/ }).selectOption({ label: "editor (built-in)" });
  await page.getByRole("button", { name: "Save changes" }).click();
  expect(new URL((await sent).url()).searchParams.get("updateMask")).toBe("roleUid");
  await expect(page.getByRole("heading", { level: 1, name: /, editor in team/ })).toBeVisible();
  await other.api.post(`/registry/v2/repos/${team.uid}`, { name: "pushed" });

  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Remove role" }).click();
  await page.getByRole("button", { name: "Remove role" }).click();
  await expect(page.getByText(/^Removed .* role/).first()).toBeVisible();
  await other.api.refusal("POST", `/registry/v2/repos/${team.uid}`, { name: "again" });

  const own = await identityOf(api, person);
  await open(`role-bindings?identity=${own}&group=${organization.uid}`);
  await page.getByRole("button", { name: /^Actions for/ }).click();
  await page.getByRole("menuitem", { name: "Remove role" }).click();
  await expect(page.getByText("This is your own access")).toBeVisible();
  await expect(page.getByText("This is the last owner")).toBeVisible();
  await page.getByRole("button", { name: "Remove role" }).click();
  await expect(page.getByRole("status").getByText(/^Type .* to confirm/)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(new RegExp(`identity=${param(own)}`));
});

test("who removes a role on its page is back where they came from, else in the list of its folder", async ({
  person,
  signUp,
}) => {
  const { page, api, organization, open } = person;
  const other = await signUp();
  const team = await folder(api, organization, "team");
  const remove = async () => {
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Remove role" }).click();
    await page.getByRole("button", { name: "Remove role" }).click();
    await expect(page.getByText(/^Removed .* role/).first()).toBeVisible();
  };
  await bind(api, team, other, "viewer");
  await open(`groups/${param(team)}?tab=access`);
  await page
    .getByRole("region", { name: /^Granted here/ })
    .getByRole("button", { name: /^Actions for/ })
    .click();
  await page.getByRole("menuitem", { name: "Open role binding" }).click();
  await remove();
  await expect(page).toHaveURL(new RegExp(`groups/${param(team)}\\?tab=access$`));
  await expect(page.getByText("No access was granted here directly.")).toBeVisible();

  // Opened by a link that somebody sent.
  await bind(api, team, other, "viewer");
  const { roleBindings = [] } = await api.get<{ roleBindings?: { uid: string }[] }>(
    `/iam/v2/roleBindings?uidp.children_of=${team.uid}`,
  );
  await open(`role-bindings/${param(roleBindings[0] ?? "")}`);
  await remove();
  await expect(page).toHaveURL(new RegExp(`role-bindings\\?group=${param(team)}`));
});

test("role bindings say when each identity was last seen, by few requests for all of them", async ({
  person,
}) => {
  const { page, api, organization, open } = person;
  const uids = await createMachines(api, organization.uid, 12);
  for (const uid of uids) await bindTo(api, organization, uid, "viewer");
  const asked: URLSearchParams[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === "/iam/v2/identities") asked.push(searchParams);
  });
  await page.setViewportSize({ width: 1400, height: 1000 });
  await open(`role-bindings?group=${organization.uid}`);
  const table = page.getByRole("table", { name: "Role bindings" });
  const rows = table.locator("[data-row-key]");
  await expect(rows).toHaveCount(13);
  await expect(rows.filter({ hasText: "never" })).toHaveCount(12);
  await expect(rows.filter({ hasText: "owner" }).locator("time")).toHaveCount(2);
  const reads = asked
    .map((query) => query.getAll("uidp.ids").flatMap((ids) => ids.split(",")))
    .map((read) => read.filter((uid) => uids.includes(uid)))
    .filter((read) => read.length > 0);
  expect(reads.flat().toSorted()).toEqual(uids.toSorted());
  // Rows that are drawn together are asked for together; a slow machine draws them in two or three steps.
  expect(reads.length).toBeLessThan(4);
  await table.getByRole("link", { name: "m-000" }).click();
  await expect(page.locator("dl").getByText("never")).toBeVisible();
});

test("access is granted to one and to many; what is there already is said with a link @long", async ({
  person,
  signUp,
  problems,
}) => {
  const { page, api, organization, open } = person;
  const [other, third] = [await signUp(), await signUp()];
  const team = await folder(api, organization, "team");
  const claimMatch = { issuer: "https://token.actions.githubusercontent.com", subject: "repo:a/b" };
  await api.post(`/iam/v2/identities/${team.uid}`, { name: "robot", claimMatch });
  await other.open("");
  await open(await other.page.getByText(/role-bindings\?drawer=create&identity=/).innerText());
  const form = page.getByRole("dialog");
  await expect(form.getByText(/^no role here yet, uid/)).toBeVisible();
  await form.getByRole("button", { name: "Grant access" }).click();
  await expect(form.getByText("Choose a role", { exact: true }).last()).toBeVisible();
  await form.getByLabel("Role").selectOption({ label: "viewer (built-in)" });
  await form.getByLabel("Folder").selectOption({ label: organization.name });
  await expect(form.getByText("View groups (groups.list)")).toBeVisible();
  await form.getByRole("button", { name: "Grant access" }).click();
  await expect(page.getByText("Granted access").first()).toBeVisible();
  expect(await other.api.get(`/iam/v2/groups?uidp.ids=${team.uid}`)).toMatchObject({ totalCount: "1" });

  await open(`role-bindings?drawer=create&group=${param(team)}`);
  await form.getByRole("searchbox", { name: "Find people and machines" }).fill("robo");
  await expect(form.getByRole("list", { name: "Matches" }).getByRole("button")).toHaveCount(1);
  await page.keyboard.press("Enter");
  await form.getByText("Add by issuer and subject").click();
  await form.getByLabel("Subject").fill(third.api.who.subject);
  await form.getByRole("button", { name: "Add person" }).click();
  await expect(form.getByRole("list", { name: "Chosen" }).getByRole("listitem")).toHaveCount(2);
  await form.getByLabel("Role").selectOption({ label: "editor (built-in)" });
  await expect(form.getByText("A machine rarely needs the editor role")).toBeVisible();
  const batch = page.waitForRequest((request) => request.url().endsWith("/roleBindings:batchCreate"));
  await form.getByRole("button", { name: "Grant access" }).click();
  await batch;
  await expect(page.getByText("Granted access to 2 identities").first()).toBeVisible();
  await third.api.post(`/registry/v2/repos/${team.uid}`, { name: "pushed" });

  await open(`role-bindings?drawer=create&identity=${await identityOf(api, third)}&group=${param(team)}`);
  await form.getByLabel("Role").selectOption({ label: "editor (built-in)" });
  await expect(form.getByText("This access already exists")).toBeVisible();
  problems.allow(/status of 409/);
  await form.getByRole("button", { name: "Grant access" }).click();
  await expect(form.getByText("this identity already has this role in this group")).toBeVisible();
  await expect(form.getByText("This access already exists")).toHaveCount(1);
  await form.getByRole("link", { name: "Open the role binding" }).click();
  await page.getByRole("button", { name: "Discard changes" }).click();
  await expect(page.getByRole("heading", { level: 1, name: /, editor in team/ })).toBeVisible();
});

test(
  "an owner gives somebody a role on a folder, sees it under who has access, and takes it back",
  gate,
  async ({ person, signUp }) => {
    const { page, api, organization, open } = person;
    const other = await signUp();
    // The organization knows this person through a role in another folder, which grants nothing in this one.
    const team = await folder(api, organization, "team");
    await bind(api, await folder(api, organization, "beside"), other, "viewer");
    const push = { name: "pushed" };
    await other.api.refusal("POST", `/registry/v2/repos/${team.uid}`, push);
    let clicks = 0;
    const click = async (target: ReturnType<typeof page.getByRole>) => {
      clicks += 1;
      await target.click();
    };
    await open(`groups/${param(team)}`);
    await click(page.getByRole("link", { name: "Who has access" }));
    await expect(page.getByRole("heading", { name: `From organization ${organization.name}` })).toBeVisible();
    await click(page.getByRole("button", { name: "Grant access" }));
    const form = page.getByRole("dialog");
    await form
      .getByRole("searchbox", { name: "Find people and machines" })
      .fill(other.email.split("@")[0] ?? "");
    await click(form.getByRole("list", { name: "Matches" }).getByRole("button"));
    clicks += 1;
    await form.getByLabel("Role").selectOption({ label: "editor (built-in)" });
    await click(form.getByRole("button", { name: "Grant access" }));
    const here = page.getByRole("region", { name: /^Granted here/ });
    await expect(here.getByRole("row")).toHaveCount(2);
    await expect(here.getByRole("link", { name: "editor" })).toBeVisible();
    await hasNoFinding(page, "main");
    await other.api.post(`/registry/v2/repos/${team.uid}`, push);
    await click(here.getByRole("button", { name: /^Actions for/ }));
    await click(page.getByRole("menuitem", { name: "Remove access" }));
    await click(page.getByRole("button", { name: "Remove role" }));
    await expect(here.getByText("No access was granted here directly.")).toBeVisible();
    await other.api.refusal("POST", `/registry/v2/repos/${team.uid}`, { name: "again" });
    expect(clicks).toBeLessThanOrEqual(12);

    await page.getByLabel("Who can").selectOption({ label: "Create repos (repo.create)" });
    await expect(page).toHaveURL(/can=CAP_REPO_CREATE/);
    await expect(
      page.getByRole("region", { name: /^From organization/ }).getByRole("link", { name: "owner" }),
    ).toBeVisible();
    await expect(here.getByText("No one can do this through a role granted here.")).toBeVisible();
  },
);
