import { InfiniteQueryObserver, QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, it, vi } from "vitest";

import { groups } from "platform-contract/iam/groups";

import { keepPlace, startAt } from "./lists";
import { remove, upsert, refreshLists } from "../mutations/patch";
import { infinite, rowsOf, total } from "./queries";
import { refetchStale } from "../client/recovery";
import { FakeGroups, ROOT, uidOf } from "../testing/fake-groups";

const clients: QueryClient[] = [];
afterEach(() => {
  // What a test has asked for again later would count for the next one.
  for (const client of clients.splice(0)) client.clear();
  vi.unstubAllGlobals();
});

const list = infinite(groups.list, { "uidp.children_of": ROOT });

async function setUp() {
  const service = new FakeGroups(500);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: "always" } } });
  clients.push(client);
  const observer = new InfiniteQueryObserver(client, list);
  observer.subscribe(() => undefined);
  const idle = () => vi.waitFor(() => expect(client.isFetching()).toBe(0));
  await idle();
  const uids = () => rowsOf(observer.getCurrentResult().data).rows.map(({ uid }) => uid);
  service.asked.splice(0);
  return { service, client, observer, idle, uids };
}

/** Runs `meanwhile` while a page of the list is in flight, with rows read before it. */
async function during(meanwhile: (parts: Awaited<ReturnType<typeof setUp>>) => void) {
  const parts = await setUp();
  const { service, client } = parts;
  service.stale = true;
  service.held = () => true;
  const reading = startAt(client, list, 0);
  await vi.waitFor(() => expect(service.asked).toHaveLength(1));
  service.held = undefined;
  meanwhile(parts);
  service.release();
  await reading;
  return parts;
}

it("a page that was asked for before a delete does not bring the row back", async () => {
  const { uids } = await during(({ service, client }) => {
    service.groups = service.groups.slice(1);
    remove(client, "groups", uidOf(0));
  });
  expect(uids()).not.toContain(uidOf(0));
  expect(uids()).toHaveLength(50);
});

it("a page that was asked for before an update does not undo it", async () => {
  const { client, observer } = await during(({ service, client }) => {
    Object.assign(service.groups[3] ?? {}, { name: "new" });
    upsert(client, "groups", { uid: uidOf(3), name: "new" } as never);
  });
  expect(rowsOf(observer.getCurrentResult().data).rows[3]?.name).toBe("new");
  expect(client.isFetching()).toBe(0);
});

it("a page that was asked for before a create does not hide the new row", async () => {
  const { uids } = await during(({ service, client }) => {
    service.groups = [{ uid: uidOf(900), name: "new" }, ...service.groups];
    upsert(client, "groups", { uid: uidOf(900), name: "new" } as never);
    refreshLists(client, "groups", uidOf(900));
  });
  await vi.waitFor(() => expect(uids()[0]).toBe(uidOf(900)));
});

it("the later of two jumps wins, whichever page arrives last", async () => {
  const { service, client, uids } = await setUp();
  service.held = (asked) => asked === "GET skip=100";
  const first = startAt(client, list, 100);
  await vi.waitFor(() => expect(service.asked).toHaveLength(1));
  await startAt(client, list, 300);
  service.release();
  await first;
  expect(uids()[0]).toBe(uidOf(300));
});

it("refetches failed queries once, lists at the row in view, and nothing else", async () => {
  const { service, client, observer, idle, uids } = await setUp();
  const count = new QueryObserver(client, total(groups.list, {}));
  const fine = new QueryObserver(client, total(groups.list, { name: "fine" }));
  fine.subscribe(() => undefined);
  await idle();
  service.fail = () => Response.json({ code: 14, message: "down" }, { status: 503 });
  count.subscribe(() => undefined);
  await observer.fetchNextPage();
  await idle();
  expect(observer.getCurrentResult().isFetchNextPageError).toBe(true);
  service.fail = undefined;
  service.asked.splice(0);
  keepPlace(client, list, 45);
  refetchStale(client);
  await idle();
  expect(service.asked.toSorted()).toEqual(["GET page_size=1", "GET skip=35"]);
  expect(uids()[0]).toBe(uidOf(35));
  expect(observer.getCurrentResult().isError).toBe(false);
  expect(count.getCurrentResult().data).toBe(500);
  refetchStale(client);
  await idle();
  expect(service.asked).toHaveLength(2);
});
