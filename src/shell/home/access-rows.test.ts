import { expect, it } from "vitest";

import { can } from "~/frame/permissions/rules";
import { builtInSets } from "platform-contract/iam/capabilities";
import { kinds } from "platform-contract/kinds";

import { ACCESS_ROWS, VERBS } from "./access-rows";

const group = "a".repeat(40);

/** The table for a user with only this role: "Repos: list create". */
function tableOf(role: keyof typeof builtInSets): string[] {
  const held = { uid: "1".repeat(40), name: role, capabilities: [...builtInSets[role]] };
  const binding = { uid: `${group}/${"b".repeat(16)}`, identityUid: "9".repeat(40), roleUid: held.uid };
  const who = { state: "known", bindings: [binding], roles: [held] } as const;
  return ACCESS_ROWS.map(({ label, methods }) => {
    const allowed = VERBS.filter((verb) => methods[verb] && can(who, methods[verb], group).allowed);
    return `${label}: ${allowed.join(" ")}`;
  });
}

/** Of the kinds in `rows`, the given verbs; of all others, those of `rest`. */
const expected = (rest: string, rows: Readonly<Record<string, string>>): string[] =>
  ACCESS_ROWS.map(({ label }) => `${label}: ${rows[label] ?? rest}`);

it("says of every kind that has a screen what a viewer, an editor and an owner can do", () => {
  expect(tableOf("viewer")).toEqual(expected("list", {}));
  expect(tableOf("editor")).toEqual(
    expected("list", { Repos: "list create update delete", "Event subscriptions": "list create delete" }),
  );
  expect(tableOf("owner")).toEqual(
    expected("list create update delete", {
      "Event subscriptions": "list create delete",
      Advisories: "list",
    }),
  );
});

it("has a row for each kind with the name that its screen has", () => {
  const labels = ACCESS_ROWS.map(({ label }) => label);
  expect(labels).toHaveLength(kinds.length);
  for (const label of ["Groups", "Repos", "Role bindings"]) expect(labels).toContain(label);
});
