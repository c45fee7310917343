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

test("a second moment marks what was created, changed and deleted, in lists, tree and records", async ({
  person,
  problems,
}) => {
  const { page, api, organization, open } = person;
  const digests = ["a", "b"].map((digit) => `sha256:${digit.repeat(64)}`);
  const kept = await folder(api, organization, "team-kept");
  const leaves = await folder(api, organization, "team-leaves");
  const repo = await api.post<Repo>(`/registry/v2/repos/${kept.uid}`, { name: "python" });
  const tag = (name: string, digest = digests[0]) =>
    api.post<{ uid: string }>(`/registry/v2/tags/${repo.uid}`, { name, digest });
  const [dropped] = [await tag("3.11"), await tag("3.12"), await tag("latest")];
  const before = new Date().toISOString();
  await expect.poll(() => new Date().toISOString() > before).toBe(true);
  await api.delete(`/registry/v2/tags/${dropped.uid}`);
  await tag("latest", digests[1]);
  const made = await tag("3.13");
  await api.delete(`/iam/v2/groups/${leaves.uid}`);
  await folder(api, organization, "team-new");

  await open(`tags?${new URLSearchParams({ repo: param(repo), asOf: before })}`);
  const banner = page.getByRole("region", { name: "Moment" });
  const rows = page.getByRole("table", { name: "Tags" }).getByRole("row");
  await expect(rows).toHaveCount(4);
  await banner.getByRole("button", { name: "Compare with now" }).click();
  await expect(banner.getByRole("status")).toContainText(/^As of .+, compared with .+\. Read-only\./);
  const row = (name: string) => rows.filter({ has: page.getByRole("link", { name, exact: true }) });
  await expect(row("3.11")).toContainText(/Deleted between .+ and .+/);
  await expect(row("3.13")).toContainText(/Created between .+ and .+/);
  await expect(row("latest")).toContainText(/Changed between .+ and .+: Digest/);
  await expect(row("3.12")).not.toContainText("between");
  const tree = page.getByRole("tree");
  await expect(tree.getByRole("treeitem", { name: "team-leaves Deleted" })).toBeVisible();
  await expect(tree.getByRole("treeitem", { name: "team-new Created" })).toBeVisible();
  await expect(tree.getByRole("treeitem", { name: "team-kept", exact: true })).toBeVisible();
  await hasNoFinding(page, "body");

  // No image has these digests.
  problems.allow(/status of 404 .*\/digests\//);
  await row("latest").getByRole("link").first().click();
  const changed = page.getByRole("table", { name: /^Changed between/ }).getByRole("row", { name: /^Digest/ });
  await expect(changed.getByRole("cell")).toContainText(digests);
  // What was not there yet opens too, and says so, with the comparison kept after a reload.
  problems.allow(/status of 404 .*read_time=/);
  await page.goBack();
  await row("3.13").getByRole("link").first().click();
  await expect(page.getByText(/^Created between/)).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "3.13" })).toBeVisible();
  expect(page.url()).toContain(param(made));

  // The same two moments the other way around, and an end of it.
  await banner.getByRole("button", { name: "Change" }).click();
  const dialog = page.getByRole("dialog", { name: "See the console as of a moment" });
  const other = dialog.getByLabel("Other moment (UTC)");
  const now = await other.inputValue();
  await other.fill("2999-01-01T00:00");
  await dialog.getByRole("button", { name: "Show" }).click();
  await expect(dialog.getByText("Must not be in the future")).toBeVisible();
  await dialog.getByLabel("Moment (UTC)", { exact: true }).fill(now);
  await other.fill(now);
  await dialog.getByRole("button", { name: "Show" }).click();
  await expect(dialog.getByText("Must be another moment")).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await banner.getByRole("button", { name: "Stop comparing" }).click();
  await expect(page).not.toHaveURL(/compareWith=/);
  await expect(banner.getByRole("status")).toContainText(/^As of/);
});
