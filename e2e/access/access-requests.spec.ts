import { bindTo, identityOf } from "../bindings";
import { expect, gate, test, unique } from "../fixtures";
import { param } from "../records";
import { makeRepo } from "../repos";

test(
  "somebody without access asks by a link, is declined with a sentence, asks elsewhere and is granted a role",
  gate,
  async ({ person, signUp, problems }) => {
    const { page, api, organization, open } = person;
    const folder = await api.post<{ uid: string }>(`/iam/v2/groups/${organization.uid}`, {
      name: "platform team",
    });
    for (const name of ["api", "web"]) await makeRepo(person, { name }, folder.uid);
    const newcomer = await signUp();
    const identity = await identityOf(api, newcomer);
    // The link that those with access send.
    await open(`groups/${param(organization.uid)}?tab=access`);
    await expect(page.getByText(`ask/${organization.uid}`)).toBeVisible();
    await newcomer.open(`ask/${organization.uid}`);
    await newcomer.page.getByLabel("Message").fill("New on the team");
    await newcomer.page.getByRole("button", { name: "Ask for access" }).click();
    await expect(newcomer.page.getByText("Request sent")).toBeVisible();
    await expect(
      newcomer.page.getByRole("region", { name: "Your requests" }).getByText("Waiting"),
    ).toBeVisible();

    await open(`?group=${param(organization.uid)}`);
    const requests = page.getByRole("region", { name: "Access requests" });
    await expect(requests.getByText("New on the team")).toBeVisible();
    await expect(requests.getByText(newcomer.email)).toBeVisible();
    await requests.getByRole("button", { name: "Decline" }).click();
    const dialog = page.getByRole("dialog", { name: /Decline the request of/ });
    await dialog.getByRole("button", { name: "Decline" }).click();
    await expect(dialog.getByText("Say why, in a sentence")).toBeVisible();
    await dialog.getByLabel("Reason").fill("Please ask for the folder of your team");
    await dialog.getByRole("button", { name: "Decline" }).click();
    await expect(requests).toBeHidden();

    await newcomer.open("");
    const own = newcomer.page.getByRole("region", { name: "Your requests" });
    await expect(own.getByText("Please ask for the folder of your team")).toBeVisible();
    await newcomer.page.getByRole("button", { name: "Ask for access" }).click();
    await expect(newcomer.page.getByText("Paste a link to the organization or folder")).toBeVisible();
    // Without any role they see none to choose.
    await expect(newcomer.page.getByLabel("Role")).toHaveCount(0);
    await newcomer.page.getByLabel("Message").fill("To look after its images. Role: viewer.");
    const day = `${new Date().getUTCFullYear() + 1}-12-31`;
    await newcomer.page.getByLabel("Until").fill(day);
    await newcomer.page.getByLabel("Link or uid").fill(`https://console.example/groups/${param(folder.uid)}`);
    await newcomer.page.getByRole("button", { name: "Ask for access" }).click();
    await expect(newcomer.page.getByText("Request sent")).toBeVisible();
    const asked = `To look after its images. Role: viewer. Until ${day}.`;
    await expect(own.getByText(asked)).toBeVisible();

    await open(`people?group=${param(organization.uid)}`);
    await expect(
      requests.getByText("A role granted there applies to all 2 repos in platform team and below."),
    ).toBeVisible();
    await page
      .getByRole("region", { name: "Access requests" })
      .getByRole("link", { name: "Grant access" })
      .click();
    const form = page.getByRole("dialog", { name: "Grant access" });
    await expect(form.getByText(asked)).toBeVisible();
    await expect(form.getByLabel("Until when (UTC)")).toHaveValue(`${day}T23:59`);
    await expect(form.getByText("No role in this organization yet")).toBeVisible();
    await expect(form.getByLabel("Role").locator("option:checked")).toHaveText("viewer (built-in)");
    await form.getByRole("button", { name: "Grant access" }).click();
    await expect(form).toBeHidden();
    await newcomer.open("");
    await expect(newcomer.page.getByRole("heading", { name: "platform team", level: 1 })).toBeVisible();
    await open(`people?group=${param(organization.uid)}`);
    await expect(page.getByRole("table", { name: "People" }).getByText(newcomer.email)).toBeVisible();
    await expect(page.getByRole("region", { name: "Access requests" })).toBeHidden();

    problems.allow(/status of 403 /);
    // A neighbor's folder is hidden, which isn't the same as empty. More can be asked for where one has some access.
    const other = await api.post<{ uid: string }>(`/iam/v2/groups/${organization.uid}`, { name: "beside" });
    for (const path of ["audit-log", "identities"]) {
      await newcomer.open(`${path}?group=${param(other.uid)}`);
      await expect(newcomer.page.getByText("Hidden by your role")).toBeVisible();
    }
    await newcomer.open(`?group=${param(folder.uid)}`);
    await newcomer.page.getByRole("link", { name: "Ask for more access" }).click();
    await newcomer.page.getByLabel("Role").selectOption("editor");
    const granted = newcomer.page.getByRole("listitem").filter({ hasText: "as viewer" });
    await expect(granted.getByText("Granted", { exact: true })).toBeVisible();
    await expect(newcomer.page.getByText("You can't see who can grant access there.")).toBeVisible();
    const [binding] = (
      await api.get<{ roleBindings: { uid: string; identityUid: string }[] }>(
        `/iam/v2/roleBindings?uidp.children_of=${folder.uid}`,
      )
    ).roleBindings.filter(({ identityUid }) => identityUid === identity);
    await api.delete(`/iam/v2/roleBindings/${binding?.uid}`);
    await newcomer.open(`ask/${param(folder.uid)}`);
    await expect(granted.getByText("Removed since", { exact: true })).toBeVisible();
    await expect(granted.getByText(/, removed .+ by \S/)).toBeVisible();
  },
);

