import { expect, it } from "vitest";

import { pageQuery } from "~/api/queries/queries";
import { groupInviteScreens } from "~/domains/access/group-invites/data";
import { roleBindingScreens } from "~/domains/access/role-bindings/data";
import { roleScreens } from "~/domains/access/roles/data";
import { subscriptionScreens } from "~/domains/events/subscriptions/data";
import { associationScreens } from "~/domains/federation/account-associations/data";
import { identityProviderScreens } from "~/domains/federation/identity-providers/data";
import { identityScreens } from "~/domains/identities/identities/data";
import { groupScreens } from "~/domains/organization/groups/data";
import { termsScreens } from "~/domains/organization/terms/data";
import { repoScreens } from "~/domains/registry/repos/data";
import { tagScreens } from "~/domains/registry/tags/data";
import { advisoryScreens } from "~/domains/vulnerabilities/advisories/data";
import { levelQuery } from "~/frame/group-tree/levels";
import { TOP } from "~/frame/group-tree/rows";
import { currentUserQuery } from "~/frame/permissions/read-current-user";
import { scopeOf } from "~/frame/scope/scope";
import type { Screens } from "~/frame/define";
import type { QueryFacts } from "~/api/client/request-info";
import { requestOf } from "platform-client/wire";
import { kinds } from "platform-contract/kinds";

import { firstRequests } from "./first-requests";

const BASE = "https://console.example/base/";
const GROUP = "0".repeat(40);
const person = { issuer: "https://issuer.example", subject: "a b" };
const at = (path: string, search = "") => firstRequests({ pathname: `/base/${path}`, search }, BASE, person);
const urlOf = (request: Parameters<typeof requestOf>[1]): string => requestOf({ baseUrl: "" }, request).url;
const requestsOf = ({ meta }: { readonly meta?: unknown }): string[] =>
  ((meta as QueryFacts).requests as (held: undefined) => Parameters<typeof requestOf>[1][])(undefined).map(
    urlOf,
  );

const SHELL = [...requestsOf(currentUserQuery(person)), ...requestsOf(levelQuery(TOP))];
const SCREENS = [
  groupInviteScreens,
  roleBindingScreens,
  roleScreens,
  subscriptionScreens,
  associationScreens,
  identityProviderScreens,
  identityScreens,
  groupScreens,
  repoScreens,
  termsScreens,
] as unknown as Screens<never>[];

it.each(SCREENS.map((screens) => [screens.resource.plural, screens] as const))(
  "are the list of %s as its screen requests it, and what the shell requests",
  (_plural, screens) => {
    for (const reach of ["below", "here"] as const) {
      const scope = scopeOf({ group: GROUP, ...(reach === "here" && { reach }) });
      const query = pageQuery(screens.resolve(scope, screens.readList({})).list.queryKey[2], {});
      const search = `?group=${GROUP}${reach === "here" ? "&reach=here" : ""}`;
      expect(at(screens.listPath.slice(1), search)).toEqual([
        urlOf({ endpoint: screens.resource.list, query }),
        ...SHELL,
      ]);
    }
  },
);

it("cover every kind with screens that a scope limits", () => {
  const covered = SCREENS.map(({ resource }) => resource.collection).toSorted();
  const limited = kinds.filter(({ screens, parent }) => screens && parent === "groups");
  // Advisories are in no group.
  expect([...covered, "advisories"].toSorted()).toEqual(
    limited.map(({ collection }) => collection).toSorted(),
  );
});

it.each([
  ["identities", ""],
  ["identities", `?group=${GROUP}&name=ci`],
  ["identities", "?group=somewhere"],
  ["identities/0", `?group=${GROUP}`],
  [tagScreens.listPath.slice(1), `?group=${GROUP}`],
  [advisoryScreens.listPath.slice(1), `?group=${GROUP}`],
  ["", `?group=${GROUP}`],
])("are no list where its request is not certain: %s%s", (path, search) => {
  expect(at(path, search)).toEqual(SHELL);
});
