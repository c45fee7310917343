import { beforeEach, describe, expect, it } from "vitest";

import { writePreference, setPreferenceOwner, readPreference } from "../preferences";
import { choose, keptAs, readChoice, shownColumns, wantedColumns } from "./column-choice";
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
    choose("Identities", "kind", false);
    choose("Identities", "uid", true);
    setPreferenceOwner("bob");
    expect(readPreference(keptAs("Identities"))).toBeNull();
    setPreferenceOwner("ada");
    expect(readChoice(readPreference(keptAs("Identities")))).toEqual({ kind: false, uid: true });
    expect(readPreference(keptAs("Groups"))).toBeNull();
    writePreference(keptAs("Identities"), null);
    expect(localStorage).toHaveLength(0);
  });

  it("made in another tab counts from the next load", () => {
    setPreferenceOwner("ada");
    expect(readPreference("density")).toBeNull();
    localStorage.setItem("pc.density ada", "compact");
    expect(readPreference("density")).toBeNull();
    setPreferenceOwner("ada");
    expect(readPreference("density")).toBe("compact");
  });

  it("that cannot be read is none", () => {
    expect(readChoice("{")).toEqual({});
    expect(readChoice("null")).toEqual({});
  });
});
