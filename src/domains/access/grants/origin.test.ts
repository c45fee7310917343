import { expect, it } from "vitest";

import type { AuditEntry } from "platform-contract/audit/entries";
import type { RoleBinding } from "platform-contract/iam/role-bindings";

import { originOf, removalOf } from "./origin";

const ROOT = "a".repeat(40);
const at = (suffix: string) => `${ROOT}/${suffix.repeat(16)}`;
const DAY = (day: number) => `2026-11-0${day}T10:00:00Z`;
const binding: RoleBinding = { uid: at("2"), identityUid: "i", roleUid: "r", createTime: DAY(5) };
const entry = (of: string, change: string, day: number, more: object = {}): AuditEntry => ({
  uid: `${ROOT}/${change}${of}`,
  createTime: DAY(day),
  action: `roleBindings.${change}`,
  change,
  record: { kind: "roleBindings", uid: at(of), identityUid: "i", roleUid: "r", group: ROOT },
  ...more,
});
const removed = (of: string, day: number) =>
  entry(of, "deleted", day, {
    changes: [{ field: "createTime", before: JSON.stringify(DAY(1)) }],
  });

it("finds who granted a role, and that it was held before", () => {
  const [again, gone, first] = [entry("2", "created", 5), removed("1", 4), entry("1", "created", 1)];
  expect(originOf(binding, [again], DAY(1))).toEqual({ made: again, older: false, first: undefined });
  expect(originOf(binding, [again, gone, first], DAY(1))).toEqual({
    made: again,
    older: false,
    first: { time: DAY(1), made: first },
  });
  // Another role, or the same one somewhere else, is another grant.
  const other = { ...gone, record: { ...gone.record!, roleUid: "s" } };
  expect(originOf(binding, [again, other], DAY(1)).first).toBeUndefined();
});

it("says that a role is older than the log, by the log's begin or an import, and nothing where it can't tell", () => {
  expect(originOf(binding, [], DAY(6)).older).toBe(true);
  expect(originOf(binding, [], DAY(4)).older).toBe(false);
  expect(originOf(binding, [], undefined).older).toBe(false);
  const imported = entry("2", "created", 6, { action: "import" });
  expect(originOf(binding, [imported], undefined)).toEqual({
    made: undefined,
    older: true,
    first: undefined,
  });
});

it("finds the last removal of somebody's roles, alone or with others", () => {
  const own = removed("1", 4);
  const other = { ...own, record: { ...own.record!, identityUid: "j" } };
  const together = { ...other, related: [{ record: own.record!, change: "deleted" }] };
  expect(removalOf("i", [entry("2", "created", 5), other, own])).toBe(own);
  expect(removalOf("i", [together, own])).toBe(together);
  expect(removalOf("i", [{ ...own, outcome: "OUTCOME_DENIED" }])).toBeUndefined();
});