test("a role that somebody else gave is offered: the organization is among one's own once it is accepted", async ({
  person,
  signUp,
}) => {
  const { api, organization } = person;
  const other = await signUp();
  const own = await other.api.createOrganization(unique("own"));
  const identityUid = await identityOf(api, other);
  await bindTo(api, organization, identityUid, "viewer");
  const { page, open } = other;
  await open("");
  await expect(page.getByRole("heading", { name: own.name, level: 1 })).toBeVisible();
  const offers = page.getByRole("region", { name: "Access offered to you" });
  const offer = offers.getByRole("listitem", { name: `Offer of ${organization.name}` });
  await expect(offer).toContainText(`(${person.email})`);
  const tree = page.getByRole("complementary", { name: "Side bar" });
  await expect(tree.getByRole("treeitem", { name: own.name, exact: true })).toBeVisible();
  await expect(tree.getByRole("treeitem", { name: organization.name, exact: true })).toBeHidden();
  await offer.getByRole("button", { name: "Accept" }).click();
  await expect(page.getByText(`Joined ${organization.name}`).first()).toBeVisible();
  await expect(tree.getByRole("treeitem", { name: organization.name, exact: true })).toBeVisible();
  await expect(offers).toBeHidden();
  // With two organizations, "/" is the overview of both.
  await open("");
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();

  const unwanted = await api.createOrganization(unique("unwanted"));
  await bindTo(api, unwanted, identityUid, "viewer");
  await open("");
  await offers.getByRole("button", { name: "Decline" }).click();
  const dialog = page.getByRole("dialog", { name: `Decline access to ${unwanted.name}?` });
  await dialog.getByRole("button", { name: "Decline" }).click();
  await expect(offers).toBeHidden();
  const { roleBindings } = await api.get<{ roleBindings: unknown[] }>(
    `/iam/v2/roleBindings?identity=${identityUid}&uidp.descendants_of=${unwanted.uid}`,
  );
  expect(roleBindings).toEqual([]);
});
