import { afterEach, describe, expect, it, vi } from "vitest";

import { ApiError } from "platform-client/errors";
import type { ListAnswer } from "platform-contract/resource";

import { compareBy } from "./order";
import { START, type Cursor } from "./page-reader";
import { readPages, type PagedList } from "./scan-pages";
import type { PageParam } from "./pages";
import { uidOf } from "../testing/fake-groups";

interface Row {
  readonly uid: string;
  readonly createTime?: string;
}

const row = (index: number): Row => ({ uid: uidOf(index) });
const rowsTo = (end: number, from = 0): Row[] =>
  Array.from({ length: end - from }, (_, at) => row(from + at));
const never = { retry: () => false, retryDelay: () => 0 };
const expired = () => new ApiError("refused", "page_token is malformed", { http: 400 });

/** A list in pages of 200; a token is the uid of the row before its page (AIP-158: opaque to everyone else). */
class Service {
  readonly asked: PageParam[] = [];
  /** What happens to a token: row one without an error, a refusal, or (undefined) its page. */
  spoiled: (token: string) => "restart" | "refuse" | undefined = () => undefined;
  ignoresSkip = false;

  constructor(
    public rows: Row[],
    readonly orderBy = "name",
  ) {}

  readonly page = async (param: PageParam): Promise<ListAnswer<Row>> => {
    this.asked.push(param);
    const fate = param.token === undefined ? undefined : this.spoiled(param.token);
    if (fate === "refuse") throw expired();
    const known = this.rows.findIndex(({ uid }) => uid === param.token) + 1;
    const start = fate === "restart" ? 0 : known + (this.ignoresSkip ? 0 : (param.skip ?? 0));
    const items = this.rows.slice(start, start + 200);
    return {
      items,
      totalCount: String(this.rows.length),
      ...(start + 200 < this.rows.length && { nextPageToken: items.at(-1)?.uid }),
    };
  };

  get list(): PagedList {
    return {
      queryKey: ["groups", "list", { order_by: this.orderBy }],
      queryFn: ({ pageParam }: { pageParam: PageParam }) => this.page(pageParam),
    };
  }
}

/** Reads to the end, or this many pages; returns the uids and the cursor. */
async function readAll(service: Service, from: Cursor = START, pages = Infinity) {
  const uids: string[] = [];
  let cursor = from;
  for await (const read of readPages<Row>(service.list, from, never, new AbortController().signal)) {
    uids.push(...read.page.items.map(({ uid }) => uid));
    cursor = read.cursor;
    if (--pages === 0) break;
  }
  return { uids, cursor };
}

const uidsOf = (rows: readonly Row[]) => rows.map(({ uid }) => uid);

afterEach(() => vi.useRealTimers());

