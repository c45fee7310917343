import { beforeEach, describe, expect, it } from "vitest";

import { writePreference, setPreferenceOwner, readPreference } from "../preferences";
import {
  choiceOf,
  choose,
  columnsToShare,
  keptAs,
  readChoice,
  shownColumns,
  wantedColumns,
  readWidths,
  setWidth,
  tracksOf,
} from "./column-choice";
import type { Column } from "./types";

const column = (id: string, more: Partial<Column<object>> = {}): Column<object> => ({
  id,
  header: id,
  cell: () => id,
  width: "10rem",
  ...more,
});
const columns = [
  column("name"),
  column("kind", { hideBelow: 800 }),
  column("seen", { hideBelow: 700 }),
  column("uid", { optional: true }),
];
const ids = (choice: Record<string, boolean>, width?: number) =>
  shownColumns(columns, choice, width, 16).map(({ id }) => id);

describe("which columns a list shows", () => {
  it("uses defaults until the user chooses", () => {
    expect(ids({}, 1000)).toEqual(["name", "kind", "seen"]);
    expect(ids({}, 750)).toEqual(["name", "seen"]);
    expect(ids({}, 650)).toEqual(["name"]);
    expect(ids({})).toEqual(["name", "kind", "seen"]);
  });

  it("is what was chosen, but for the first, which stays", () => {
    expect(ids({ kind: false, uid: true, name: false }, 1000)).toEqual(["name", "seen", "uid"]);
  });

  it("is what was chosen where the window is narrower than a column would like, if there is room", () => {
    expect(ids({ kind: true }, 650)).toEqual(["name", "kind"]);
    expect(ids({ kind: true, uid: true }, 750)).toEqual(["name", "kind", "seen", "uid"]);
  });

  it("hides default columns first, then the last chosen one", () => {
    // Space for three columns of 10 rem.
    expect(ids({ uid: true }, 700)).toEqual(["name", "seen", "uid"]);
    expect(ids({ kind: true, seen: true, uid: true }, 620)).toEqual(["name", "kind", "seen"]);
    expect(ids({ kind: true, seen: true, uid: true }, 599)).toEqual(["name"]);
  });

  it("adds optional columns on a wide screen, within a share of the width", () => {
    expect(ids({}, 1599)).toEqual(["name", "kind", "seen"]);
    expect(ids({}, 1600)).toEqual(["name", "kind", "seen", "uid"]);
    expect(ids({ uid: false }, 2400)).toEqual(["name", "kind", "seen"]);
    const many = [
      ...columns,
      ...Array.from({ length: 9 }, (_, at) => column(`more ${at}`, { optional: true })),
    ];
    expect(shownColumns(many, {}, 1600, 16).map(({ id }) => id)).toEqual([
      "name",
      "kind",
      "seen",
      "uid",
      "more 0",
    ]);
  });

  it("is wanted whether or not there is room", () => {
    expect(wantedColumns(columns, { seen: false, uid: true }).map(({ id }) => id)).toEqual([
      "name",
      "kind",
      "uid",
    ]);
  });
});

describe("a choice", () => {
  beforeEach(() => localStorage.clear());

  it("is kept for a list and a person, and forgotten when it is reset", () => {
    setPreferenceOwner("ada");
    choose("Identities", readChoice(readPreference(keptAs("Identities"))), "kind", false);
    choose("Identities", readChoice(readPreference(keptAs("Identities"))), "uid", true);
    setPreferenceOwner("bob");
    expect(readPreference(keptAs("Identities"))).toBeNull();
    setPreferenceOwner("ada");
    expect(readChoice(readPreference(keptAs("Identities")))).toEqual({ kind: false, uid: true });
    expect(readPreference(keptAs("Groups"))).toBeNull();
    writePreference(keptAs("Identities"), null);
    expect(localStorage).toHaveLength(0);
  });

  it("uses a choice made in another tab after the next load", () => {
    setPreferenceOwner("ada");
    expect(readPreference("density")).toBeNull();
    localStorage.setItem("pc.density ada", "compact");
    expect(readPreference("density")).toBeNull();
    setPreferenceOwner("ada");
    expect(readPreference("density")).toBe("compact");
  });

  it("ignores an unreadable stored choice", () => {
    expect(readChoice("{")).toEqual({});
    expect(readChoice("null")).toEqual({});
  });
});

describe("widths", () => {
  const columns = [
    { id: "name", header: "Name", width: "minmax(9rem, 3fr)", cell: () => null },
    { id: "kind", header: "Kind", width: "10rem", cell: () => null },
    { id: "seen", header: "Seen", width: "8rem", cell: () => null },
  ];

  it("are the list's own until the user sets one, which gives way to a narrow window", () => {
    expect(tracksOf(columns, {})).toEqual(["minmax(9rem, 3fr)", "10rem", "8rem"]);
    expect(tracksOf(columns, { kind: 200 })).toEqual([
      "minmax(9rem, 3fr)",
      "minmax(min(200px, 3rem), 200px)",
      "8rem",
    ]);
  });

  it("leave no gap at the end when no column is flexible any more", () => {
    expect(tracksOf(columns, { name: 300 }).at(-1)).toBe("minmax(8rem, 1fr)");
    expect(tracksOf(columns, { name: 300, seen: 90 }).at(-1)).toBe("minmax(90px, 1fr)");
  });

  it("are stored by list, within limits, and forgotten one by one", () => {
    setWidth("Things", "name", 10_000);
    setWidth("Things", "kind", 3.4);
    expect(readWidths(readPreference("widths Things"))).toEqual({ name: 1200, kind: 48 });
    setWidth("Things", "name", undefined);
    setWidth("Things", "kind", undefined);
    expect(readPreference("widths Things")).toBeNull();
    for (const text of [null, "", "[]", '{"a":"1"}', "7"]) expect(readWidths(text)).toEqual({});
  });
});

it("a link brings its columns, and a user's own choice begins with those", () => {
  const shared = "name.uid.gone";
  expect(columnsToShare("Things", columns, undefined, 16)).toBeUndefined();
  expect(columnsToShare("Things", columns, shared, 16)).toBe("name.uid");
  const choice = choiceOf("Things", columns, shared);
  expect(shownColumns(columns, choice, 1000, 16).map(({ id }) => id)).toEqual(["name", "uid"]);
  choose("Things", choice, "seen", true);
  expect(columnsToShare("Things", columns, undefined, 16)).toBe("name.seen.uid");
});
