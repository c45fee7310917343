import { QueryClient, QueryObserver, InfiniteQueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";

import { requestInfoOf } from "~/api/client/request-info";
import { infinite, one, total } from "~/api/queries/queries";
import { groups } from "platform-contract/iam/groups";
import { identities } from "platform-contract/iam/identities";
import { roleBindings } from "platform-contract/iam/role-bindings";

import { requestsOf } from "./active-requests";

/** A cache in which these queries are active; sends no requests. */
function pageOf(...queries: readonly object[]) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  for (const query of queries) {
    const options = query as ReturnType<typeof infinite>;
    client.setQueryData(options.queryKey, { pages: [], pageParams: [{}] } as never);
    const observer =
      "initialPageParam" in options
        ? new InfiniteQueryObserver(client, options as never)
        : new QueryObserver(client, options as never);
    observer.subscribe(() => undefined);
  }
  return client.getQueryCache().findAll();
}

const list = infinite(identities.list, { "uidp.descendants_of": "r", order_by: "name" });
const level = infinite(groups.list, { "uidp.children_of": "r", order_by: "name" });

test("the list of a screen comes first, whatever its pages hold, and what stands around it apart", () => {
  const exported = infinite(identities.list, {
    "uidp.descendants_of": "r",
    page_size: 200,
    order_by: "name",
  });
  const { screen, around } = requestsOf(pageOf(level, list, total(groups.list, {})), {
    list: exported.queryKey,
    uid: "r",
  });
  expect(screen.map(({ asked }) => [asked.endpoint.path, asked.query])).toEqual([
    ["/iam/v2/identities", { "uidp.descendants_of": "r", order_by: "name", page_size: 50 }],
  ]);
  expect(around).toHaveLength(2);
});

test("a scan is the screen's list, and says that it reads on", () => {
  const read = infinite(identities.list, { "uidp.descendants_of": "r", page_size: 200, order_by: "name" });
  const meta = { requests: () => requestInfoOf(read.meta, { pageParams: [{}] }) };
  const scan = { queryKey: ["identities", "scan", read.queryKey[2], "typed"], meta };
  const { screen } = requestsOf(pageOf(scan, level), { list: read.queryKey, uid: undefined });
  expect(screen).toHaveLength(1);
  expect(screen[0]?.asked.query).toMatchObject({ page_size: 200 });
  expect(screen[0]?.note).toContain("every following page");
});

test("a record comes before what lies in it and what is bound to it", () => {
  const bindings = infinite(roleBindings.list, { identity: "r/i" });
  const { screen, around } = requestsOf(pageOf(bindings, level, one(identities.get, { uid: "r/i" })), {
    list: undefined,
    uid: "r/i",
  });
  expect(screen.map(({ asked }) => asked.endpoint.path)).toEqual([
    "/iam/v2/identities/{uid}",
    "/iam/v2/roleBindings",
  ]);
  expect(around).toHaveLength(1);
});

test("what nothing on the page shows, or what is asked twice, is left out", () => {
  const client = new QueryClient();
  client.setQueryData(list.queryKey, { pages: [], pageParams: [] });
  expect(
    requestsOf(client.getQueryCache().findAll(), { list: list.queryKey, uid: undefined }).screen,
  ).toEqual([]);
  const same = { ...level, queryKey: [...level.queryKey, "again"] };
  const { screen } = requestsOf(pageOf(level, same), { list: undefined, uid: undefined });
  expect(screen).toHaveLength(1);
});
