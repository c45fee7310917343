import { bind, bindTo, identityOf } from "../bindings";
import { expect, test, unique } from "../fixtures";
import { param } from "../records";
import { card, roleNamed, startReview } from "../reviews";

test("who has roles in folders only reads them on the overview, asks for more, and is offered nothing above them", async ({
  person,
  signUp,
  problems,
}) => {
  const { api, organization } = person;
  const folder = (name: string) =>
    api.post<{ uid: string; name: string }>(`/iam/v2/groups/${organization.uid}`, { name });
  const seen = await folder("seen");
  const owned = await folder("owned");
  const other = await signUp();
  const identity = await identityOf(api, other);
  // Asking is consent, so that the roles count at once.
  await other.api.post(`/iam/v2/groups/${seen.uid}:requestGroupAccess`, {});
  await bindTo(api, seen, identity, "viewer");
  await bindTo(api, owned, identity, "owner");

  const { page, open } = other;
  await open("");
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
  const access = page.getByRole("region", { name: "Your access" });
  for (const role of [/^viewer\s*at\s*seen/, /^owner\s*at\s*owned/])
    await expect(access.getByRole("listitem").filter({ hasText: role })).toBeVisible();
  await expect(access.getByRole("link", { name: /^Ask for more access/ })).toHaveText([
    "Ask for more access in seen",
  ]);

  // A page about one group offers those that there are.
  await open("access-review");
  await page.getByRole("main").getByRole("link", { name: "owned" }).click();
  await expect(page.getByRole("button", { name: "New review" })).toBeEnabled();

  // The organization is seen only because of what is below it.
  await open(`identity-providers?group=${param(organization.uid)}`);
  await expect(page.getByRole("button", { name: "Create identity provider" })).toBeDisabled();
  await expect(page.getByText("Your role hides any others here.").first()).toBeVisible();
  await open(`identities?group=${param(seen.uid)}`);
  await expect(page.getByRole("button", { name: "Create pull token" })).toBeDisabled();
  await expect(page.getByRole("link", { name: "Import" })).toBeDisabled();
  await open(`identities?group=${param(owned.uid)}`);
  await expect(page.getByRole("button", { name: "Create pull token" })).toBeEnabled();
  // A folder that none of their roles has to do with: the service hides it.
  const beside = await folder(unique("beside"));
  problems.allow(/status of 403 /);
  await open(`repos?group=${param(beside.uid)}`);
  await expect(page.getByText("Hidden by your role")).toBeVisible();
  await expect(page.getByRole("button", { name: "Create repo" })).toBeDisabled();
});

test("who owns one folder is told what counts, reviews and past access leave out", async ({
  person,
  signUp,
}) => {
  const { api, organization } = person;
  const owned = await api.post<{ uid: string }>(`/iam/v2/groups/${organization.uid}`, { name: "owned" });
  const [other, reader] = [await signUp(), await signUp()];
  await bind(api, owned, other, "owner");
  await bind(api, owned, reader, ["CAP_REPO_LIST"]);

  const { page, open } = other;
  await open("roles");
  const table = page.getByRole("table");
  await expect(table.getByRole("link", { name: "≥ 1 role binding that you can see" })).toBeVisible();
  await open(`roles/${await roleNamed(api, "owner")}`);
  await expect(page.getByRole("link", { name: "1 role binding that you can see" })).toBeVisible();
  const holders = page.getByRole("region", { name: "Who has this role", exact: true });
  await expect(holders.getByText("Only role bindings that you can see.")).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(holders.getByRole("row").last().getByText("just now")).toHaveCount(2);
  await page.setViewportSize({ width: 1280, height: 720 });
  // Who sees everything is told no less than all.
  await person.open("roles");
  await expect(person.page.getByRole("link", { name: "2 role bindings", exact: true })).toBeVisible();

  await open(`access-review?group=${param(owned)}`);
  await startReview(page);
  await expect(page.getByText(/who started the review can't see them/)).toBeVisible();
  await expect(card(page).getByRole("button", { name: /^Reduce/ })).toHaveAccessibleDescription(
    "This is your own access: somebody else has to decide about it",
  );

  await open(`audit-log/access?group=${param(owned)}`);
  await expect(
    page.getByText(/^At least 2 identities, .* or above it\. Nobody else is known to have had a role/),
  ).toBeVisible();
});
