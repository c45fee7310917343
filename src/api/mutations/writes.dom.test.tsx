import {
  InfiniteQueryObserver,
  QueryClient,
  QueryClientProvider,
  QueryObserver,
  useQuery,
} from "@tanstack/react-query";
import { act, cleanup, renderHook } from "@testing-library/react";
import type { PropsWithChildren } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";

import { groups, type Group } from "platform-contract/iam/groups";

import { keepPlace } from "../queries/lists";
import { mayHold } from "./patch";
import { infinite, one, rowsOf, total } from "../queries/queries";
import { FakeGroups, ROOT, uidOf } from "../testing/fake-groups";
import { useCreate, useDelete, useUpdate } from "./writes";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const list = infinite(groups.list, { "uidp.children_of": ROOT });
const elsewhere = infinite(groups.list, { "uidp.children_of": "f".repeat(40) });
const everything = infinite(groups.list, {});

const opened = (index: number): Group => ({ uid: uidOf(index), name: `g${index}` });

/** Three loaded pages of a list on screen, one list that is not on screen, and the mutations. */
async function setUp() {
  const service = new FakeGroups(500);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: "always" } } });
  const wrapper = ({ children }: PropsWithChildren) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(
    () => ({ create: useCreate(groups), update: useUpdate(groups), remove: useDelete(groups) }),
    { wrapper },
  );
  const observer = new InfiniteQueryObserver(client, list);
  observer.subscribe(() => undefined);
  const quiet = () => vi.waitFor(() => expect(client.isFetching()).toBe(0));
  await quiet();
  await observer.fetchNextPage();
  await observer.fetchNextPage();
  await client.infiniteQuery(everything);
  await client.infiniteQuery(elsewhere);
  await client.query(one(groups.get, { uid: uidOf(60) }));
  const rows = () => rowsOf(observer.getCurrentResult().data);
  const asked = () => service.asked.splice(0);
  asked();
  const write = async <T,>(work: () => Promise<T>): Promise<T> => {
    const answer = await act(work);
    await quiet();
    return answer;
  };
  const isStale = (queryKey: readonly unknown[]) => client.getQueryState(queryKey)?.isInvalidated;
  return { service, client, observer, result, rows, asked, write, isStale };
}

describe("an update", () => {
  it("changes the row where it is shown, and requests nothing else", async () => {
    const { client, result, rows, asked, write } = await setUp();
    const mask = ["name"];
    await write(() =>
      result.current.update.mutateAsync({ uid: uidOf(60), body: { name: "new" }, mask, opened: opened(60) }),
    );
    expect(asked()).toEqual(["GET", "PATCH updateMask=name"]);
    expect(rows().rows[60]?.name).toBe("new");
    expect(rows().rows).toHaveLength(150);
    expect(client.getQueryData(one(groups.get, { uid: uidOf(60) }).queryKey)?.name).toBe("new");
    expect(rowsOf(client.getQueryData(everything.queryKey)).rows).toHaveLength(50);
  });

  it("without changes is sent as a read: an empty mask would mean all fields", async () => {
    const { result, asked, write } = await setUp();
    const change = { uid: uidOf(60), body: { name: "new" }, mask: [], opened: opened(60) };
    await write(() => result.current.update.mutateAsync(change));
    expect(asked()).toEqual(["GET"]);
  });

  it("is not undone by a page in flight", async () => {
    const { service, client, observer, result, rows } = await setUp();
    service.held = (asked) => asked.includes("page_token");
    const late = observer.fetchNextPage();
    await vi.waitFor(() => expect(client.isFetching()).toBe(1));
    const change = { uid: uidOf(60), body: { name: "new" }, mask: ["name"], opened: opened(60) };
    await act(() => result.current.update.mutateAsync(change));
    service.release();
    await late;
    expect(rows().rows[60]?.name).toBe("new");
  });

  it("leaves a stale list stale", async () => {
    const { client, result, write, isStale } = await setUp();
    client.getQueryCache().find({ queryKey: everything.queryKey })?.invalidate();
    await write(() =>
      result.current.update.mutateAsync({
        uid: uidOf(6),
        body: { name: "new" },
        mask: ["name"],
        opened: opened(6),
      }),
    );
    expect(isStale(everything.queryKey)).toBe(true);
    expect(rowsOf<Group>(client.getQueryData(everything.queryKey)).rows[6]?.name).toBe("new");
  });
});

