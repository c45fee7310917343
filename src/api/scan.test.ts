import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { groups } from "~/contract/iam/groups";

import { infinite } from "./queries";
import { shouldRetry } from "./query-client";
import { scan } from "./scan";
import { FakeGroups, ROOT, uidOf, type FakeGroup } from "./testing/fake-groups";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const input = { "uidp.children_of": ROOT, page_size: 200, order_by: "name" };
const ends7 = ({ uid }: { uid: string }) => uid.endsWith("7");
const refusal = (http: number, code: number) => () =>
  Response.json({ code, message: "no" }, { status: http });

function setUp(count: number, matches: (group: FakeGroup) => boolean = ends7, query: object = input) {
  const service = new FakeGroups(count);
  const patience = { retry: shouldRetry, retryDelay: (failures: number) => 300 * 3 ** failures };
  const scanned = scan<FakeGroup>(infinite(groups.list, query), matches, patience);
  const pages = () =>
    service.asked.splice(0).map((asked) => asked.replace(/&?(?:page_size=200|order_by=name)&?/g, ""));
  const uids = () => scanned.get().rows.map(({ uid }) => uid);
  const summary = () => {
    const { state, rows, read, total } = scanned.get();
    return [state, rows.length, read, total];
  };
  /** Answers to pages after this row wait; resolves when the first of them is asked for. */
  const holdFrom = async (row: number) => {
    service.held = (asked) => asked.includes(`page_token=${row}`) || row === 0;
    await vi.waitFor(() => expect(service.asked.some((asked) => service.held?.(asked))).toBe(true));
  };
  const letGo = () => {
    service.held = undefined;
    service.release();
  };
  return { service, scanned, pages, uids, summary, holdFrom, letGo };
}

describe("a scan", () => {
  it("reads every page of 200 by its token and keeps what matches, in the list's order", async () => {
    const { scanned, service, pages, uids, summary } = setUp(450);
    expect(summary()).toEqual(["idle", 0, 0, undefined]);
    await scanned.run();
    expect(pages()).toEqual(["GET ", "GET page_token=200", "GET page_token=400"]);
    expect(uids()).toEqual(service.groups.filter(ends7).map(({ uid }) => uid));
    expect(summary()).toEqual(["done", 28, 450, 450]);
  });

  it("asks for the next page before it has looked at this one", async () => {
    const seen: number[] = [];
    const { scanned, service } = setUp(450, () => {
      seen.push(service.asked.length);
      return false;
    });
    await scanned.run();
    expect([seen[0], seen[200], seen[449]]).toEqual([2, 3, 3]);
  });

  it("tells what it has at most ten times a second, and its end at once", async () => {
    const { scanned, service, summary } = setUp(20_000, () => true);
    const told: number[] = [];
    scanned.subscribe(() => told.push(Date.now()));
    // Every answer takes 10 ms: a second for all.
    service.held = () => {
      setTimeout(() => service.release(), 10);
      return true;
    };
    const run = scanned.run();
    while (summary()[0] === "reading") await vi.advanceTimersByTimeAsync(10);
    await run;
    expect(summary()).toEqual(["done", 20_000, 20_000, 20_000]);
    const gaps = told.slice(1).map((time, index) => time - (told[index] ?? 0));
    expect(Math.min(...gaps.slice(0, -1))).toBeGreaterThanOrEqual(100);
    expect(gaps.length).toBeGreaterThan(5);
  });

  it("does not count where the service does not", async () => {
    const { scanned, service, summary, holdFrom, letGo } = setUp(250);
    service.counts = false;
    const run = scanned.run();
    await holdFrom(200);
    await vi.advanceTimersByTimeAsync(100);
    expect(summary()).toEqual(["reading", 13, 200, undefined]);
    letGo();
    await run;
    expect(summary()).toEqual(["done", 16, 250, 250]);
  });

  it("stops at once, keeps what it has, and goes on without a gap or a repeat", async () => {
    const { scanned, service, pages, uids, summary, holdFrom, letGo } = setUp(650);
    const run = scanned.run();
    await holdFrom(400);
    scanned.stop();
    expect(summary()).toEqual(["stopped", 25, 400, 650]);
    letGo();
    await run;
    expect(summary()).toEqual(["stopped", 25, 400, 650]);
    pages();
    await scanned.run();
    expect(pages()).toEqual(["GET page_token=400", "GET page_token=600"]);
    expect(uids()).toEqual(service.groups.filter(ends7).map(({ uid }) => uid));
  });

  it("is left by a signal, and goes on when it is run again", async () => {
    const { scanned, summary, holdFrom, letGo } = setUp(450);
    const left = new AbortController();
    const run = scanned.run(left.signal);
    await holdFrom(200);
    left.abort();
    expect(summary()).toEqual(["idle", 13, 200, 450]);
    letGo();
    await run;
    await scanned.run(AbortSignal.abort());
    expect(summary()[0]).toBe("idle");
    await scanned.run();
    expect(summary()).toEqual(["done", 28, 450, 450]);
  });

  it("tries a page again that failed in passing, then keeps what it has and goes on from there", async () => {
    const { scanned, service, pages, uids, summary } = setUp(650);
    service.fail = ({ url }) => (url.includes("page_token=400") ? refusal(503, 14)() : undefined);
    const run = scanned.run();
    while (summary()[0] === "reading") await vi.advanceTimersByTimeAsync(100);
    await run;
    expect(pages()).toEqual(["GET ", "GET page_token=200", ...Array(4).fill("GET page_token=400")]);
    expect(summary()).toEqual(["failed", 25, 400, 650]);
    expect(scanned.get().error?.message).toBe("no");
    service.fail = undefined;
    await scanned.run();
    expect(pages()).toEqual(["GET page_token=400", "GET page_token=600"]);
    expect(uids()).toEqual(service.groups.filter(ends7).map(({ uid }) => uid));
    expect(scanned.get().error).toBeNull();
  });

  it("does not try again what was refused", async () => {
    const { scanned, service, pages, summary } = setUp(450);
    service.fail = refusal(403, 7);
    await scanned.run();
    expect(pages()).toEqual(["GET "]);
    expect(summary()).toEqual(["failed", 0, 0, undefined]);
  });

  it("begins anew, and shows the rows from before until it has new ones", async () => {
    const { scanned, service, summary, holdFrom, letGo } = setUp(250);
    await scanned.run();
    service.groups = service.groups.slice(0, 100);
    const held = holdFrom(0);
    scanned.restart();
    const run = scanned.run();
    await held;
    expect([scanned.get().old, scanned.get().rows.length]).toEqual([true, 16]);
    letGo();
    await run;
    expect(scanned.get().old).toBe(false);
    expect(summary()).toEqual(["done", 6, 100, 100]);
  });

  it("begun anew finds nothing, and shows nothing of before", async () => {
    const { scanned, service, summary } = setUp(250);
    await scanned.run();
    service.groups = service.groups.slice(0, 5);
    scanned.restart();
    await scanned.run();
    expect(summary()).toEqual(["done", 0, 5, 5]);
  });
});

