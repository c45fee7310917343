import { expect, type Page } from "@playwright/test";

import { kinds, listPath } from "platform-contract/kinds";
import type { Advisory } from "platform-contract/vulnerabilities/advisories";

import { connect } from "./api";
import { signInToDemo } from "./demo";
import type { Proxied } from "./proxied";
import { param } from "./records";

const LISTS = [
  ...kinds.filter(({ screens }) => screens).map(({ collection }) => listPath(collection).slice(1)),
  "people",
  "libraries",
  "audit-log",
  "advisories/documents",
];

/** Lists whose rows link to another list's records. */
const ELSEWHERE = new Set(["people", "advisories/documents"]);

/** Links to the pages of a list's first records. */
const recordsOf = (page: Page, list: string): Promise<string[]> =>
  page
    .getByRole("main")
    .getByRole("table")
    .getByRole("link")
    .evaluateAll(
      (links, start) =>
        [...new Set(links.map((link) => (link as HTMLAnchorElement).pathname.slice(1)))]
          .filter((path) => path.startsWith(start))
          .slice(0, 2),
      `${list}/`,
    );

/** Signs in to the demo, and calls `visit` with the address of every screen, and of two records of each list. */
export async function everyScreen(
  page: Page,
  { proxy, direct }: Proxied,
  visit: (path: string, address: string) => Promise<void>,
): Promise<void> {
  const at = `${proxy.url}/`;
  await signInToDemo(page, at, "owner");
  const api = await connect(page.context().request, at, { direct });
  const { groups } = await api.get<{ groups: [{ uid: string }] }>("/iam/v2/groups?uidp.in_root=true");
  const group = `group=${param(groups[0])}`;
  const { subscriptions = [] } = await api.get<{ subscriptions?: object[] }>("/events/v2/subscriptions");
  if (subscriptions.length === 0)
    await api.post(`/events/v2/subscriptions/${groups[0].uid}`, { sink: "http://127.0.0.1:9/hook" });
  const { repos } = await api.get<{ repos: [{ uid: string }] }>("/registry/v2/repos?name=python");
  const { advisories } = await api.get<{ advisories: [Advisory] }>(
    "/vulnerabilities/v2/advisories?page_size=1",
  );
  const [cve = ""] = advisories[0].aliases ?? [];
  const others = [
    `?${group}`,
    `repos/${param(repos[0])}?tab=readme`,
    `repos/${param(repos[0])}?tab=tags`,
    `reports?${group}`,
    `reports?images=${param(repos[0])}`,
    `affected?${group}`,
    `affected?id=${cve}&${group}`,
    "roles/compare",
    "tags/compare",
    `access-review?${group}`,
    `import?${group}`,
    `migrate?${group}`,
    `snapshots?${group}`,
    `retention?${group}`,
    "invite",
    "api?op=tags.list",
    "status",
    "no-such-screen",
  ];
  const go = (path: string) => visit(path, new URL(path, at).href);
  for (const path of others) await go(path);
  for (const list of LISTS) {
    await go(`${list}?${group}`);
    const records = await recordsOf(page, list);
    expect.soft(records.length > 0, list).toBe(!ELSEWHERE.has(list));
    for (const path of records) await go(path);
  }
}
