import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { groups, type Group } from "~/contract/iam/groups";

import { sendUpdate } from "./send-update";
import { FakeGroups, uidOf } from "../testing/fake-groups";
import { noAnswer, settle } from "../testing/settle";

let service: FakeGroups;

beforeEach(() => {
  vi.useFakeTimers();
  service = new FakeGroups(3);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const writes = () => service.asked.filter((asked) => !asked.startsWith("GET"));

describe("an update whose answer is lost", () => {
  const opened: Group = { uid: uidOf(1), name: "g1" };
  const told: { current: Group | undefined } = { current: undefined };
  const send = (change: Partial<Group> = { name: "mine" }) =>
    settle(sendUpdate(groups, { uid: uidOf(1), body: change, mask: Object.keys(change), opened }, told));
  const stored = () => service.groups.find(({ uid }) => uid === uidOf(1));
  const somebody = (change: object) =>
    Object.assign(stored() ?? {}, change, { updateTime: new Date((turn += 1000)).toISOString() });
  let turn = Date.now();
  beforeEach(() => {
    told.current = undefined;
    somebody({});
  });

  it("is found, and nobody notices", async () => {
    service.lose = "after";
    expect(await send()).toMatchObject({ name: "mine" });
    expect(writes()).toEqual(["PATCH updateMask=name"]);
  });

  it("is said not to have happened, and can be sent again", async () => {
    service.lose = "before";
    expect(await send()).toMatchObject({
      outcome: "none",
      message: expect.stringContaining("Nothing was saved."),
    });
    service.lose = undefined;
    expect(await send()).toMatchObject({ name: "mine" });
  });

  it("and that somebody else has changed since is not sent over theirs unseen", async () => {
    service.lose = "after";
    const get = service.asked;
    service.fail = ({ method }) => {
      // The first read is the one before the write.
      if (method === "GET" && get.includes("PATCH updateMask=name")) somebody({ name: "theirs" });
      return undefined;
    };
    expect(await send()).toMatchObject({ outcome: "changed", current: { name: "theirs" } });
    expect(stored()?.name).toBe("theirs");
    service.fail = undefined;
    service.lose = undefined;
    // Told, and wanted all the same.
    expect(await send()).toMatchObject({ name: "mine" });
  });

  it("is not known while nobody answers; the next attempt looks first", async () => {
    service.lose = "after";
    service.fail = (request) =>
      service.asked.includes("PATCH updateMask=name") ? noAnswer(/^GET/)(request) : undefined;
    expect(await send()).toMatchObject({ outcome: "unknown" });
    service.fail = undefined;
    expect(await send()).toMatchObject({ name: "mine" });
    expect(writes()).toHaveLength(1);
  });

  it("of a field that the service does not return cannot be told from somebody else's", async () => {
    service.lose = "after";
    service.fail = ({ method }) => {
      if (method === "PATCH") somebody({});
      return undefined;
    };
    // What is written there is not read again.
    Object.defineProperty(stored(), "description", { value: undefined, writable: false });
    expect(await send({ description: "secret" })).toMatchObject({
      outcome: "changed",
      message: expect.stringContaining("cannot be told"),
    });
  });

  it("that finds the record gone says so", async () => {
    service.groups = [];
    expect(await send()).toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringContaining("Nothing was saved."),
    });
  });
});

describe("an update", () => {
  const opened: Group = { uid: uidOf(1), name: "g1" };

  it("does not overwrite unseen what somebody else changed in the same field, and leaves other fields to them", async () => {
    const told: { current: Group | undefined } = { current: undefined };
    const send = () =>
      settle(sendUpdate(groups, { uid: uidOf(1), body: { name: "mine" }, mask: ["name"], opened }, told));
    Object.assign(service.groups[1] ?? {}, { description: "theirs" });
    expect(await send()).toMatchObject({ name: "mine", description: "theirs" });
    Object.assign(service.groups[1] ?? {}, { name: "theirs" });
    expect(await send()).toMatchObject({ outcome: "changed", current: { name: "theirs" } });
    expect(await send()).toMatchObject({ name: "mine" });
  });

  it("that cannot be sent at all was not sent", async () => {
    service.fail = noAnswer(/^GET/);
    const sent = sendUpdate(
      groups,
      { uid: uidOf(1), body: { name: "mine" }, mask: ["name"], opened },
      { current: undefined },
    );
    expect(await settle(sent)).toMatchObject({ kind: "unreachable", outcome: "none" });
    expect(writes()).toEqual([]);
  });
});
