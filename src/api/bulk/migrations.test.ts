import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { Identity } from "platform-contract/iam/identities";

import { connect } from "../client/client";
import { replacementText, type IdentityToMigrate } from "./migration-plan";
import { migrations } from "./migrations";

const ORG = "a".repeat(40);
const [OLD, MADE] = [`${ORG}/${"b".repeat(16)}`, `${ORG}/${"c".repeat(16)}`];
const [VIEWER, EDITOR] = ["d".repeat(40), "e".repeat(40)];
const TIME = "2026-11-01T00:00:00Z";

const ITEM: IdentityToMigrate = {
  uid: OLD,
  name: "ci",
  parent: ORG,
  body: {
    name: "ci-new",
    description: replacementText(OLD),
    claimMatch: { issuer: "https://new.example", subject: "job" },
  },
  updateTime: TIME,
  key: "k",
};

interface Binding {
  readonly identityUid: string;
  readonly roleUid: string;
  readonly expirationTime?: string;
}

/** A service with one organization, in which the answers to some writes get lost. */
let identities: Identity[] = [];
let bindings: Binding[] = [];
let writes: string[] = [];
let before: (path: string) => Response | undefined = () => undefined;
let after: (path: string) => void = () => undefined;

const lost = () => {
  throw new TypeError("Failed to fetch");
};

beforeEach(() => {
  vi.useFakeTimers();
  identities = [
    { uid: OLD, name: "ci", updateTime: TIME, claimMatch: { issuer: "https://old.example", subject: "job" } },
  ];
  bindings = [
    { identityUid: OLD, roleUid: VIEWER },
    { identityUid: OLD, roleUid: EDITOR, expirationTime: "2027-01-01T00:00:00Z" },
  ];
  writes = [];
  before = () => undefined;
  after = () => undefined;
  vi.stubGlobal("fetch", async (url: string, { method = "GET", body }: RequestInit) => {
    const { pathname, searchParams } = new URL(url);
    const path = decodeURIComponent(pathname);
    if (path.includes("/ping/")) return Response.json({});
    const refusal = method === "POST" ? before(path) : undefined;
    if (refusal) return refusal;
    if (method === "POST") {
      writes.push(path.split("/").at(-2) ?? "");
      const sent = JSON.parse(String(body)) as object;
      const made = { uid: MADE, ...sent };
      if (path.includes("/identities/")) identities.push(made as Identity);
      else bindings.push(sent as Binding);
      after(path);
      return Response.json(made);
    }
    if (path.endsWith(`/identities/${OLD}`)) return Response.json(identities[0]);
    if (path.includes("/roleBindings")) {
      const found = bindings.filter(({ identityUid }) => identityUid === searchParams.get("identity"));
      const roleBindings = found.map((each, index) => ({
        uid: `${ORG}/${String(index).padStart(16, "0")}`,
        ...each,
      }));
      return Response.json({ roleBindings, totalCount: String(found.length) });
    }
    const found = identities.filter(({ name }) => name === searchParams.get("name"));
    return Response.json({ identities: found, totalCount: String(found.length) });
  });
  connect({ baseUrl: "https://api.example", token: async () => "t", onUnauthenticated: () => undefined });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const send = async (item = ITEM) => {
  const sent = migrations(new QueryClient())
    .send(item, [])
    .catch((error: unknown) => error as Error);
  await vi.runAllTimersAsync();
  return sent;
};
const rolesOf = (uid: string) =>
  bindings.flatMap(({ identityUid, ...grant }) => (identityUid === uid ? [grant] : []));

test("creates the identity once and gives it the same roles, with their ends", async () => {
  expect(await send()).toBe(`Created ${MADE} with 2 roles`);
  expect(rolesOf(MADE)).toEqual(rolesOf(OLD));
  // Again, as after a reload or on another machine.
  expect(await send()).toBe(`It was there already: 0 roles added to ${MADE}`);
  expect(writes).toEqual(["identities", "roleBindings", "roleBindings"]);
});

test("adds the roles that an interrupted run left out", async () => {
  identities.push({ uid: MADE, ...ITEM.body } as Identity);
  bindings.push({ identityUid: MADE, roleUid: VIEWER });
  expect(await send()).toBe(`It was there already: 1 role added to ${MADE}`);
  expect(writes).toEqual(["roleBindings"]);
  expect(rolesOf(MADE)).toEqual(rolesOf(OLD));
});

test("an identity with that name that replaces another, or has another rule, is not taken for it", async () => {
  identities.push(
    {
      uid: `${ORG}/${"1".repeat(16)}`,
      ...ITEM.body,
      description: replacementText(`${ORG}/${"2".repeat(16)}`),
    },
    {
      uid: `${ORG}/${"3".repeat(16)}`,
      ...ITEM.body,
      claimMatch: { issuer: "https://new.example", subject: "x" },
    },
  );
  expect(await send()).toBe(`Created ${MADE} with 2 roles`);
});

test("finds what a create did whose answer got lost", async () => {
  after = (path) => (path.includes("/identities/") ? lost() : undefined);
  expect(await send()).toBe(`Created ${MADE} with 2 roles`);
  expect(writes).toEqual(["identities", "roleBindings", "roleBindings"]);
});

test("doesn't know of a create that got lost with its answer", async () => {
  before = () => lost();
  expect(await send()).toMatchObject({ outcome: "unknown" });
});

test("says which role was refused, and keeps the rest for a retry", async () => {
  before = (path) =>
    path.includes("/roleBindings/") && bindings.length > 2
      ? Response.json({ code: 7, message: "No." }, { status: 403 })
      : undefined;
  expect(await send()).toMatchObject({
    message: "Created, but a role at another group couldn't be granted: No.",
  });
  expect(rolesOf(MADE)).toHaveLength(1);
  before = () => undefined;
  expect(await send()).toBe(`It was there already: 1 role added to ${MADE}`);
});

test("passes a wait on to the job", async () => {
  before = () =>
    Response.json({ code: 8, message: "Slow down." }, { status: 429, headers: { "retry-after": "1" } });
  expect(await send()).toMatchObject({ http: 429 });
  expect(writes).toEqual([]);
});

test("creates nothing for an identity that changed since the preview", async () => {
  expect(await send({ ...ITEM, updateTime: "2026-10-01T00:00:00Z" })).toMatchObject({
    message: "It was changed since the preview, so nothing was created.",
  });
  expect(writes).toEqual([]);
});
