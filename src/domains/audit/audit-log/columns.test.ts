import { expect, it } from "vitest";

import type { AuditEntry } from "platform-contract/audit/entries";

import { placedUid } from "./columns";

const ROOT = "a".repeat(40);
const FOLDER = `${ROOT}/${"b".repeat(16)}`;
const uid = `${FOLDER}/${"1".repeat(16)}`;
const entry = (record: AuditEntry["record"]): AuditEntry =>
  ({ uid, createTime: "", action: "groups.delete", record }) as AuditEntry;

it("places an entry about a folder in the folder's parent, since the folder may be gone", () => {
  expect(placedUid(entry({ kind: "groups", uid: FOLDER }))).toBe(FOLDER);
  expect(placedUid(entry({ kind: "groups", uid: ROOT }))).toBe(uid);
  expect(placedUid(entry({ kind: "repos", uid: `${FOLDER}/${"2".repeat(16)}` }))).toBe(uid);
});
