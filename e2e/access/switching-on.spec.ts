import { bind, identityOf } from "../bindings";
import { expect, gate, test, unique } from "../fixtures";
import { param } from "../records";

const NOT_HELD = "Not held until it is switched on.";

test(
  "an owner makes somebody eligible, who switches the role on with a reason, uses it, and switches it off",
  gate,
  async ({ person, signUp, problems }) => {
    const { page, api, organization, open } = person;
    const ada = await signUp();
    await bind(api, organization, ada, "viewer");
    const uid = await identityOf(api, ada);
    const repo = () => [`/registry/v2/repos/${organization.uid}`, { name: unique("repo") }] as const;

    await open(`groups/${param(organization.uid)}?tab=access`);
    const eligible = page.getByRole("region", { name: "Eligible" });
    await expect(eligible.getByText("Nobody is eligible for a role here.")).toBeVisible();
    await eligible.getByRole("button", { name: "Make eligible" }).click();
    const form = page.getByRole("dialog", { name: "Make eligible" });
    await form.getByRole("button", { name: "Make eligible" }).click();
    await expect(form.getByText("Choose a person")).toBeVisible();
    await form.getByRole("searchbox", { name: "Find people" }).fill(ada.email);
    await form
      .getByRole("list", { name: "Matches" })
      .getByRole("button", { name: new RegExp(ada.email) })
      .click();
    await form.getByLabel(/^Role/).selectOption({ label: "editor (built-in)" });
    await form.getByLabel(/^At most, at a time/).selectOption("2 hours");
    await form.getByLabel("Description").fill("When the registry needs a hand");
    await form.getByRole("button", { name: "Make eligible" }).click();
    await expect(form).toBeHidden();
    const row = eligible.getByRole("row").filter({ hasText: "editor" });
    await expect(row).toContainText("up to 2 hours at a time");
    await expect(row).toContainText(NOT_HELD);
    // It counts nowhere.
    await expect(page.getByRole("region", { name: "Granted here" }).getByText("editor")).toHaveCount(0);
    expect((await ada.api.refusal("POST", ...repo())).http).toBe(403);

    problems.allow(/status of 403 /);
    await ada.open(`can?group=${param(organization.uid)}&identity=me&act=CAP_REPO_CREATE`);
    const remedy = ada.page.getByRole("region", { name: "What can be switched on" });
    await expect(remedy).toContainText(`editor in ${organization.name}`);
    await expect(remedy).toContainText(NOT_HELD);
    await ada.page.getByRole("button", { name: /Your account/ }).click();
    await ada.page.getByRole("link", { name: "Access you can switch on" }).click();
    const own = ada.page.getByRole("listitem", { name: `editor in ${organization.name}` });
    await expect(own).toContainText("When the registry needs a hand");
    await expect(own).toContainText(NOT_HELD);
    await own.getByRole("button", { name: "Switch on editor" }).click();
    const drawer = ada.page.getByRole("dialog", { name: /^Switch on/ });
    await expect(drawer.getByLabel(/^For how long/).getByRole("option")).toHaveText([
      "15 minutes",
      "30 minutes",
      "1 hour",
      "2 hours",
    ]);
    await drawer.getByRole("button", { name: "Switch on" }).click();
    await expect(drawer.getByText("Say why you need it, in a sentence")).toBeVisible();
    await drawer.getByLabel(/^Reason/).fill("The registry answers slowly");
    await drawer.getByRole("button", { name: "Switch on" }).click();
    await expect(drawer).toBeHidden();
    await expect(own.getByText("Switched on", { exact: true })).toBeVisible();
    await expect(own).toContainText("The registry answers slowly");
    // The API's truth: an ordinary role binding, which ends.
    await ada.api.post(...repo());
    const held = await api.get<{ roleBindings: { role: { name: string }; expirationTime?: string }[] }>(
      `/iam/v2/roleBindings?identity=${uid}`,
    );
    const binding = held.roleBindings.find(({ role }) => role.name === "editor");
    expect(Math.abs(Date.parse(binding?.expirationTime ?? "") - Date.now() - 3_600_000)).toBeLessThan(
      120_000,
    );

    await open(`groups/${param(organization.uid)}?tab=access`);
    await expect(row.getByText("Switched on", { exact: true })).toBeVisible();
    await own.getByRole("button", { name: "Switch off editor now" }).click();
    await expect(own.getByText("Off", { exact: true })).toBeVisible();
    expect((await ada.api.refusal("POST", ...repo())).http).toBe(403);

    // Who leaves must not be able to come back by it.
    await open(`identities/${uid}`);
    await expect(eligible.getByRole("row").filter({ hasText: "editor" })).toContainText(NOT_HELD);
    await page.getByRole("button", { name: "Remove all access" }).click();
    const leaving = page.getByRole("dialog", { name: /^Remove all access of/ });
    await expect(leaving.getByText("eligible for editor")).toBeVisible();
    await leaving.getByRole("button", { name: /^Remove 2 / }).click();
    await expect(page.getByRole("region", { name: /^Removed 2 / })).toBeVisible();
    expect(
      (await api.get<{ eligibleGrants?: object[] }>(`/access/v1/eligibleGrants?identity=${uid}`))
        .eligibleGrants ?? [],
    ).toEqual([]);
    await ada.page.reload();
    await expect(ada.page.getByText("Nothing to switch on")).toBeVisible();
  },
);

