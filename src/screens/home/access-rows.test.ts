import { expect, it } from "vitest";

import { can } from "~/access/rules";
import { builtInSets } from "~/contract/iam/capabilities";

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

it("says of every kind that has a screen what may be done, so that an editor and a viewer look different", () => {
  expect(tableOf("viewer")).not.toEqual(tableOf("editor"));
  expect(tableOf("editor")).not.toEqual(tableOf("owner"));
  expect(tableOf("viewer")).toContain("Tags: list");
  expect(tableOf("editor")).toContain("Repos: list create update delete");
});