describe("a page token that no longer counts", () => {
  const old = uidOf(399);

  it.each(["restart", "refuse"] as const)("is made up for by the row's number: %s", async (fate) => {
    const service = new Service(rowsTo(1000));
    service.spoiled = (token) => (token === old ? fate : undefined);
    const { uids, cursor } = await readAll(service);
    expect(uids).toEqual(uidsOf(service.rows));
    expect([cursor.read, cursor.done]).toEqual([1000, true]);
    expect(service.asked.slice(2)).toEqual([
      { token: old },
      { skip: 390 },
      { token: uidOf(589) },
      { token: uidOf(789) },
      { token: uidOf(989) },
    ]);
  });

  it("is not sent after three days", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const service = new Service(rowsTo(1000));
    const first = await readAll(service, START, 2);
    vi.setSystemTime(Date.now() + 3 * 24 * 60 * 60 * 1000);
    service.asked.splice(0);
    const rest = await readAll(service, first.cursor);
    expect(service.asked[0]).toEqual({ skip: 390 });
    expect([...first.uids, ...rest.uids]).toEqual(uidsOf(service.rows));
  });

  it.each([
    ["a hundred more rows before it", (rows: Row[]) => [...rowsTo(9100, 9000), ...rows]],
    ["forty fewer", (rows: Row[]) => rows.slice(40)],
    ["three hundred fewer", (rows: Row[]) => rows.slice(300)],
    ["most of what was read gone, its end too", (rows: Row[]) => rows.slice(395)],
    ["everything that was read gone", (rows: Row[]) => rows.slice(400)],
    ["a thousand more rows before it", (rows: Row[]) => [...rowsTo(10_000, 9000), ...rows]],
  ])("leaves no gap with %s meanwhile", async (_what, change) => {
    const service = new Service(rowsTo(1200));
    const first = await readAll(service, START, 2);
    const unread = uidsOf(service.rows.slice(400));
    service.rows = change(service.rows);
    service.spoiled = (token) => (token === old ? "refuse" : undefined);
    const rest = await readAll(service, first.cursor);
    expect(rest.uids.filter((uid) => unread.includes(uid))).toEqual(unread);
    expect(rest.cursor.read).toBe(service.rows.length);
  });

  it("is detected by the order of times, even if the first page has only new rows", async () => {
    const at = (index: number): Row => ({
      ...row(index),
      createTime: new Date(9e11 - index * 1000).toISOString(),
    });
    const rows = Array.from({ length: 1000 }, (_, index) => at(index));
    const service = new Service(rows, "created_at desc");
    const first = await readAll(service, START, 2);
    service.rows = [
      ...Array.from({ length: 200 }, (_, index) => at(index - 2000)).map((each, index) => ({
        ...each,
        uid: uidOf(50_000 + index),
      })),
      ...rows,
    ];
    service.spoiled = (token) => (token === old ? "restart" : undefined);
    service.asked.splice(0);
    const rest = await readAll(service, first.cursor);
    expect(service.asked.slice(0, 2)).toEqual([{ token: old }, { skip: 390 }]);
    const unread = uidsOf(rows.slice(400));
    expect(rest.uids.filter((uid) => unread.includes(uid))).toEqual(unread);
  });

  it("detects a service that keeps restarting the list", async () => {
    const service = new Service(rowsTo(1000));
    service.spoiled = () => "restart";
    service.ignoresSkip = true;
    await expect(readAll(service)).rejects.toThrow("returned an unexpected response");
    expect(service.asked.length).toBeLessThan(30);
  });

  it("falls back to row numbers when no token works", async () => {
    const service = new Service(rowsTo(1000));
    service.spoiled = () => "restart";
    const { uids } = await readAll(service);
    expect(uids).toEqual(uidsOf(service.rows));
  });
});

it("returns a row once that moved to the next page", async () => {
  const service = new Service(rowsTo(450));
  const first = await readAll(service, START, 1);
  service.rows.splice(300, 0, row(150));
  const rest = await readAll(service, first.cursor);
  expect(rest.uids).toEqual(uidsOf(rowsTo(450, 200)));
});

it("reads an empty list, and one that ends with a page", async () => {
  expect((await readAll(new Service([]))).cursor).toMatchObject({ read: 0, done: true });
  expect((await readAll(new Service(rowsTo(400)))).cursor).toMatchObject({ read: 400, done: true });
});

describe("the order of two records", () => {
  const [a, b] = [
    { uid: uidOf(1), name: "alpha", createTime: "2026-01-01T00:00:00Z" },
    { uid: uidOf(2), name: "beta", createTime: "2026-01-01T00:00:00.5Z" },
  ];
  const capital = { ...b, name: "Beta" };

  it.each([
    [undefined, -1],
    ["uid", -1],
    ["uid desc", 1],
    ["created_at", -1],
    ["created_at desc", 1],
    ["updated_at", undefined],
    ["name", undefined],
    ["rank", undefined],
  ])("%s: %s", (order, expected) => expect(compareBy(order, a, b)).toBe(expected));

  it("of names is good enough to place a new row", () => {
    expect(compareBy("name", a, b, { byName: true })).toBe(-1);
    expect(compareBy("name", a, capital, { byName: true })).toBe(-1);
  });
});
