import type { AuditEntry } from "platform-contract/audit/entries";
import type { GuardRail } from "platform-contract/iam/guard-rails";
import type { RoleBinding } from "platform-contract/iam/role-bindings";

import { bindTo } from "../bindings";
import { expect, test } from "../fixtures";
import { hasNoFinding } from "../lists";
import { param } from "../records";

const SENTENCE = "Grants of owner or a role that can do as much must end within 30 days";

test("an owner sets that grants of owner must end: who breaks it is named, a grant without end is refused, an exception passes", async ({
  person,
  problems,
}) => {
  test.slow();
  problems.allow(/status of 400 .*\/iam\/v2\/roleBindings\//);
  const { page, api, organization, open } = person;
  const made: Record<string, string> = {};
  for (const name of ["ci", "deploy"])
    made[name] = (
      await api.post<{ uid: string }>(`/iam/v2/identities/${organization.uid}`, {
        name,
        claimMatch: { issuer: "https://issuer.example", subject: name },
      })
    ).uid;
  await bindTo(api, organization, made["ci"]!, "owner");

  await open(`guard-rails?group=${param(organization)}`);
  await expect(page.getByRole("heading", { name: "No guard rails here yet" })).toBeVisible();
  await page.getByRole("button", { name: "Create guard rail" }).first().click();
  const form = page.getByRole("dialog", { name: "Create guard rail" });
  await form.getByRole("button", { name: "Create guard rail" }).click();
  await expect(form.getByText("Choose a kind")).toBeVisible();
  await form.getByRole("radio", { name: "An end is required" }).check();
  await form
    .getByRole("list", { name: "Roles" })
    .getByRole("button", { name: /^owner/ })
    .click();
  await form.getByRole("textbox", { name: /^Days/ }).fill("30");
  await expect(form.getByText(`${SENTENCE}.`)).toBeVisible();

  await form.getByRole("button", { name: "Show who breaks it today" }).click();
  const findings = form.getByRole("list", { name: "Breaks it today" });
  await expect(findings.getByRole("listitem").filter({ hasText: "ci" })).toContainText(
    /Role binding, owner.*Has no end/,
  );
  await hasNoFinding(page, "[role=dialog]");
  await form.getByRole("button", { name: "Create guard rail" }).click();
  await expect(page.getByText(/^Created guard rail/).first()).toBeVisible();
  await page.getByRole("table").getByRole("link", { name: SENTENCE }).click();
  await expect(page.getByRole("heading", { level: 1, name: SENTENCE })).toBeVisible();
  await expect(page.getByRole("region", { name: "Who breaks it today" }).getByText("Has no end")).toHaveCount(
    2,
  );
  await hasNoFinding(page, "main");

  const grant = page.getByRole("dialog", { name: "Grant access" });
  const fill = async () => {
    const to = `identity=${param(made["deploy"]!)}&group=${param(organization)}`;
    await open(`role-bindings?drawer=create&${to}`);
    await grant.getByLabel("Role").selectOption({ label: "owner (built-in)" });
    await grant.getByRole("textbox", { name: "Reason (optional)" }).fill("New pipeline");
    await grant.getByRole("button", { name: "Grant access" }).click();
  };
  await fill();
  await expect(grant.getByText(`a guard rail says "${SENTENCE}"`)).toBeVisible();
  await expect(grant.getByRole("textbox", { name: /^Until when/ })).toBeFocused();
  await expect(grant.getByRole("textbox", { name: "Reason (optional)" })).toHaveValue("New pipeline");
  await expect(grant.getByText("deploy", { exact: true }).first()).toBeVisible();

  const { guardRails } = await api.get<{ guardRails: GuardRail[] }>(
    `/access/v1/guardRails?uidp.descendants_of=${organization.uid}`,
  );
  const [rail] = guardRails as [GuardRail];
  await open(`guard-rails/${param(rail)}`);
  await page.getByRole("button", { name: "Add exception" }).click();
  const except = page.getByRole("dialog", { name: "Add exception" });
  await except.getByRole("searchbox", { name: "Find people and machines" }).fill("deploy");
  await except
    .getByRole("list", { name: "Matches" })
    .getByRole("button", { name: /deploy/ })
    .click();
  await except.getByRole("button", { name: "1 week" }).click();
  await except
    .getByRole("textbox", { name: /^Reason for the exception/ })
    .fill("Until the new cluster stands");
  await except.getByRole("button", { name: "Add exception" }).click();
  const exceptions = page
    .getByRole("main")
    .getByRole("region", { name: /^Exceptions/ })
    .first();
  await expect(exceptions.getByText("Until the new cluster stands")).toBeVisible();

  await fill();
  await expect(page.getByText("Granted access").first()).toBeVisible();

  const { roleBindings } = await api.get<{ roleBindings: RoleBinding[] }>(
    `/iam/v2/roleBindings?identity=${made["deploy"]}`,
  );
  expect(roleBindings).toMatchObject([{ role: { name: "owner" } }]);
  const { auditEntries } = await api.get<{ auditEntries: AuditEntry[] }>(
    `/audit/v1/entries?uidp.descendants_of=${organization.uid}&outcome=OUTCOME_REFUSED`,
  );
  expect(auditEntries).toMatchObject([
    {
      action: "roleBindings.create",
      guardRails: [{ guardRail: rail.uid, sentence: SENTENCE, effect: "GUARD_RAIL_EFFECT_REFUSED" }],
    },
  ]);
  expect(await api.get<GuardRail>(`/access/v1/guardRails/${rail.uid}`)).toMatchObject({
    mode: "GUARD_RAIL_MODE_REFUSE",
    maxDays: 30,
    exceptions: [{ subject: made["deploy"], reason: "Until the new cluster stands" }],
  });
  await open(`audit-log/${param(auditEntries[0]?.uid ?? "")}`);
  await expect(page.getByText("Refused: a guard rail prevented it")).toBeVisible();
  await expect(page.getByRole("link", { name: SENTENCE })).toBeVisible();
});
