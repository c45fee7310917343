import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { groups } from "platform-contract/iam/groups";

import { sendCreate } from "./send-create";
import { sendDelete } from "./send-delete";
import { FakeGroups, ROOT, uidOf } from "../testing/fake-groups";
import { noAnswer, settle } from "../testing/settle";

// On a dropped connection browsers repeat a request by themselves, and the page gets the second response.

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

describe("a create that is refused because its record exists", () => {
  const body = { name: "new", description: "mine" };
  const send = () => settle(sendCreate(client, groups, { parent: ROOT, body }, { current: undefined }));
  const taken = () => Response.json({ code: 6, message: "already exists" }, { status: 409 });
  const record = (other: object = {}) => ({
    uid: uidOf(77),
    ...body,
    createTime: new Date().toISOString(),
    ...other,
  });
  const sentTwice = (made: ReturnType<typeof record>) => {
    service.fail = ({ method }) => {
      if (method !== "POST") return undefined;
      service.groups.unshift(made);
      return taken();
    };
  };

  it("has worked when the record says the same and is new", async () => {
    sentTwice(record());
    expect(await send()).toMatchObject({ uid: uidOf(77) });
    expect(service.asked.filter((asked) => !asked.startsWith("GET"))).toEqual(["POST"]);
  });

  it.each([
    ["says something else", { description: "theirs" }],
    ["is older", { createTime: "2026-01-28T12:00:00Z" }],
  ])("has failed when the record %s", async (_what, other) => {
    sentTwice(record(other));
    expect(await send()).toMatchObject({ code: "ALREADY_EXISTS", message: "already exists" });
  });

  it("has failed when the record was known before", async () => {
    const known = record();
    client.setQueryData(["groups", "get", known.uid], known);
    sentTwice(known);
    expect(await send()).toMatchObject({ code: "ALREADY_EXISTS" });
  });

  it("counts as failed if the record can't be looked up", async () => {
    service.fail = ({ method }) =>
      method === "POST" ? taken() : Response.json({ code: 13, message: "broken" }, { status: 500 });
    expect(await send()).toMatchObject({ code: "ALREADY_EXISTS", outcome: undefined });
  });
});

describe("a delete that is refused", () => {
  const refused = () => Response.json({ code: 7, message: "no" }, { status: 403 });
  const send = (uid = ROOT, endsAccess = false) => settle(sendDelete(groups, uid, { endsAccess }));

  it("is a refusal as long as the record can be seen", async () => {
    service.fail = ({ method }) => (method === "DELETE" ? refused() : undefined);
    service.groups.push({ uid: ROOT, name: "acme" });
    expect(await send(ROOT, true)).toMatchObject({ code: "PERMISSION_DENIED", message: "no" });
    expect(service.asked).toEqual(["DELETE", "GET"]);
  });

  it("has worked when the record is gone: the browser had sent it twice", async () => {
    service.fail = ({ method }) => (method === "DELETE" ? refused() : undefined);
    expect(await send(uidOf(77))).toBe("deleted");
  });

  it("has worked if only the caller had access and lost it", async () => {
    service.fail = refused;
    expect(await send(ROOT, true)).toBe("deleted");
  });

  it("is not known when the access may have ended for another reason", async () => {
    service.fail = refused;
    expect(await send()).toMatchObject({
      outcome: "unknown",
      message: "no You can no longer see it: it was deleted, or your access ended.",
    });
  });

  it("is a refusal when the check gets no response", async () => {
    service.fail = (request) => (request.method === "DELETE" ? refused() : noAnswer(/^GET/)(request));
    expect(await send(ROOT, true)).toMatchObject({ code: "PERMISSION_DENIED", outcome: undefined });
  });
});
