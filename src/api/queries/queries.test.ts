import { InfiniteQueryObserver, QueryClient } from "@tanstack/react-query";
import { afterEach, describe, expect, it, vi } from "vitest";

import { totalOf } from "platform-client/wire";
import { groups } from "platform-contract/iam/groups";

import { anchorOf, keepPlace, refresh, refreshFirstPage, startAt } from "./lists";
import { infinite, one, rowsOf, total } from "./queries";
import { FakeGroups, ROOT, uidOf } from "../testing/fake-groups";

afterEach(() => vi.unstubAllGlobals());

const list = infinite(groups.list, { "uidp.children_of": ROOT });

function setUp(count: number, options = list) {
  const service = new FakeGroups(count);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: "always" } } });
  const observer = new InfiniteQueryObserver(client, options);
  const stop = observer.subscribe(() => undefined);
  const asked = () => service.asked.splice(0);
  const data = () => observer.getCurrentResult().data;
  const loaded = () => vi.waitFor(() => expect(client.isFetching()).toBe(0));
  return { service, client, observer, stop, asked, data, loaded };
}

describe("a list", () => {
  it("follows page tokens to the end", async () => {
    const { observer, asked, data, loaded } = setUp(120);
    await loaded();
    await observer.fetchNextPage();
    await observer.fetchNextPage();
    expect(observer.getCurrentResult().hasNextPage).toBe(false);
    expect(asked()).toEqual(["GET", "GET page_token=50", "GET page_token=100"]);
    const { rows, first, total: count } = rowsOf(data());
    expect([rows.length, first, count]).toEqual([120, 0, 120]);
  });

  it("starts at any row, and reads pages before and after it", async () => {
    const { observer, asked, data, loaded } = setUp(
      500,
      infinite(groups.list, { "uidp.children_of": ROOT }, { skip: 70 }),
    );
    await loaded();
    await observer.fetchNextPage();
    await observer.fetchPreviousPage();
    await observer.fetchPreviousPage();
    expect(asked()).toEqual([
      "GET skip=70",
      "GET page_token=120",
      "GET skip=20&page_size=60",
      "GET page_size=30",
    ]);
    const { rows, first } = rowsOf(data());
    expect(first).toBe(0);
    expect(rows.map(({ uid }) => uid)).toEqual(Array.from({ length: 170 }, (_, index) => uidOf(index)));
    expect(observer.getCurrentResult().hasPreviousPage).toBe(false);
  });

  it("leaves no gap where pages have fewer rows than asked for", async () => {
    const { service, observer, data, loaded } = setUp(
      200,
      infinite(groups.list, { "uidp.children_of": ROOT }, { skip: 100 }),
    );
    service.most = 16;
    await loaded();
    while (observer.getCurrentResult().hasNextPage) await observer.fetchNextPage();
    while (observer.getCurrentResult().hasPreviousPage) await observer.fetchPreviousPage();
    const { rows, first, total: count } = rowsOf(data());
    expect([first, count]).toEqual([0, 200]);
    expect(rows.map(({ uid }) => uid)).toEqual(Array.from({ length: 200 }, (_, index) => uidOf(index)));
  });

  it("shows a row once, also when it moved to the next page meanwhile", async () => {
    const { service, observer, data, loaded } = setUp(80);
    await loaded();
    service.groups.unshift({ uid: uidOf(999), name: "new" });
    await observer.fetchNextPage();
    expect(rowsOf(data()).rows).toHaveLength(80);
  });

  it.each(["-4", "9".repeat(40)])("knows no total where the service counts %s", async (totalCount) => {
    const { service, data, loaded } = setUp(80);
    service.fail = () => Response.json({ groups: [], totalCount });
    await loaded();
    expect(rowsOf(data()).total).toBeUndefined();
  });

  it("is never refetched page by page: a refetch reads one page", async () => {
    const { client, observer, asked, data, loaded } = setUp(500);
    await loaded();
    for (let page = 1; page < 5; page++) await observer.fetchNextPage();
    asked();
    await observer.refetch();
    expect(asked()).toEqual(["GET"]);
    expect(rowsOf(data()).rows).toHaveLength(50);
    await observer.fetchNextPage();
    asked();
    await client.invalidateQueries({ queryKey: ["groups"] });
    expect(asked()).toEqual(["GET"]);
  });

  it("of several pages is not refetched on mount", async () => {
    const { client, observer, stop, asked, loaded } = setUp(500);
    await loaded();
    await observer.fetchNextPage();
    asked();
    stop();
    const show = () => new InfiniteQueryObserver(client, list).subscribe(() => undefined);
    const long = client.getQueryCache().find({ queryKey: list.queryKey });
    long?.setState({ dataUpdatedAt: 1 });
    const leave = show();
    expect(client.isFetching()).toBe(0);
    leave();
    long?.invalidate();
    show();
    await loaded();
    expect(asked()).toEqual(["GET"]);
  });

  it("gives the same rows object for the same data", async () => {
    const { data, loaded } = setUp(3);
    await loaded();
    expect(rowsOf(data())).toBe(rowsOf(data()));
    expect(rowsOf(undefined).rows).toEqual([]);
  });

  it("knows no total where the service does not count", async () => {
    const { service, data, loaded } = setUp(3);
    service.counts = false;
    await loaded();
    expect(rowsOf(data()).total).toBeUndefined();
  });
});

