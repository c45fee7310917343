import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { groups } from "platform-contract/iam/groups";
import { ping } from "platform-contract/ping/ping";

import { call } from "../client/client";
import type { UnconfirmedCreate } from "./unconfirmed-create";
import { sendCreate } from "./send-create";
import { sendDelete } from "./send-delete";
import { FakeGroups, ROOT, uidOf } from "../testing/fake-groups";
import { noAnswer, settle } from "../testing/settle";

let service: FakeGroups;
let client: QueryClient;

beforeEach(() => {
  vi.useFakeTimers();
  service = new FakeGroups(3);
  client = new QueryClient();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const writes = () => service.asked.filter((asked) => !asked.startsWith("GET"));
const reads = () => service.asked.filter((asked) => asked.startsWith("GET order") || asked === "GET");

describe("a create whose answer is lost", () => {
  const body = { name: "new" };
  const form = (): { current: UnconfirmedCreate | undefined } => ({ current: undefined });
  const send = (own = form(), sent: { name: string } = body) =>
    settle(sendCreate(client, groups, { parent: ROOT, body: sent }, own));
  const made = () => service.groups.filter(({ name }) => name === "new");

  it("succeeds when it worked", async () => {
    service.lose = "after";
    expect(await send()).toMatchObject({ name: "new" });
    expect(made()).toHaveLength(1);
    expect(writes()).toEqual(["POST"]);
  });

  it("is checked repeatedly, since it may complete late", async () => {
    service.lose = "before";
    const sent = settle(sendCreate(client, groups, { parent: ROOT, body }, form()));
    setTimeout(() => {
      service.groups.push({ uid: uidOf(77), name: "new", createTime: new Date().toISOString() });
    }, 2000);
    expect(await sent).toMatchObject({ uid: uidOf(77) });
  });

  it("fails when it did not work, and can be sent again", async () => {
    service.lose = "before";
    const own = form();
    expect(await send(own)).toMatchObject({
      outcome: "none",
      message: expect.stringContaining("Nothing was created."),
    });
    expect(reads()).toHaveLength(3);
    service.lose = undefined;
    expect(await send(own)).toMatchObject({ name: "new" });
    expect(made()).toHaveLength(1);
  });

  it("is unknown while there is no answer, and looked up before it is sent again, also by another form", async () => {
    service.lose = "after";
    service.fail = noAnswer(/^GET/);
    expect(await send()).toMatchObject({ outcome: "unknown" });
    expect(await send()).toMatchObject({ outcome: "unknown" });
    service.fail = undefined;
    expect(await send()).toMatchObject({ name: "new" });
    expect(made()).toHaveLength(1);
    expect(writes()).toEqual(["POST"]);
  });

  it("is reported when the form has other values by then", async () => {
    service.lose = "after";
    service.fail = noAnswer(/^GET/);
    const own = form();
    await send(own);
    service.lose = undefined;
    service.fail = undefined;
    expect(await send(own, { name: "newer" })).toMatchObject({
      outcome: "none",
      message: expect.stringContaining("earlier attempt"),
    });
    expect(service.groups.some(({ name }) => name === "newer")).toBe(false);
    expect(await send(own, { name: "newer" })).toMatchObject({ name: "newer" });
  });

  it("is not mistaken for an equal record that existed before", async () => {
    const now = new Date().toISOString();
    const earlier = { uid: uidOf(50), name: "new", createTime: now };
    service.groups.push(earlier);
    client.setQueryData(["groups", "get", earlier.uid], earlier);
    service.lose = "before";
    expect(await send()).toMatchObject({ outcome: "none" });
  });

  const HOUR = 3_600_000;
  describe.each([
    ["that tells its time", true],
    ["whose time may not be read", false],
  ])("to a service %s", (_what, tellsTime) => {
    it.each([-9 * HOUR, -HOUR, HOUR, 9 * HOUR])("is found, %s ms off this machine's clock", async (ahead) => {
      Object.assign(service, { ahead, tellsTime });
      await settle(call(ping));
      service.lose = "after";
      expect(await send()).toMatchObject({ name: "new" });
      expect(writes()).toEqual(["POST"]);
    });
  });

  it("is not mistaken for an older one by the service's clock", async () => {
    service.ahead = -9 * HOUR;
    await settle(call(ping));
    const createTime = new Date(service.now() - 10 * 60_000).toISOString();
    service.groups.push({ uid: uidOf(50), name: "new", createTime });
    service.lose = "before";
    expect(await send()).toMatchObject({ outcome: "none" });
  });

  it("checks once after an unexpected response", async () => {
    service.fail = ({ method }) => (method === "POST" ? new Response("<html>", { status: 200 }) : undefined);
    expect(await send()).toMatchObject({ kind: "invalid", outcome: "none" });
    expect(reads()).toHaveLength(1);
  });

  it("reads nothing after a refusal", async () => {
    service.fail = () => Response.json({ code: 8, message: "slow down" }, { status: 429 });
    expect(await send()).toMatchObject({ code: "RESOURCE_EXHAUSTED", outcome: undefined });
    expect(service.asked).toEqual(["POST"]);
  });
});

describe("a delete whose answer is lost", () => {
  const send = (uid = uidOf(1)) => settle(sendDelete(groups, uid));

  it("succeeds when the record is gone", async () => {
    service.lose = "after";
    expect(await send()).toBe("deleted");
    expect(service.groups).toHaveLength(2);
  });

  it("fails when the record still exists", async () => {
    service.lose = "before";
    expect(await send()).toMatchObject({ outcome: "none" });
    service.lose = undefined;
    expect(await send()).toBe("deleted");
  });

  it("is unknown while there is no answer, and safe to repeat", async () => {
    service.lose = "after";
    service.fail = noAnswer(/^GET/);
    expect(await send()).toMatchObject({ outcome: "unknown" });
    service.fail = undefined;
    expect(await send()).toBe("deleted");
  });

  it("of an organization succeeds when it is no longer visible: its bindings went with it", async () => {
    const refused = () => Response.json({ code: 7, message: "no" }, { status: 403 });
    service.fail = ({ method }) => (method === "GET" ? refused() : undefined);
    service.lose = "after";
    expect(await send(ROOT)).toBe("deleted");
    expect(await send(uidOf(2))).toMatchObject({ outcome: "unknown" });
  });
});
