import { expect, test, vi } from "vitest";

import { patchOf } from "../../testing/scim";
import { ScimError } from "./error";
import { patching } from "./patch";
import { membersNamed, stepsOf } from "./patch-steps";
import { GROUPS, USERS, type ResourceType } from "./schemas";
import type { ScimFields } from "./values";

/** Runs work to its end. @returns its result and how often others could have their turn */
function run<T>(work: Iterator<void, T>): { result: T; pauses: number } {
  for (let pauses = 0; ; pauses += 1) {
    const step = work.next();
    if (step.done) return { result: step.value, pauses };
  }
}

function patched(type: ResourceType, before: ScimFields, ...operations: ScimFields[]) {
  const steps = run(stepsOf(type, patchOf(...operations))).result;
  return run(patching(type, before, steps));
}

const group = (members: number): ScimFields => ({
  displayName: "everybody",
  members: Array.from({ length: members }, (_, index) => ({ value: `member-${index}` })),
});
const terms = (count: number, of: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => of(index)).join(" or ");

test("operations times members times terms are one budget", () => {
  const path = `members[${terms(10, (index) => `display co "${index}"`)}]`;
  const remove = { op: "remove", path };
  const refused = (operations: number, members: number) => {
    try {
      patched(GROUPS, group(members), ...Array.from({ length: operations }, () => remove));
      return undefined;
    } catch (error) {
      return error instanceof ScimError ? [error.status, error.scimType] : error;
    }
  };
  expect(refused(10, 3_000)).toBeUndefined();
  expect(refused(100, 3_000)).toEqual([400, "tooMany"]);
  expect(refused(250, 5_000)).toEqual([400, "tooMany"]);
  // An attribute that is not in the filter's index costs the same when nothing of it is left.
  expect(refused(1, 20_000)).toBeUndefined();
});

test("values that a filter names are found by index, whatever the size of the group", () => {
  const lower = vi.spyOn(String.prototype, "toLowerCase");
  const operations = Array.from({ length: 1_000 }, (_, index) => ({
    op: "remove",
    path: `members[${terms(10, (term) => `value eq "MEMBER-${index * 10 + term}"`)}]`,
  }));
  const { result, pauses } = patched(GROUPS, group(20_000), ...operations);
  const calls = lower.mock.calls.length;
  lower.mockRestore();
  expect(result["members"]).toHaveLength(10_000);
  expect(pauses).toBeGreaterThanOrEqual(1_000);
  // Linear in members and terms: their product would be 200 million.
  expect(calls).toBeLessThan(2_000_000);
});

test("a long pass over members lets others have their turn", () => {
  const { pauses } = patched(GROUPS, group(20_000), { op: "remove", path: `members[value co "7"]` });
  expect(pauses).toBeGreaterThanOrEqual(100);
});

test("adding members that are there already is no product either", () => {
  const { members } = group(5_000) as { members: ScimFields[] };
  const stringify = vi.spyOn(JSON, "stringify");
  const add = Array.from({ length: 1_000 }, (_, index) => ({
    op: "add",
    path: "members",
    value: members.slice(index, index + 10),
  }));
  const { result } = patched(GROUPS, group(5_000), ...add);
  const calls = stringify.mock.calls.length;
  stringify.mockRestore();
  expect(result["members"]).toHaveLength(5_000);
  expect(calls).toBeLessThan(50_000);
});

test("the lists of a user never have more than a hundred values, between operations either", () => {
  const add = (index: number) => ({
    op: "add",
    path: "emails",
    value: Array.from({ length: 60 }, (_, one) => ({ value: `${index}-${one}@acme.example` })),
  });
  const clear = { op: "remove", path: "emails" };
  expect(patched(USERS, { userName: "ada" }, add(1), clear, add(2)).result["emails"]).toHaveLength(60);
  expect(() => patched(USERS, { userName: "ada" }, add(1), add(2), clear)).toThrow("at most 100 values");
});

test("equal values are one, whatever the order of their parts, and one is primary", () => {
  const before = { userName: "ada", emails: [{ value: "a@x", type: "work", primary: true }] };
  const { result } = patched(
    USERS,
    before,
    { op: "add", path: "emails", value: [{ type: "work", primary: true, value: "a@x" }] },
    { op: "add", path: "emails", value: [{ value: "b@x", primary: true }] },
    { op: "replace", path: 'emails[type eq "work"].value', value: "c@x" },
  );
  expect(result["emails"]).toEqual([
    { value: "c@x", type: "work", primary: false },
    { value: "b@x", primary: true },
  ]);
});

test("members that steps add are known before any step is applied", () => {
  const body = patchOf(
    { op: "add", path: "members", value: [{ value: "one" }, { value: "two" }] },
    { op: "replace", value: { members: [{ value: "three" }] } },
    { op: "remove", path: "members", value: [{ value: "four" }] },
  );
  expect(membersNamed(run(stepsOf(GROUPS, body)).result)).toEqual(["one", "two", "three"]);
});
