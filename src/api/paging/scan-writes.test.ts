import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { uidOf, type FakeGroup } from "../testing/fake-groups";
import { input, setUp } from "../testing/fake-scan";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a record that was written", () => {
  const named = (index: number, name: string): FakeGroup => ({ uid: uidOf(index), name });

  it("changes in place, and is removed if it no longer matches", async () => {
    const { scanned, summary } = setUp(250, ({ name }) => name.startsWith("g1"));
    await scanned.run();
    expect(summary()).toEqual(["done", 111, 250, 250]);
    scanned.put(named(10, "g10 renamed"));
    expect(scanned.get().rows[1]).toEqual(named(10, "g10 renamed"));
    scanned.put(named(10, "other"));
    // It is still in the list.
    expect(summary()).toEqual(["done", 110, 250, 250]);
  });

  it("that is new is inserted by the list's order, if it matches", async () => {
    const { scanned, uids, summary } = setUp(30, ({ name }) => name.startsWith("g2"));
    await scanned.run();
    scanned.put(named(999, "g27-more"), true);
    scanned.put(named(998, "other"), true);
    expect(uids()).toHaveLength(12);
    // Both are in the list, one of them among the results.
    expect(summary()).toEqual(["done", 12, 32, 32]);
    expect(uids().indexOf(uidOf(999))).toBe(uids().indexOf(uidOf(28)) - 1);
    expect(scanned.get().outdated).toBe(false);
  });

  it("that is new is found once, even if the scan reads it again later", async () => {
    const { scanned, service, uids, holdFrom, letGo } = setUp(450);
    const run = scanned.run();
    await holdFrom(200);
    scanned.put(service.groups[327] as FakeGroup);
    letGo();
    await run;
    expect(scanned.get().state).toBe("done");
    expect(uids().filter((uid) => uid === uidOf(327))).toHaveLength(1);
  });

  it("that is new outdates the scan if only the service can apply its filters", async () => {
    const { scanned, summary } = setUp(30, () => true, { ...input, name: "g1" });
    await scanned.run();
    scanned.put(named(999, "g1"));
    expect([...summary(), scanned.get().outdated]).toEqual(["done", 30, 30, 30, true]);
    scanned.restart();
    await scanned.run();
    expect(scanned.get().outdated).toBe(false);
  });

  it("that was deleted does not return with a page in flight", async () => {
    const { scanned, uids, holdFrom, letGo } = setUp(450);
    const run = scanned.run();
    await holdFrom(200);
    scanned.drop([uidOf(327)]);
    letGo();
    await run;
    expect(scanned.get().state).toBe("done");
    expect(uids()).not.toContain(uidOf(327));
  });

  it("that was deleted is removed", async () => {
    const { scanned, summary } = setUp(250);
    await scanned.run();
    // Only a row that was found is known to have been in the list, so only that one leaves the count.
    scanned.drop([uidOf(7), uidOf(8)]);
    expect(summary()).toEqual(["done", 15, 249, 249]);
  });

  it("that was deleted during the scan does not outdate it", async () => {
    const { scanned, service, summary, holdFrom, letGo } = setUp(450);
    const run = scanned.run();
    await holdFrom(400);
    service.groups = service.groups.filter(({ uid }) => uid !== uidOf(7));
    scanned.drop([uidOf(7)]);
    letGo();
    await run;
    expect(summary().slice(0, 2)).toEqual(["done", 27]);
    expect(scanned.get().outdated).toBe(false);
  });

  it("that moved to a position already read is missed, and outdates the scan", async () => {
    const { scanned, service, summary, holdFrom, letGo } = setUp(450);
    const run = scanned.run();
    await holdFrom(200);
    service.groups = service.groups.filter(({ uid }) => uid !== uidOf(439));
    service.before = 1;
    letGo();
    await run;
    expect([...summary(), scanned.get().outdated]).toEqual(["done", 27, 449, 450, true]);
  });
});
