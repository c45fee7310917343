import { expect, it } from "vitest";

import { groups } from "platform-contract/iam/groups";
import { identities } from "platform-contract/iam/identities";
import { groupInvites } from "platform-contract/iam/group-invites";

import { pastAt } from "./past";
import { changesBetween } from "./record-difference";

const FIRST = "2026-11-14T09:12:59.999Z";
const SECOND = "2026-11-20T10:00:00.000Z";

/** The past after a list that told of a record of each kind of difference. */
async function told(moment: string, other: string) {
  const past = pastAt(moment, other);
  const change = (kind: string) => `RECORD_CHANGE_${kind}`;
  await past?.through(groups.list, () =>
    Promise.resolve({
      items: [],
      differences: [
        { uid: "created", change: change("CREATED") },
        { uid: "changed", change: change("UPDATED"), fields: ["name", "catalogTier"] },
        { uid: "deleted", change: change("DELETED") },
      ],
    }),
  )({});
  return past;
}

it.each([
  [FIRST, SECOND, "created"],
  [SECOND, FIRST, "deleted"],
])(
  "marks rows by what happened from the earlier moment to the later: %s, %s",
  async (moment, other, elsewhere) => {
    const past = await told(moment, other);
    const between = "between 2026-11-14 09:12:59 UTC and 2026-11-20 10:00:00 UTC";
    expect(past?.differenceOf("created")).toMatchObject({ word: "Created", tip: `Created ${between}` });
    expect(past?.differenceOf("deleted")).toMatchObject({ word: "Deleted", tip: `Deleted ${between}` });
    expect(past?.differenceOf("changed")?.tip).toBe(`Changed ${between}: Name, Catalog tier`);
    expect(past?.differenceOf("same")).toBeUndefined();
    // A file of the list has what was there at the first of the two that the address names.
    const there = ["created", "changed", "deleted", "same"].filter((uid) => past?.wasThere(uid));
    expect(there).toEqual(["created", "changed", "deleted", "same"].filter((uid) => uid !== elsewhere));
  },
);

it("says of people that they joined or left: they are not created here", async () => {
  const past = pastAt(FIRST, SECOND);
  const person = "a".repeat(40);
  const differences = [{ uid: person, change: "RECORD_CHANGE_CREATED" }];
  await past?.through(identities.list, () => Promise.resolve({ items: [], differences }))({});
  expect(past?.differenceOf(person)?.word).toBe("Joined");
  const organization = pastAt(FIRST, SECOND);
  await organization?.through(groups.list, () => Promise.resolve({ items: [], differences }))({});
  expect(organization?.differenceOf(person)?.word).toBe("Created");
});

it("compares only what the log tells, and only if there is a second moment", () => {
  expect(pastAt(FIRST, SECOND)?.comparing(groups.list)).toEqual({ compare_time: SECOND });
  expect(pastAt(FIRST, SECOND)?.comparing(groupInvites.list)).toEqual({});
  for (const other of [undefined, "", "yesterday"])
    expect(pastAt(FIRST, other)?.comparing(groups.list)).toEqual({});
  expect(pastAt("yesterday", SECOND)).toBeUndefined();
});

it("finds the fields in which two states of a record differ, those of objects by their paths", () => {
  const binding = { uid: "b", roleUid: "r", role: { uid: "r", name: "viewer" }, updateTime: FIRST };
  const later = { ...binding, role: { uid: "r", name: "reader" }, bundles: ["a"], updateTime: SECOND };
  expect(changesBetween(binding, later)).toEqual([
    { field: "role.name", before: '"viewer"', after: '"reader"' },
    { field: "bundles", after: '["a"]' },
  ]);
  expect(changesBetween(binding, { ...binding, updateTime: SECOND, bundles: [] })).toEqual([]);
});
