import type { CapabilityUse } from "platform-contract/iam/capability-use";
import type { RoleBinding } from "platform-contract/iam/role-bindings";

import { bind, identityOf } from "../bindings";
import { expect, test } from "../fixtures";
import { hasNoFinding } from "../lists";
import { folder, param } from "../records";

test("what somebody used shows on their page, and a smaller role says what it would have refused @long", async ({
  person,
  signUp,
}) => {
  test.slow();
  const { page, api, organization, open } = person;
  const other = await signUp();
  const team = await folder(api, organization, "team");
  await bind(api, team, other, "editor");
  const who = await identityOf(api, other);
  await other.api.post(`/registry/v2/repos/${team.uid}`, { name: "pushed" });
  await other.api.get(`/registry/v2/repos?uidp.descendants_of=${team.uid}`);
  // It is written once a minute.
  const used = async () => {
    const path = `/access/v1/use?identity=${who}&uidp.descendants_of=${team.uid}`;
    const { capabilityUse = [] } = await api.get<{ capabilityUse?: CapabilityUse[] }>(path);
    return capabilityUse.map(({ capability }) => capability);
  };
  await expect
    .poll(used, { timeout: 90_000 })
    .toEqual(expect.arrayContaining(["CAP_REPO_CREATE", "CAP_REPO_LIST"]));

  await open(`identities/${param(who)}`);
  const use = page.getByRole("region", { name: /^Use$/ });
  await expect(use.getByRole("row", { name: /repo\.create/ })).toContainText(/team.*1.*ago|team.*1.*now/);
  const held = page.getByRole("region", { name: "Role bindings" });
  await expect(held.getByRole("columnheader", { name: "Last used" })).toBeVisible();
  await expect(held.getByRole("row", { name: /editor/ }).getByText(/unknown|not since/i)).toHaveCount(0);
  await expect(
    held
      .getByRole("row", { name: /editor/ })
      .getByRole("cell")
      .nth(2),
  ).toHaveText(/ago|now/);
  await hasNoFinding(page, "main");

  const bindings = await api.get<{ roleBindings: RoleBinding[] }>(`/iam/v2/roleBindings?identity=${who}`);
  const { uid } = bindings.roleBindings[0] as RoleBinding;
  await open(`role-bindings/${param(uid)}`);
  await expect(
    page
      .locator("dl")
      .getByText(/ago|now/)
      .first(),
  ).toBeVisible();
  const smaller = page.getByRole("region", { name: "A smaller role" });
  const row = smaller.getByRole("row", { name: /^viewer/ });
  await expect(row).toContainText(/Would have refused 1 of \d+ uses, last on \w+ \d+, \d{4}/);
  await hasNoFinding(page, "main");

  await smaller.getByRole("button", { name: "Create role with what was used" }).click();
  const chosen = page.getByRole("region", { name: "Chosen capabilities" });
  await expect(chosen.getByText("repo.create", { exact: true })).toBeVisible();
  await page.getByRole("textbox", { name: /^Name/ }).fill("just enough");
  await page.getByRole("button", { name: "Create role", exact: true }).click();
  const enough = smaller.getByRole("row", { name: /^just enough/ });
  await expect(enough).toContainText(/Would have refused none of \d+ uses/);

  await row.getByRole("button", { name: "Change to viewer" }).click();
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("heading", { level: 1, name: /, viewer in team/ })).toBeVisible();
  expect(await api.get<RoleBinding>(`/iam/v2/roleBindings/${uid}`)).toMatchObject({
    role: { name: "viewer" },
  });
  await other.api.refusal("POST", `/registry/v2/repos/${team.uid}`, { name: "again" });
});
