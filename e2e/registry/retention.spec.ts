import type { Page } from "@playwright/test";
import type { RetentionRule } from "platform-contract/registry/retention";

import { acceptOffers, bind, bindTo, identityOf } from "../bindings";
import { expect, test } from "../fixtures";
import { hasNoFinding } from "../lists";
import { param } from "../records";
import { makeRepo } from "../repos";
import { allTags, createTags, digestOf, NO_IMAGE } from "../tags";

/** The value of a fact. */
const fact = (page: Page, term: string) =>
  page.getByRole("main").getByRole("term").filter({ hasText: term }).locator("xpath=following-sibling::dd");

const KEEPS = ["GROUPS_LIST", "ROLE_BINDINGS_LIST"]
  .map((name) => `CAP_IAM_${name}`)
  .concat(["CAP_REPO_LIST", "CAP_TAG_LIST", "CAP_TAG_CREATE", "CAP_TAG_DELETE"]);

test("somebody who keeps tags sets a rule for a repo and confirms its preview; the service deletes, reports and restores; a viewer only sees it", async ({
  person,
  signUp,
  problems,
}) => {
  test.setTimeout(150_000);
  problems.allow(NO_IMAGE);
  problems.allow(/status of 404 .*\/registry\/v2\/tags\//);
  problems.allow(/status of 403 .*\/digests\//);
  problems.allow(/status of 409 .*\/registry-retention\/v1\/rules\//);
  const { api, organization } = person;
  const repo = await makeRepo(person, { name: "web", activeTags: ["1.0.1"] });
  const names = ["latest", "1.0", "1.0.0", "1.0.1", "1.0.2", "1.0.3", "1.0.4", "1.0.0-r1"];
  await createTags(
    api,
    repo.uid,
    names.map((name, index) => ({ name, digest: digestOf(index) })),
  );
  const left = async () => (await allTags(api, repo.uid)).map(({ name }) => name).toSorted();
  const [keeper, viewer] = [await signUp(), await signUp()];
  await bind(api, organization, keeper, KEEPS);
  await bindTo(api, organization, await identityOf(api, viewer), "viewer");
  await acceptOffers(viewer);

  const { page } = keeper;
  await keeper.open(`tags?repo=${param(repo)}`);
  await page.getByRole("button", { name: "More actions for web" }).click();
  await page.getByRole("menuitem", { name: "Delete old tags" }).click();
  await expect(page.getByText("Delete old tags of web by a rule, after a preview.")).toBeVisible();
  await page.getByRole("button", { name: "Save rule" }).click();
  await expect(
    page.getByText("Set at least one rule. Without any, every tag would be deleted."),
  ).toBeVisible();
  await page.getByRole("textbox", { name: "Keep the newest" }).fill("2");
  await page.getByRole("textbox", { name: "Never delete names" }).fill("release-*");
  // No registry is behind this service: no rule by pulls, but the way to one.
  await expect(page.getByRole("textbox", { name: "Not pulled for (days)" })).toBeHidden();
  await hasNoFinding(page, "main");
  await page.getByRole("button", { name: "Save rule" }).click();
  await expect(fact(page, "In words")).toContainText(
    "Deletes tags beyond the newest 2 of each minor version. Never release-*.",
  );
  await expect(fact(page, "State")).toContainText("Waits for a confirmed preview");
  await expect(page.getByText("No rule of this place has run yet.")).toBeVisible();

  const preview = page.getByRole("region", { name: "Preview" });
  await preview.getByRole("button", { name: "Preview" }).click();
  await expect(preview.getByText("2 tags would be deleted, 6 tags kept, in 1 repo.")).toBeVisible();
  await expect(preview.getByRole("region", { name: "Tags to delete" }).getByRole("link")).toHaveText([
    "1.0.0",
    "1.0.2",
  ]);
  await preview.getByRole("radio", { name: "Kept (6)" }).check();
  for (const reason of ["latest is never deleted", "Active in its repo", "Moves with newer versions"])
    await expect(preview.getByRole("region", { name: "Why tags are kept" }).getByText(reason)).toBeVisible();

  // Somebody else changes the rule: this preview is of the one before.
  const set = (keepNewest: number) =>
    api.post<RetentionRule>(`/registry-retention/v1/rules/${repo.uid}`, { keepNewest });
  await set(3);
  const confirm = async () => {
    await preview.getByRole("button", { name: "Confirm this preview…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Confirm and run" }).click();
  };
  await confirm();
  const dialog = page.getByRole("dialog", { name: "Run this rule?" });
  await expect(dialog.getByText(/somebody changed it/)).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect(await left()).toEqual(names.toSorted());
  await set(2);
  await page.reload();
  await preview.getByRole("button", { name: "Preview" }).click();
  await expect(preview.getByText("2 tags would be deleted, 6 tags kept, in 1 repo.")).toBeVisible();
  await confirm();
  await expect(fact(page, "State")).toContainText("Runs daily");
  const runs = page.getByRole("region", { name: "Runs so far" });
  await expect(runs.getByRole("row").nth(1)).toContainText("Done", { timeout: 30_000 });
  const kept = names.filter((name) => !["1.0.0", "1.0.2"].includes(name));
  expect(await left()).toEqual(kept.toSorted());
  await hasNoFinding(page, "main");

  await runs.getByRole("link").click();
  const report = page.getByRole("region", { name: "Tags of the run" });
  await expect(report.getByRole("row")).toHaveCount(3);
  await page.getByRole("button", { name: "Restore 1.0.0" }).click();
  const asking = page.getByRole("dialog", { name: "Restore tags?" });
  await expect(asking.getByText(/^1 tag can be restored/)).toBeVisible();
  await asking.getByRole("button", { name: "Restore 1 tag" }).click();
  await expect(report.getByRole("row").filter({ hasText: "1.0.0" })).toContainText("Restored by");
  expect(await left()).toEqual([...kept, "1.0.0"].toSorted());

  // A viewer sees the rule and its runs, and changes nothing.
  await viewer.open(`repos/${param(repo)}`);
  const seen = viewer.page;
  await expect(fact(seen, "Retention")).toContainText("beyond the newest 2 of each minor version");
  await seen.getByRole("link", { name: "View rule" }).click();
  for (const name of ["Edit rule", "Stop rule", "Delete rule"]) {
    const button = seen.getByRole("button", { name });
    await expect(button).toHaveAttribute("aria-disabled", "true");
    await expect(button).toHaveAccessibleDescription(/tag\.delete/);
  }
  await seen.getByRole("region", { name: "Runs so far" }).getByRole("link").click();
  await expect(seen.getByRole("button", { name: "Restore all…" })).toHaveAttribute("aria-disabled", "true");
  const refused = await viewer.api.refusal("POST", `/registry-retention/v1/rules/${repo.uid}:stop`, {});
  expect(refused.http).toBe(403);

  // Who set it stops it.
  await page.getByRole("link", { name: "Back to the rule" }).click();
  await page.getByRole("button", { name: "Stop rule" }).click();
  await expect(fact(page, "State")).toContainText("Stopped");
  const { rule } = await api.get<{ rule: RetentionRule }>(
    `/registry-retention/v1/effectiveRules/${repo.uid}`,
  );
  expect(rule).toMatchObject({ state: "RETENTION_STATE_OFF", version: 3 });
});