describe("a record that was written", () => {
  const named = (index: number, name: string): FakeGroup => ({ uid: uidOf(index), name });

  it("changes in its place, and goes when it no longer matches", async () => {
    const { scanned, summary } = setUp(250, ({ name }) => name.startsWith("g1"));
    await scanned.run();
    expect(summary()).toEqual(["done", 111, 250, 250]);
    scanned.put(named(10, "g10 renamed"));
    expect(scanned.get().rows[1]).toEqual(named(10, "g10 renamed"));
    scanned.put(named(10, "other"));
    // It is still in the list.
    expect(summary()).toEqual(["done", 110, 250, 250]);
  });

  it("that is new stands where the order puts it, if it matches", async () => {
    const { scanned, summary, uids } = setUp(30, ({ name }) => name.startsWith("g2"));
    await scanned.run();
    scanned.put(named(999, "g27-more"));
    scanned.put(named(998, "other"));
    expect(summary()).toEqual(["done", 12, 31, 31]);
    expect(uids().indexOf(uidOf(999))).toBe(uids().indexOf(uidOf(28)) - 1);
  });

  it("that was there before is found when it matches, and counted once", async () => {
    const { scanned, summary } = setUp(30, ({ name }) => name.startsWith("g2"), {
      ...input,
      includeDates: true,
    });
    await scanned.run();
    const changed = { createTime: "2026-01-01T00:00:00.000Z", updateTime: "2026-01-02T00:00:00.000Z" };
    scanned.put({ ...named(5, "g2-now"), ...changed });
    expect(summary()).toEqual(["done", 12, 30, 30]);
  });

  it("that is new is found once, also when the scan has yet to come to it", async () => {
    const { scanned, service, uids, holdFrom, letGo } = setUp(450);
    const run = scanned.run();
    await holdFrom(200);
    scanned.put(service.groups[327] as FakeGroup);
    letGo();
    await run;
    expect(scanned.get().state).toBe("done");
    expect(uids().filter((uid) => uid === uidOf(327))).toHaveLength(1);
  });

  it("that is new makes it begin anew where only the service knows whether its filters let it through", async () => {
    const { scanned } = setUp(30, () => true, { ...input, name: "g1" });
    await scanned.run();
    scanned.put(named(999, "g1"));
    expect(scanned.get().state).toBe("idle");
  });

  it("that was deleted does not come back with a page that was on its way", async () => {
    const { scanned, uids, holdFrom, letGo } = setUp(450);
    const run = scanned.run();
    await holdFrom(200);
    scanned.drop([uidOf(327)]);
    letGo();
    await run;
    expect(scanned.get().state).toBe("done");
    expect(uids()).not.toContain(uidOf(327));
  });

  it("that was deleted goes, and is not counted", async () => {
    const { scanned, summary } = setUp(250);
    await scanned.run();
    scanned.drop([uidOf(7), uidOf(8)]);
    expect(summary()).toEqual(["done", 15, 249, 249]);
  });

  it("that was deleted while the reading goes on is not counted at its end", async () => {
    const { scanned, service, summary, holdFrom, letGo } = setUp(450);
    const run = scanned.run();
    await holdFrom(400);
    service.groups = service.groups.filter(({ uid }) => uid !== uidOf(7));
    scanned.drop([uidOf(7)]);
    letGo();
    await run;
    expect(summary().slice(0, 2)).toEqual(["done", 27]);
    const { read, total } = scanned.get();
    expect(total).toBe(read);
  });

  it("that moved to where the reading had been is missed, and the count says so", async () => {
    const { scanned, service, summary, holdFrom, letGo } = setUp(450);
    const run = scanned.run();
    await holdFrom(200);
    service.groups = service.groups.filter(({ uid }) => uid !== uidOf(439));
    service.before = 1;
    letGo();
    await run;
    const { state, read, total } = scanned.get();
    expect([state, read, total, summary()[1]]).toEqual(["done", 449, 450, 27]);
  });
});