test("somebody else approves, or declines with a reason that the person reads", async ({
  person,
  signUp,
  problems,
}) => {
  problems.allow(/status of 403 /);
  const { page, api, organization, open } = person;
  const ada = await signUp();
  await bind(api, organization, ada, "viewer");
  const identityUid = await identityOf(api, ada);
  const { roles } = await api.get<{ roles: { uid: string }[] }>("/iam/v2/roles?name=owner");
  const folder = await api.post<{ uid: string }>(`/iam/v2/groups/${organization.uid}`, {
    name: "production",
  });
  await api.post(`/access/v1/eligibleGrants/${folder.uid}`, {
    identityUid,
    roleUid: roles[0]?.uid,
    maxDuration: "14400s",
    requireApproval: true,
  });
  await ada.open("eligible");
  const own = ada.page.getByRole("listitem", { name: "owner in production" });
  const drawer = ada.page.getByRole("dialog", { name: /^Ask for approval/ });
  const ask = async (reason: string) => {
    await own.getByRole("button", { name: "Ask for owner" }).click();
    await drawer.getByLabel(/^Reason/).fill(reason);
    await drawer.getByRole("button", { name: "Ask for approval" }).click();
    await expect(drawer).toBeHidden();
    await expect(own.getByText("Waiting for approval")).toBeVisible();
  };
  await ask("To rename a folder");

  const waiting = page.getByRole("region", { name: "Waiting for approval" });
  await open(`people?group=${param(organization.uid)}`);
  await expect(waiting).toContainText("To rename a folder");
  await waiting.getByRole("button", { name: "Decline" }).click();
  const dialog = page.getByRole("dialog", { name: /Decline the request of/ });
  await dialog.getByLabel("Reason").fill("Rename it on Monday");
  await dialog.getByRole("button", { name: "Decline" }).click();
  await expect(waiting).toBeHidden();
  await ada.page.reload();
  await expect(own).toContainText("Rename it on Monday");

  await ask("An incident");
  expect(
    (await ada.api.refusal("PATCH", `/iam/v2/groups/${folder.uid}`, { description: "renamed" })).http,
  ).toBe(403);
  await open("eligible");
  await expect(waiting).toContainText("An incident");
  await waiting.getByRole("button", { name: "Approve" }).click();
  await expect(waiting).toBeHidden();
  await ada.page.reload();
  await expect(own.getByText("Switched on", { exact: true })).toBeVisible();
  await ada.api.patch(`/iam/v2/groups/${folder.uid}`, { description: "renamed" });
  // Nobody gives more time than they have.
  const late = { identityUid, roleUid: roles[0]?.uid };
  expect((await ada.api.refusal("POST", `/iam/v2/roleBindings/${folder.uid}`, late)).http).toBe(403);
  await own.getByRole("button", { name: "Switch off owner now" }).click();
  await expect(own.getByText("Off", { exact: true })).toBeVisible();
  expect(
    (await ada.api.refusal("PATCH", `/iam/v2/groups/${folder.uid}`, { description: "again" })).http,
  ).toBe(403);
});
