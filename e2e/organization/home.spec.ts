import { bind } from "../bindings";
import { expect, gate, test } from "../fixtures";
import { hasNoFinding } from "../lists";
import { folder, param } from "../records";
import { makeRepo } from "../repos";
import { createTags, digestOf } from "../tags";

test(
  "the home of an organization counts what the API counts, shows what was just made, and finds what is deprecated",
  gate,
  async ({ person }) => {
    const { page, api, organization, open } = person;
    const team = await folder(api, organization, "team");
    await api.post(`/iam/v2/identities/${team.uid}`, {
      name: "robot",
      claimMatch: { issuer: "https://issuer.example", subject: "robot" },
    });
    const repo = await makeRepo(person, { name: "web" });
    const [old] = await createTags(api, repo.uid, [
      { name: "1.0", digest: digestOf(1), deprecated: true },
      { name: "2.0", digest: digestOf(2) },
    ]);
    await open("");
    const counts = page.getByLabel("Including subfolders");
    for (const [words, path] of [
      ["folder", "/iam/v2/groups"],
      ["identity", "/iam/v2/identities"],
      ["role binding", "/iam/v2/roleBindings"],
      ["repo", "/registry/v2/repos"],
      ["tags", "/registry/v2/tags"],
    ] as const) {
      const { totalCount } = await api.get<{ totalCount: string }>(
        `${path}?uidp.descendants_of=${organization.uid}&page_size=1`,
      );
      await expect(counts.getByRole("link", { name: `${totalCount} ${words}`, exact: true })).toBeVisible();
    }
    // What there is none of is not counted.
    await expect(counts.getByRole("listitem")).toHaveCount(5);
    const changed = page.getByRole("region", { name: "Recently updated" });
    await expect(changed.getByRole("listitem").filter({ hasText: "robot" })).toContainText("Identity");
    await changed.getByRole("link", { name: "team", exact: true }).click();
    await expect(page.getByRole("heading", { name: "team", level: 1 })).toBeVisible();
    await page.goBack();

    const attention = page.getByRole("region", { name: "Needs attention" });
    // Nobody has to ask for what a few requests can tell.
    await expect(attention.getByText("Checked just now")).toBeVisible();
    await expect(
      attention.getByText(
        /^No .*keys expired or expiring soon.* or unfixed advisories; no terms to accept\.$/,
      ),
    ).toBeVisible();
    await hasNoFinding(page, "main");
    await page.reload();
    // The results are stored and survive the reload.
    await expect(attention.getByRole("link", { name: "1 identity never used" })).toBeVisible();
    await attention.getByRole("link", { name: "1 deprecated tag" }).click();
    await expect(page).toHaveURL(new RegExp(`tags\\?.*deprecated=yes`));
    const tags = page.getByRole("table", { name: "Tags" });
    await expect(tags.getByRole("link", { name: "1.0", exact: true })).toBeVisible();
    await expect(tags.getByRole("link", { name: "2.0", exact: true })).toBeHidden();
    expect(new URL(page.url()).searchParams.get("group")).toBe(param(organization));

    // The stored result stays until the check runs again.
    await api.delete(`/registry/v2/tags/${old?.uid}`);
    await page.goBack();
    await attention.getByRole("button", { name: "Check again" }).click();
    await expect(
      attention.getByText(
        /^No .* or deprecated tags \(dated and build tags aren't counted\); no terms to accept\.$/,
      ),
    ).toBeVisible();
    await expect(attention.getByRole("link", { name: "1 deprecated tag" })).toBeHidden();
  },
);

test("names the permission for each check and count that a role hides, and shows no number of it", async ({
  person,
  signUp,
}) => {
  const { api, organization } = person;
  const visitor = await signUp();
  await bind(api, organization, visitor, [
    "CAP_IAM_GROUPS_LIST",
    "CAP_IAM_ROLES_LIST",
    "CAP_IAM_ROLE_BINDINGS_LIST",
    "CAP_REPO_LIST",
    "CAP_TAG_LIST",
  ]);
  await makeRepo(person, { name: "web" });
  const { page, open } = visitor;
  await open("");
  const attention = page.getByRole("region", { name: "Needs attention" });
  const hidden = attention.getByRole("list", { name: "Checks hidden by your role" }).getByRole("listitem");
  await attention.getByText("5 checks are hidden by your role").click();
  await expect(hidden).toHaveCount(5);
  await expect(hidden.first()).toHaveText(
    "Keys expired or expiring soon: needs permission to view identities (identity.list)",
  );
  // Not all of it was looked at.
  await expect(attention.getByText(/^No machines/)).toHaveText(
    "No machines with the owner role, syncs stopped or stopping soon, or deprecated tags (dated and build tags aren't counted).",
  );
  const counts = page.getByLabel("Including subfolders");
  await expect(counts).toHaveText(/1 repo.*kinds hidden by your role$/);
  await expect(counts).not.toContainText("identit");
  const changed = page.getByRole("region", { name: "Recently updated" });
  await expect(changed.getByRole("link", { name: "web", exact: true })).toBeVisible();
  await expect(
    page.getByRole("region", { name: "Resolved vulnerabilities" }).getByText(/^Hidden by your role/),
  ).toBeVisible();
  // Nor can they ask about what they may not see.
  await expect(page.getByRole("button", { name: "Are we affected?" })).toHaveAccessibleDescription(
    /needs permission to view advisories/,
  );
  await hasNoFinding(page, "main");
});
