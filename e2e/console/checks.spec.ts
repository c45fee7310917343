import { expect, fault, ownService, test } from "../faulty";

/** Folders can only be called "team-*". */
const NAMES = {
  kind: "GUARD_RAIL_KIND_NAME_PATTERN",
  mode: "GUARD_RAIL_MODE_REFUSE",
  name: "folder names",
  names: "GUARD_RAIL_NAMES_GROUPS",
  patterns: ["team-*"],
};

const childrenOf = (uid: string): string => `/iam/v2/groups?uidp.children_of=${uid}`;

test("a dry run names the rows that the service would refuse, and creates the others only", async ({
  person,
  problems,
}) => {
  problems.allow(/status of 400 .*validateOnly=true/);
  const { page, api, organization, open } = person;
  await api.post(`/access/v1/guardRails/${organization.uid}`, NAMES);
  await open(`import?group=${organization.uid}&kind=groups`);
  await page.getByLabel("Or paste it here").fill("team-a\nservices\nteam-b");
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(page.getByText("3 rows without problems. Nothing has been created.")).toBeVisible();
  await page.getByRole("button", { name: "Dry run" }).click();
  await expect(page.getByText("The service would refuse 1 row")).toBeVisible();
  const refused = page
    .getByRole("region", { name: "Rows of the import" })
    .getByRole("row", { name: "services" });
  await expect(refused).toContainText("team-*");
  expect(await api.get(childrenOf(organization.uid))).toMatchObject({ totalCount: "0" });
  await page.getByRole("button", { name: "Create 2 folders" }).click();
  await expect(page.getByRole("region", { name: "Created 2 folders" })).toBeVisible();
  const { groups } = await api.get<{ groups: { name: string }[] }>(
    `${childrenOf(organization.uid)}&order_by=name`,
  );
  expect(groups.map(({ name }) => name)).toEqual(["team-a", "team-b"]);
});

test(
  "a dry run that is stopped keeps what it found, and goes on with the rest",
  ownService,
  async ({ faulty }) => {
    const { page, api, organization, open, proxy } = faulty;
    const names = Array.from({ length: 20 }, (_, index) => `team-${String(index).padStart(2, "0")}`);
    await open(`import?group=${organization.uid}&kind=groups`);
    await page.getByLabel("Or paste it here").fill(names.join("\n"));
    await page.getByRole("button", { name: "Preview" }).click();
    let asked = 0;
    const held = proxy.rule(
      {
        method: "POST",
        path: /\/iam\/v2\/groups\//,
        when: ({ query }) => query.get("validateOnly") === "true" && (asked += 1) > 5,
      },
      fault.none,
      { hold: "request" },
    );
    const start = page.getByRole("button", { name: "Dry run" });
    // A second press neither begins again nor meets another button.
    await start.dblclick();
    await expect(page.getByText("Checked 5 of 20 rows…")).toBeVisible();
    await page.getByRole("button", { name: "Stop" }).click();
    const outcome = page.getByRole("status").filter({ hasText: "5 rows checked, 15 not checked yet." });
    await expect(outcome).toBeFocused();
    const preview = page.getByRole("region", { name: "Rows of the import" });
    await expect(preview.getByText("Would be created")).toHaveCount(5);
    await expect(preview.getByText("No problems")).toHaveCount(15);
    await expect(page.getByRole("button", { name: /^Create/ })).toBeHidden();
    held.remove();
    const before = proxy.seen.length;
    await page.getByRole("button", { name: "Check the other 15 rows" }).click();
    await expect(page.getByRole("button", { name: "Create 20 folders" })).toBeVisible();
    expect(proxy.seen.slice(before).filter(({ query }) => query.has("validateOnly"))).toHaveLength(15);
    expect(await api.get(childrenOf(organization.uid))).toMatchObject({ totalCount: "0" });
  },
);

test("a form is checked without saving, keeps what was typed, and is saved after", async ({
  person,
  problems,
}) => {
  problems.allow(/status of 400 .*validateOnly=true/);
  const { page, api, organization, open } = person;
  await api.post(`/access/v1/guardRails/${organization.uid}`, NAMES);
  await open(`groups?group=${organization.uid}&drawer=create`);
  const form = page.getByRole("dialog");
  const name = form.getByRole("textbox", { name: /^Name/ });
  await name.fill("services");
  const check = form.getByRole("button", { name: "Check without saving" });
  await check.click();
  await expect(form.getByText(/team-\*/)).toBeVisible();
  await expect(name).toHaveValue("services");
  await name.fill("team-a");
  await check.click();
  await expect(form.getByText("The service would do this now. Nothing was saved.")).toBeVisible();
  expect(await api.get(childrenOf(organization.uid))).toMatchObject({ totalCount: "0" });
  await form.getByRole("button", { name: "Create folder" }).click();
  await expect(page.getByText("Created folder team-a")).toBeVisible();
  expect(await api.get(childrenOf(organization.uid))).toMatchObject({ totalCount: "1" });
});

test("each of several addresses is checked before any is invited", async ({ person }) => {
  const { page, api, organization, open } = person;
  await open(`group-invites?group=${organization.uid}&drawer=create`);
  const form = page.getByRole("dialog");
  await form.getByRole("textbox", { name: /^Email/ }).fill("ada@example.com\nben@example.com");
  await form.getByLabel("Role").selectOption({ label: "viewer (built-in)" });
  const checked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("validateOnly=true")) checked.push(request.postData() ?? "");
  });
  await form.getByRole("button", { name: "Check without saving" }).click();
  await expect(form.getByText("The service would do this now. Nothing was saved.")).toBeVisible();
  expect(checked.map((body) => (JSON.parse(body) as { email: string }).email)).toEqual([
    "ada@example.com",
    "ben@example.com",
  ]);
  expect(await api.get(`/iam/v2/groupInvites?uidp.children_of=${organization.uid}`)).toMatchObject({
    totalCount: "0",
  });
});
