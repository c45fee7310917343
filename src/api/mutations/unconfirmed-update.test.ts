import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { groups, type Group } from "platform-contract/iam/groups";

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
  const lastSeen: { current: Group | undefined } = { current: undefined };
  const send = (change: Partial<Group> = { name: "mine" }) =>
    settle(sendUpdate(groups, { uid: uidOf(1), body: change, mask: Object.keys(change), opened }, lastSeen));
  const stored = () => service.groups.find(({ uid }) => uid === uidOf(1));
  const somebody = (change: object) =>
    Object.assign(stored() ?? {}, change, { updateTime: new Date((turn += 1000)).toISOString() });
  let turn = Date.now();
  beforeEach(() => {
    lastSeen.current = undefined;
    somebody({});
  });

  it("succeeds when it worked", async () => {
    service.lose = "after";
    expect(await send()).toMatchObject({ name: "mine" });
    expect(writes()).toEqual(["PATCH updateMask=name"]);
  });

  it("fails when it did not work, and can be sent again", async () => {
    service.lose = "before";
    expect(await send()).toMatchObject({
      outcome: "none",
      message: expect.stringContaining("Nothing was saved."),
    });
    service.lose = undefined;
    expect(await send()).toMatchObject({ name: "mine" });
  });

  it("does not overwrite a later change by someone else", async () => {
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
    // The user was warned and confirmed.
    expect(await send()).toMatchObject({ name: "mine" });
  });

  it("is unknown while there is no answer; the next attempt checks first", async () => {
    service.lose = "after";
    service.fail = (request) =>
      service.asked.includes("PATCH updateMask=name") ? noAnswer(/^GET/)(request) : undefined;
    expect(await send()).toMatchObject({ outcome: "unknown" });
    service.fail = undefined;
    expect(await send()).toMatchObject({ name: "mine" });
    expect(writes()).toHaveLength(1);
  });

  it("can't be distinguished from someone else's change if the service does not return the field", async () => {
    service.lose = "after";
    service.fail = ({ method }) => {
      if (method === "PATCH") somebody({});
      return undefined;
    };
    // This field cannot be read back.
    Object.defineProperty(stored(), "description", { value: undefined, writable: false });
    expect(await send({ description: "secret" })).toMatchObject({
      outcome: "changed",
      message: expect.stringContaining("couldn't confirm by whom"),
    });
  });

  it("says that the record is gone", async () => {
    service.groups = [];
    expect(await send()).toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringContaining("Nothing was saved."),
    });
  });
});

describe("an update", () => {
  const opened: Group = { uid: uidOf(1), name: "g1" };

  it("reports a change by someone else in the same field, and leaves other fields alone", async () => {
    const lastSeen: { current: Group | undefined } = { current: undefined };
    const send = () =>
      settle(sendUpdate(groups, { uid: uidOf(1), body: { name: "mine" }, mask: ["name"], opened }, lastSeen));
    Object.assign(service.groups[1] ?? {}, { description: "theirs" });
    expect(await send()).toMatchObject({ name: "mine", description: "theirs" });
    Object.assign(service.groups[1] ?? {}, { name: "theirs" });
    expect(await send()).toMatchObject({ outcome: "changed", current: { name: "theirs" } });
    expect(await send()).toMatchObject({ name: "mine" });
  });

  it("did not happen when it could not be sent", async () => {
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
