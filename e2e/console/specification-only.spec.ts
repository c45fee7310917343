import type { FaultProxy } from "../fault-proxy";
import { expect, fault, ownService, test } from "../faulty";
import { param } from "../records";

/** The operations of the published document that the specification lacks. */
const BEYOND =
  /^\/iam\/v2\/(.*:(batchCreate|batchDelete|lookupGroup|requestGroupAccess|checkEligibility|lookupIdentity|updateIdentityMetadata|generateScimToken|regenerateScimToken|revokeScimToken|setScimEnabled|checkAccountAssociation)|accessRequests.*)$/;
/** Our own areas. */
const OWN = /^\/(audit|events-log|snapshots|access|sts)\//;

/** Answers as a service that has the specification and nothing else. */
function onlySpecification(proxy: FaultProxy): void {
  const missing = fault.answer(501, { code: 12, message: "Method Not Allowed", details: [] });
  proxy.rule({ path: BEYOND }, missing);
  proxy.rule({ path: OWN }, fault.answer(404, { code: 5, message: "Not Found", details: [] }));
  proxy.rule(
    { method: "GET", path: /\/v2\//, when: ({ query }) => query.has("uidp.in_root") },
    fault.answer(400, { code: 3, message: 'unknown query parameter "uidp.in_root"', details: [] }),
  );
  const bare = (config: string): string => {
    const { apiBaseUrl, oidc, title } = JSON.parse(config) as Record<string, unknown>;
    return JSON.stringify({ apiBaseUrl, oidc, title });
  };
  // The page repeats it.
  proxy.rule(
    { method: "GET", path: /^\/(?:config\.json|role-bindings)?$/ },
    fault.edit(({ body }) => ({
      body: body.startsWith("{")
        ? bare(body)
        : body.replace(/(?<=<script type="application\/json" id="config">).*?(?=<\/script>)/s, bare),
    })),
  );
}

test(
  "with a service that has only the specification, people find folders, grant one and several roles, and delete mappings",
  ownService,
  async ({ faulty }) => {
    const { page, proxy, api, open, organization } = faulty;
    const team = await api.post<{ uid: string }>(`/iam/v2/groups/${organization.uid}`, { name: "team" });
    for (const name of ["ci-one", "ci-two", "ci-three"])
      await api.post(`/iam/v2/identities/${organization.uid}`, {
        name,
        claimMatch: { issuer: "https://issuer.example", subject: name },
      });
    onlySpecification(proxy);
    await open("");
    await page.getByRole("button", { name: /^Your account/ }).click();
    await page.getByText("Roles and session").click();
    await expect(page.getByText(/^Your roles are unknown: the service didn't say/)).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("treeitem", { name: organization.name, exact: true })).toBeVisible();

    const form = page.getByRole("dialog", { name: "Grant access" });
    const grant = async (names: readonly string[]) => {
      await open(`role-bindings?drawer=create&group=${param(team)}`);
      for (const name of names) {
        await form.getByRole("searchbox", { name: "Find people and machines" }).fill(name);
        await form.getByRole("list", { name: "Matches" }).getByRole("button", { name }).click();
      }
      await form.getByLabel("Role").selectOption({ label: "viewer (built-in)" });
      await expect(form.getByRole("textbox", { name: "Reason (optional)" })).toHaveCount(0);
      await form.getByRole("button", { name: "Grant access" }).click();
    };
    await grant(["ci-one"]);
    await expect(page.getByText("Granted access").first()).toBeVisible();
    const created = () =>
      proxy.seen.filter(
        ({ method, path }) => method === "POST" && path === `/iam/v2/roleBindings/${team.uid}`,
      );
    expect(created()).toHaveLength(1);
    await grant(["ci-two", "ci-three"]);
    await expect(page.getByText("Granted access to 2 identities").first()).toBeVisible();
    expect(created()).toHaveLength(3);
    expect(proxy.seen.filter(({ headers }) => "change-justification" in headers)).toEqual([]);
    expect(await api.get(`/iam/v2/roleBindings?uidp.children_of=${team.uid}`)).toMatchObject({
      totalCount: "3",
    });
  },
);
