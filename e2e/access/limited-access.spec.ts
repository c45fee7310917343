import { bindTo, identityOf } from "../bindings";
import { expect, test, unique } from "../fixtures";
import { param } from "../records";

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

  // The organization is seen only because of what is below it.
  await open(`identity-providers?group=${param(organization.uid)}`);
  await expect(page.getByRole("button", { name: "Create identity provider" })).toBeDisabled();
  await expect(page.getByText("Your role hides any others here.")).toBeVisible();
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