describe("a delete", () => {
  it("removes the row from every list and its count, and requests nothing else", async () => {
    const { client, result, rows, asked, write } = await setUp();
    await write(() => result.current.remove.mutateAsync({ uid: uidOf(60) }));
    expect(asked()).toEqual(["DELETE"]);
    expect(rows().rows).toHaveLength(149);
    expect(rows().rows.some(({ uid }) => uid === uidOf(60))).toBe(false);
    expect(rows().total).toBe(499);
    expect(client.getQueryData(one(groups.get, { uid: uidOf(60) }).queryKey)).toBeUndefined();
  });

  it("succeeds for a record that is already gone", async () => {
    const { service, result, rows, write } = await setUp();
    service.fail = () => Response.json({ code: 5, message: "gone" }, { status: 404 });
    await write(() => result.current.remove.mutateAsync({ uid: uidOf(60) }));
    expect(rows().rows).toHaveLength(149);
  });

  it("changes nothing when it is refused", async () => {
    const { service, result, rows, write } = await setUp();
    service.fail = () => Response.json({ code: 9, message: "Precondition failed: x" }, { status: 400 });
    const refused = write(() => result.current.remove.mutateAsync({ uid: uidOf(60) }));
    await expect(refused).rejects.toMatchObject({ code: "FAILED_PRECONDITION" });
    expect(rows().rows).toHaveLength(150);
  });

  it("keeps a record that is still on screen", async () => {
    const { client, result, asked, write } = await setUp();
    const shown = renderHook(() => useQuery(one(groups.get, { uid: uidOf(60) }), client));
    await vi.waitFor(() => expect(client.isFetching()).toBe(0));
    asked();
    await write(() => result.current.remove.mutateAsync({ uid: uidOf(60) }));
    shown.rerender();
    await vi.waitFor(() => expect(client.isFetching()).toBe(0));
    expect(asked()).toEqual(["DELETE"]);
    expect(shown.result.current.data?.name).toBe("g60");
  });

  it("refetches what else it changed, but nothing about the deleted record", async () => {
    const { client, result, write } = await setUp();
    const read: string[] = [];
    const derived = (uid: string) => ({
      queryKey: ["groups", "check", uid],
      queryFn: () => Promise.resolve(read.push(uid)),
    });
    renderHook(() => useQuery(derived(uidOf(60)), client));
    renderHook(() => useQuery(derived(uidOf(6)), client));
    await vi.waitFor(() => expect(read).toHaveLength(2));
    await write(() => result.current.remove.mutateAsync({ uid: uidOf(60) }));
    expect(read.splice(2)).toEqual([uidOf(6)]);
  });
});

describe("a create", () => {
  const create = { parent: ROOT, body: { name: "new" } };

  it("reads one page of the lists on screen, and marks the others stale", async () => {
    const { client, result, rows, asked, write, isStale } = await setUp();
    const made = await write(() => result.current.create.mutateAsync(create));
    expect(asked()).toEqual(["POST", "GET"]);
    expect(rows().rows).toHaveLength(50);
    expect(rows().rows[0]?.uid).toBe(made.uid);
    expect(isStale(list.queryKey)).toBe(false);
    expect(isStale(everything.queryKey)).toBe(true);
    expect(isStale(elsewhere.queryKey)).toBe(false);
    expect(client.getQueryData(one(groups.get, { uid: made.uid }).queryKey)?.name).toBe("new");
  });

  it("stays at the row in view", async () => {
    const { client, result, rows, asked, write } = await setUp();
    keepPlace(client, list, 110);
    await write(() => result.current.create.mutateAsync(create));
    expect(asked()).toEqual(["POST", "GET skip=100"]);
    expect(rows().first).toBe(100);
  });

  it("counts again what is on screen, and marks its dependents stale", async () => {
    const { client, result, asked, write, isStale } = await setUp();
    const count = total(groups.list, {});
    const stop = new QueryObserver(client, count).subscribe(() => undefined);
    const who = ["roleBindings", "who", "i", "s"];
    client.setQueryData(who, {});
    await vi.waitFor(() => expect(client.isFetching()).toBe(0));
    asked();
    await write(() => result.current.create.mutateAsync(create));
    expect(asked().toSorted()).toEqual(["GET", "GET page_size=1", "POST"]);
    expect(isStale(who)).toBe(true);
    stop();
  });

  it("marks lists that can't be refetched as stale, with the error", async () => {
    const { service, result, rows, write, isStale, client } = await setUp();
    service.fail = ({ method }) =>
      method === "GET" ? Response.json({ code: 14, message: "down" }, { status: 503 }) : undefined;
    await write(() => result.current.create.mutateAsync(create));
    expect(rows().rows).toHaveLength(150);
    expect(isStale(list.queryKey)).toBe(true);
    expect(client.getQueryState(list.queryKey)?.error).toMatchObject({ http: 503 });
  });
});

it("knows by its scope which list may hold a new record", () => {
  const uid = uidOf(7);
  expect(mayHold({}, uid, "groups")).toBe(true);
  expect(mayHold({ "uidp.descendants_of": ROOT }, uid, "groups")).toBe(true);
  expect(mayHold({ "uidp.children_of": ROOT, "uidp.in_root": true }, uid, "groups")).toBe(false);
  expect(mayHold({ "uidp.in_root": true }, ROOT, "groups")).toBe(true);
  expect(mayHold({ "uidp.ancestors_of": uid }, ROOT, "groups")).toBe(true);
  expect(mayHold({ "uidp.ancestors_of": ROOT }, uid, "groups")).toBe(false);
  expect(mayHold({ "uidp.ids": [ROOT] }, uid, "groups")).toBe(false);
  expect(mayHold({ "uidp.children_of": uid }, uid, "groups")).toBe(false);
  expect(mayHold({ "uidp.children_of": uid }, uid, "accountAssociations")).toBe(true);
  expect(mayHold({ "uidp.descendants_of": uid }, uid, "accountAssociations")).toBe(true);
});
