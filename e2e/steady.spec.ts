import { address } from "./api";
import { settled } from "./addresses";
import { expect, LONG, test } from "./fixtures";
import { param } from "./records";
import { makeRepo, writeReadme } from "./repos";
import { createTags, digestOf, NO_IMAGE } from "./tags";

/** Returns the cumulative layout shift since the page loaded, and what moved. */
const shiftOf = () =>
  new Promise<{ score: number; moved: string[] }>((resolve) => {
    new PerformanceObserver((list) => {
      const shifts = list.getEntries() as (PerformanceEntry & {
        value: number;
        sources: readonly { node: Node | null }[];
      })[];
      resolve({
        score: shifts.reduce((sum, { value }) => sum + value, 0),
        moved: shifts.flatMap(({ sources }) =>
          sources.map(({ node }) => (node instanceof Element ? node.outerHTML : node?.textContent) ?? ""),
        ),
      });
    }).observe({ type: "layout-shift", buffered: true });
    // The observer reports nothing if nothing moved.
    setTimeout(() => resolve({ score: 0, moved: [] }), 200);
  });

test("nothing moves while a screen is loaded", async ({ person, problems }) => {
  if (LONG) test.slow();
  problems.allow(NO_IMAGE);
  // 34 screens, each until the network is quiet.
  if (LONG) test.setTimeout(300_000);
  const { page, api, organization, open } = person;
  const repo = await makeRepo(person, { name: "web" });
  await writeReadme(person, repo.uid, "# Title\n\n" + "A line.\n\n".repeat(6));
  const bare = await makeRepo(person, { name: "bare" });
  const [tag, other] = await createTags(
    api,
    repo.uid,
    ["1.0", "1.1"].map((name, index) => ({ name, digest: digestOf(index) })),
  );
  const machine = await api.post<{ uid: string }>(`/iam/v2/identities/${organization.uid}`, {
    name: "deployer",
    claimMatch: { issuer: "https://issuer.example", subject: "deployer" },
  });
  await api.post(`/iam/v2/accountAssociations/${organization.uid}`, {
    name: "accounts",
    amazon: { account: "123456789012" },
  });
  const subscription = await api.post<{ uid: string }>(`/events/v2/subscriptions/${organization.uid}`, {
    sink: "http://127.0.0.1:9/hook",
  });
  const terms = await api.post<{ uid: string }>(`/iam/v2/terms/${organization.uid}`, {
    name: "tos.v1",
    label: "Terms",
    url: "https://example.com/tos",
  });
  const group = param(organization);
  await open("");
  for (const path of [
    "",
    `?group=${group}`,
    "groups",
    `groups/${group}`,
    "identities",
    "people",
    "libraries",
    `identities/${param(machine)}`,
    "roles",
    "roles/63921b2c44617e3f2603851537be0123af4a57d7",
    "roles/compare?roles=63921b2c44617e3f2603851537be0123af4a57d7",
    "repos",
    `repos/${param(repo)}`,
    `repos/${param(bare)}`,
    `tags?repo=${param(repo)}`,
    "tags",
    `tags/${param(tag as never)}`,
    `tags/compare?a=${param(tag as never)}&b=${param(other as never)}`,
    "identity-providers",
    "role-bindings",
    "group-invites",
    "invite",
    "account-associations",
    `account-associations/${group}`,
    "terms",
    `terms/${param(terms)}`,
    "subscriptions",
    `subscriptions/${param(subscription)}`,
    "advisories",
    "affected?id=CVE-1999-1",
    "reports",
    "snapshots",
    "status",
    "no-such-screen",
  ].filter((each) => LONG || /^(?:groups)?$|^repos/.test(each))) {
    await page.goto(address(path));
    await settled(page, {}, path);
    await page.waitForLoadState("networkidle");
    const { score, moved } = await page.evaluate(shiftOf);
    expect.soft(score, `${path}: ${moved.join("\n")}`).toBeLessThan(0.02);
  }
});
