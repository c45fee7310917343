import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, beforeAll, expect, it } from "vitest";

import type { AuditEntry } from "platform-contract/audit/entries";
import { renderInApp, stubBrowser } from "~/ui/testing/render";

import { Changes } from "./changes";

beforeAll(stubBrowser);
afterEach(cleanup);

const ROLE = "c".repeat(40);
const entry: AuditEntry = {
  uid: `${"a".repeat(40)}/${"9".repeat(16)}`,
  createTime: "2026-11-25T15:49:11.747Z",
  action: "roles.update",
  names: { [ROLE]: "editor" },
};

/** The cells of the only row. */
async function cells(
  change: NonNullable<AuditEntry["changes"]>[number],
  kind: string | undefined = "updated",
): Promise<(string | null)[]> {
  await renderInApp(<Changes entry={entry} changes={[change]} change={kind} label="What changed" />);
  const table = screen.getByRole("table", { name: "What changed" });
  const row = within(table).getAllByRole("row")[1] as HTMLElement;
  return [...row.children].map(({ textContent }) => textContent);
}

it("shows a field before and after, with names for uids", async () => {
  expect(await cells({ field: "roleUid", before: '"gone"', after: `"${ROLE}"` })).toEqual([
    "Role",
    "gone",
    "editor",
  ]);
});

it("shows of a list only what differs, and how much doesn't", async () => {
  expect(await cells({ field: "capabilities", before: '["A","B"]', after: '["A","C"]' })).toEqual([
    "Capabilities",
    "B",
    "C1 unchanged",
  ]);
});

it("says of a secret only that it changed", async () => {
  expect(await cells({ field: "oidc.clientSecret", before: '"old"', after: '"new"', hidden: true })).toEqual([
    "OIDC: client secret",
    "Changed. Secrets are not kept in the log.",
  ]);
});

it("says that a long value is only the beginning", async () => {
  expect(await cells({ field: "description", after: '"so lon', cut: true })).toEqual([
    "Description",
    "empty",
    "so lon\u2026Only the beginning is kept.",
  ]);
});

it("has one column for a record that is new, and for one that is deleted", async () => {
  expect(await cells({ field: "name", after: '"ci"' }, "created")).toEqual(["Name", "ci"]);
  cleanup();
  expect(await cells({ field: "name", before: '"ci"' }, "deleted")).toEqual(["Name", "ci"]);
});
