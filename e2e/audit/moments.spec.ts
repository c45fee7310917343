import type { AuditEntry } from "platform-contract/audit/entries";
import type { Repo } from "platform-contract/registry/repos";

import { bindTo } from "../bindings";
import { expect, test } from "../fixtures";
import { hasNoFinding } from "../lists";
import { folder, param } from "../records";

test("the moment before a change shows what was there, offers no write, and leads back to now", async ({
  person,
  problems,
}) => {
  const { page, api, organization, open } = person;
  const team = await folder(api, organization, "team-before");
  const repo = await api.post<Repo>(`/registry/v2/repos/${team.uid}`, { name: "python" });
  const machine = await api.post<{ uid: string }>(`/iam/v2/identities/${team.uid}`, {
    name: "ci-bot",
    claimMatch: { issuer: "https://issuer.example", subject: "ci" },
  });
  await bindTo(api, team, machine.uid, "viewer");
  await api.delete(`/iam/v2/identities/${machine.uid}`);
  const { auditEntries } = await api.get<{ auditEntries: AuditEntry[] }>(
    `/audit/v1/entries?record=${machine.uid}&action=identities.delete`,
  );
  await api.delete(`/registry/v2/repos/${repo.uid}`);
  await api.patch(`/iam/v2/groups/${team.uid}`, { name: "team-after" });

  await open(`audit-log/${param(auditEntries[0]!)}`);
  await page.getByRole("link", { name: "The console just before" }).click();
  const banner = page.getByRole("region", { name: "Moment" });
  await expect(banner.getByRole("status")).toContainText(/^As of \d{4}-\d\d-\d\d [\d:]+ UTC\. Read-only\./);
  const tree = page.getByRole("tree");
  await expect(tree.getByRole("treeitem", { name: "team-before" })).toBeVisible();
  await expect(tree.getByRole("treeitem", { name: "team-after" })).toHaveCount(0);
  await hasNoFinding(page, "body");

  // What was deleted since, with the moment kept from screen to screen and after a reload.
  const to = async (list: string, row: RegExp) => {
    await page
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: list, exact: true })
      .click();
    await expect(page.getByRole("row", { name: row })).toBeVisible();
    await expect(banner).toBeVisible();
  };
  await to("Repos", /python/);
  await expect(page.getByRole("button", { name: "Create repo" })).toHaveAttribute("aria-disabled", "true");
  await to("Identities", /ci-bot/);
  await expect(page.getByRole("checkbox")).toHaveCount(0);
  await to("Role bindings", /ci-bot/);
  await page.reload();
  await expect(page.getByRole("row", { name: /ci-bot/ })).toContainText("viewer");
  await expect(page).toHaveURL(/[?&]asOf=/);

  await banner.getByRole("button", { name: "Back to now" }).click();
  await expect(banner).toHaveCount(0);
  await expect(page).not.toHaveURL(/asOf/);
  await expect(tree.getByRole("treeitem", { name: "team-after" })).toBeVisible();
  await expect(page.getByRole("row", { name: /ci-bot/ })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Grant access" })).toBeEnabled();

  // Before the log of the organization there was nothing of it, and the future is refused where it is typed.
  await page.getByRole("button", { name: /^Your account/ }).click();
  await page.getByRole("button", { name: "See the console as of a moment" }).click();
  const dialog = page.getByRole("dialog", { name: "See the console as of a moment" });
  const field = dialog.getByLabel("Moment (UTC)");
  await field.fill("2999-01-01T00:00");
  await dialog.getByRole("button", { name: "Show" }).click();
  await expect(dialog.getByText("Must not be in the future")).toBeVisible();
  problems.allow(/status of 400 .*read_time=2020/);
  await field.fill("2020-01-01T00:00");
  await dialog.getByRole("button", { name: "Show" }).click();
  await expect(banner).toContainText("As of 2020-01-01 00:00:59 UTC");
  await expect(page.getByText(/the log tells what was there since \d{4}/).first()).toBeVisible();
});
