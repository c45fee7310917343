import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { infinite } from "~/api/queries/queries";
import type { Identity } from "platform-contract/iam/identities";
import { EVERYWHERE } from "~/frame/scope/scope";
import { levelQuery } from "~/frame/group-tree/levels";
import { TOP } from "~/frame/group-tree/rows";
import { identities } from "platform-contract/iam/identities";
import { peopleScreens } from "~/domains/access/people/data";

import { identityScreens } from "./data";

const ROOT = "a".repeat(40);
const now = Date.parse("2026-06-01T00:00:00Z");
const daysAgo = (days: number) => new Date(now - days * 24 * 60 * 60 * 1000).toISOString();
const machine = (rest: Partial<Identity>): Identity => ({
  uid: `${ROOT}/${"b".repeat(16)}`,
  name: "ci",
  ...rest,
});
const person: Identity = { uid: ROOT, name: "ada", email: "ada@example.com" };

beforeEach(() => void vi.useFakeTimers({ now, toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

describe("a part of a text", () => {
  it.each([
    ["in the name", "CI-Rel", machine({ name: "ci-release" }), true],
    ["in the description", "ada", machine({ description: "On call: Ada" }), true],
    ["in neither", "ada", machine({ email: "ada@example.com" }), false],
  ] as const)("%s", (_where, contains, identity, expected) =>
    expect(identityScreens.resolve(EVERYWHERE, { contains }).matches?.(identity)).toBe(expected),
  );

  it("of a person is in the name or email", () => {
    expect(peopleScreens.resolve(EVERYWHERE, { contains: "ADA@" }).matches?.(person)).toBe(true);
    expect(
      peopleScreens
        .resolve(EVERYWHERE, { contains: "night" })
        .matches?.({ ...person, description: "nights" }),
    ).toBe(false);
  });
});

describe("last use", () => {
  const made = { createTime: daysAgo(100) };
  it.each([
    ["never seen", "never", machine(made), true],
    ["seen only at creation", "never", machine({ ...made, lastSeenTime: daysAgo(100) }), true],
    ["seen later", "never", machine({ ...made, lastSeenTime: daysAgo(99) }), false],
    ["a person seen at sign-up", "never", { ...person, ...made, lastSeenTime: daysAgo(100) }, false],
    ["last seen 91 days ago", "90", machine({ ...made, lastSeenTime: daysAgo(91) }), true],
    ["last seen 89 days ago", "90", machine({ ...made, lastSeenTime: daysAgo(89) }), false],
    ["last seen 89 days ago, of 30", "30", machine({ ...made, lastSeenTime: daysAgo(89) }), true],
    ["never seen, created long ago", "90", machine(made), true],
    ["never seen, created yesterday", "30", machine({ createTime: daysAgo(1) }), false],
    ["without any time", "30", machine({}), true],
  ] as const)("%s: not in %s", (_what, seen, identity, expected) =>
    expect(identityScreens.resolve(EVERYWHERE, { seen }).matches?.(identity)).toBe(expected),
  );
});

it("filters are read from the address and said in words", () => {
  const view = { name: "ci", kind: "keys", seen: "90" };
  expect(identityScreens.readList({ ...view, tab: "robots" })).toEqual(view);
  expect(identityScreens.readList({ kind: "magic", seen: "yesterday", order: "email" })).toEqual({});
  expect(identityScreens.resolve(EVERYWHERE, view).words).toEqual([
    'name is exactly "ci"',
    "type is Static keys",
    "last seen not in 90 days",
  ]);
  expect(peopleScreens.readList({ kind: "keys", drawer: "create" })).toEqual({});
});

it("people are listed at the root level, whatever the scope", () => {
  const scope = { group: ROOT, reach: "below" } as const;
  expect(peopleScreens.resolve(scope, {}).list.queryKey).toEqual(
    infinite(identities.list, { "uidp.in_root": true, order_by: "name" }).queryKey,
  );
});

it("without a scope, the list of the only organization is requested", async () => {
  const client = new QueryClient();
  const begun = vi.spyOn(client, "prefetchInfiniteQuery").mockResolvedValue();
  const scopes = async (...uids: string[]) => {
    begun.mockClear();
    client.setQueryData(levelQuery(TOP).queryKey, {
      pages: [{ items: uids.map((uid) => ({ uid, name: uid })) }],
      pageParams: [{}],
    } as never);
    await identityScreens.startList(client, {});
    return JSON.stringify(begun.mock.calls[0]?.[0].queryKey[2]);
  };
  expect(await scopes(ROOT)).toContain(ROOT);
  expect(await scopes(ROOT, "c".repeat(40))).not.toContain("uidp");
  client.setQueryData(["groups", "roots", []], [{ uid: `${ROOT}/${"d".repeat(16)}` }]);
  expect(await scopes(ROOT)).toContain(ROOT);
  // A folder of an organization that the user cannot see: the screen lists everything.
  client.setQueryData(["groups", "roots", []], [{ uid: `${"c".repeat(40)}/${"d".repeat(16)}` }]);
  expect(await scopes(ROOT)).not.toContain("uidp");
  expect(await scopes()).not.toContain("uidp");
});
