import { expect, test } from "vitest";

import { roles, type Role } from "platform-contract/iam/roles";

import { defineScreens } from "~/frame/define";
import { filterParts } from "./filter-parts";
import { choice, contains, date, exact, flag, option, pinned, searched } from "./filters";
import type { ListScreen } from "./list-screen";

const kinds = [{ value: "s", label: "small" }];
const screens = defineScreens(roles, {
  filters: {
    name: searched(exact("name", "Name")),
    contains: searched(contains<Role>("Description", () => [])),
    size: pinned(choice("Size", kinds, {})),
    kind: choice("Kind", kinds, {}),
    large: flag("Large ones", {}),
    since: date("Updated since", {}),
    by: option("Grouped", "yes"),
    own: exact("own", "Own"),
  },
});

function partsOf(search: Record<string, string>, more: object = {}) {
  const changes: object[] = [];
  const scope = { group: "a", reach: search["reach"] ?? "below" };
  const list = {
    screens,
    search,
    scope,
    holder: undefined,
    filter: (to: object) => changes.push(to),
    ...more,
  };
  return { changes, ...filterParts(list as unknown as ListScreen<Role>, { own: null }) };
}
const chipsOf = (...given: Parameters<typeof partsOf>) =>
  partsOf(...given).chips.map(({ edits, label, value }) => [label, value, edits]);

test("active filters without a control are chips, and the panel offers the others", () => {
  expect(chipsOf({ name: "a", size: "s", own: "x" })).toEqual([]);
  expect(chipsOf({ kind: "s", large: "yes", since: "2026-01-01", by: "yes", reach: "here" })).toEqual([
    ["Kind", "small", "kind"],
    ["Large ones", undefined, undefined],
    ["Updated since", "2026-01-01", "since"],
    ["Grouped", undefined, undefined],
    ["This group only", undefined, undefined],
  ]);
  // An address from when there were two fields: one text is in the field, the other must stay visible.
  expect(chipsOf({ name: "a", contains: "b" })).toEqual([["Description", "b", undefined]]);
  expect(partsOf({}).panel.map(({ name }) => name)).toEqual(["kind", "large", "since", "reach"]);
  expect(partsOf({}, { holder: "r" }).panel.map(({ name }) => name)).toEqual(["kind", "large", "since"]);
});

test("a control and a chip change the address", () => {
  const { changes, panel, chips } = partsOf({ kind: "s", reach: "here" });
  for (const { name, onChange } of panel) onChange(name === "since" ? "2026-13-01" : "yes");
  for (const { onRemove } of chips) onRemove();
  expect(changes).toEqual([
    { kind: undefined },
    { large: "yes" },
    { since: undefined },
    { reach: "here" },
    { kind: undefined },
    { reach: undefined },
  ]);
});