describe("moving in a list", () => {
  it("reads one page there, and keeps the old rows until it has arrived", async () => {
    const { client, asked, data, loaded } = setUp(500);
    await loaded();
    asked();
    const moving = startAt(client, list, 300);
    expect(rowsOf(data()).first).toBe(0);
    expect(client.isFetching({ queryKey: list.queryKey })).toBe(1);
    await moving;
    expect(asked()).toEqual(["GET skip=300"]);
    expect(rowsOf(data())).toMatchObject({ first: 300, total: 500 });
    expect(rowsOf(data()).rows[0]?.uid).toBe(uidOf(300));
  });

  it("leaves everything as it was when it fails", async () => {
    const { service, client, data, loaded } = setUp(500);
    await loaded();
    service.fail = () => Response.json({ code: 14, message: "down" }, { status: 503 });
    await expect(startAt(client, list, 300)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(rowsOf(data()).rows).toHaveLength(50);
  });

  it("says in the list itself when a refresh failed, and forgets it when the next one works", async () => {
    const { service, client, observer, data, loaded } = setUp(500);
    await loaded();
    await observer.fetchNextPage();
    service.fail = () => Response.json({ code: 14, message: "down" }, { status: 503 });
    await refresh(client, list);
    expect(observer.getCurrentResult()).toMatchObject({ isError: true, isFetchNextPageError: false });
    expect(rowsOf(data()).rows).toHaveLength(100);
    service.fail = undefined;
    await refresh(client, list);
    expect(observer.getCurrentResult().isError).toBe(false);
  });

  it("drops a page of the old list that is in flight", async () => {
    const { service, client, observer, data, loaded } = setUp(500);
    await loaded();
    service.held = (asked) => asked.includes("page_token");
    const late = observer.fetchNextPage();
    await startAt(client, list, 300);
    service.release();
    await late;
    expect(rowsOf(data())).toMatchObject({ first: 300, rows: { length: 50 } });
  });

  it("is kept by a refresh", async () => {
    const { client, asked, data, loaded } = setUp(500);
    await loaded();
    asked();
    keepPlace(client, list, 310);
    await refresh(client, list);
    expect(asked()).toEqual(["GET skip=300"]);
    expect(rowsOf(data()).first).toBe(300);
    keepPlace(client, list, 12);
    await refresh(client, list);
    await refreshFirstPage(client, list);
    expect(asked()).toEqual(["GET", "GET"]);
    expect(anchorOf(0)).toBe(0);
  });
});

describe("other queries", () => {
  it("read one record, and count by asking for one row", async () => {
    const { client, asked, loaded } = setUp(118);
    await loaded();
    asked();
    expect(await client.query(one(groups.get, { uid: uidOf(7) }))).toMatchObject({ name: "g7" });
    const counted = await client.query(total(groups.list, {}));
    expect(asked().at(-1)).toBe("GET page_size=1");
    expect(counted).toBe(118);
  });

  it("keep a count exact, or have none", () => {
    expect(totalOf({ items: [], totalCount: "9007199254740993" })).toBe(9007199254740993n);
    expect(totalOf({ items: [], totalCount: "many" })).toBeUndefined();
    expect(totalOf({ items: [] })).toBeUndefined();
    expect(totalOf({ items: [], totalCount: "-1" })).toBeUndefined();
  });
});
