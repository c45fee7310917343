import { describe, expect, it } from "vitest";

import { keepActive, moveOf, typeAhead } from "./moves";
import { buildRows, indexOfKey, TOP, type Level, type AnyTreeRow } from "./rows";

const ROOT = "a".repeat(40);
const OTHER = "f".repeat(40);
const child = (parent: string, index: number) => `${parent}/${index.toString(16).padStart(16, "0")}`;
const APPS = child(ROOT, 1);
const PLATFORM = child(ROOT, 2);
const RUNTIME = child(PLATFORM, 1);

const level = (entries: readonly (readonly [string, string])[], rest: Partial<Level> = {}): Level => ({
  nodes: entries.map(([uid, name]) => ({ uid, name })),
  total: entries.length,
  more: false,
  state: "ready",
  ...rest,
});

const LEVELS = new Map([
  [
    TOP,
    level([
      [ROOT, "Acme"],
      [OTHER, "Other"],
    ]),
  ],
  [
    ROOT,
    level([
      [APPS, "apps"],
      [PLATFORM, "platform"],
    ]),
  ],
  [APPS, level([])],
  [PLATFORM, level([[RUNTIME, "runtime"]], { more: true })],
]);

const rowsWith = (
  expanded: readonly string[],
  levels: ReadonlyMap<string, Level> = LEVELS,
  childless: (uid: string) => boolean = () => false,
): AnyTreeRow[] =>
  buildRows({ levels, expanded: new Set(expanded), pinned: new Map(), distant: [], childless });

const rows = rowsWith([ROOT, PLATFORM]);
const at = (key: string) => indexOfKey(rows, key);
const focus = (key: string) => ({ type: "focus", key });

describe("keys", () => {
  it("walk the visible rows and stop at the ends", () => {
    expect(moveOf(rows, at(ROOT), "ArrowDown")).toEqual(focus(APPS));
    expect(moveOf(rows, at(APPS), "ArrowUp")).toEqual(focus(ROOT));
    expect(moveOf(rows, at(ROOT), "ArrowUp")).toBeUndefined();
    expect(moveOf(rows, at(OTHER), "ArrowDown")).toBeUndefined();
    expect(moveOf(rows, at(RUNTIME), "Home")).toEqual(focus(ROOT));
    expect(moveOf(rows, at(RUNTIME), "End")).toEqual(focus(OTHER));
  });

  it("open, enter, leave and close a group", () => {
    expect(moveOf(rows, at(OTHER), "ArrowRight")).toEqual({ type: "expand", uids: [OTHER] });
    expect(moveOf(rows, at(PLATFORM), "ArrowRight")).toEqual(focus(RUNTIME));
    expect(moveOf(rows, at(RUNTIME), "ArrowLeft")).toEqual(focus(PLATFORM));
    expect(moveOf(rows, at(PLATFORM), "ArrowLeft")).toEqual({ type: "collapse", uid: PLATFORM });
    expect(moveOf(rows, at(OTHER), "ArrowLeft")).toBeUndefined();
  });

  it("do not open what is known to be empty", () => {
    expect(moveOf(rows, at(APPS), "ArrowRight")).toBeUndefined();
  });

  it("reach the row for more, and go from it to the parent", () => {
    const more = rows.find(({ kind }) => kind === "more")?.key ?? "";
    expect(moveOf(rows, at(RUNTIME), "ArrowDown")).toEqual(focus(more));
    expect(moveOf(rows, at(more), "ArrowLeft")).toEqual(focus(PLATFORM));
  });

  it("pass over what is loading, also on the way into a group", () => {
    const loading = rowsWith([ROOT], new Map([[TOP, LEVELS.get(TOP) as Level]]));
    expect(loading.map(({ kind }) => kind)).toEqual(["node", "loading", "node"]);
    expect(moveOf(loading, 0, "ArrowDown")).toEqual(focus(OTHER));
    expect(moveOf(loading, 0, "ArrowRight")).toBeUndefined();
  });

  it("open every sibling that is closed with *", () => {
    expect(moveOf(rowsWith([]), 0, "*")).toEqual({ type: "expand", uids: [ROOT, OTHER] });
    expect(moveOf(rows, at(APPS), "*")).toBeUndefined();
  });

  it("open those nearby with * among ten thousand siblings", () => {
    const many = Array.from({ length: 10_000 }, (_, index) => [child(ROOT, index), `team-${index}`] as const);
    const wide = rowsWith(
      [ROOT],
      new Map([
        [TOP, level([[ROOT, "Acme"]])],
        [ROOT, level(many)],
      ]),
    );
    const move = moveOf(wide, 5_001, "*");
    expect(move?.type === "expand" && move.uids).toHaveLength(200);
    expect(move?.type === "expand" && move.uids.includes(child(ROOT, 5_000))).toBe(true);
    expect(moveOf(wide, 0, "End")).toEqual(focus(child(ROOT, 9_999)));
  });

  it("open those nearby with * from a sibling without child groups, too", () => {
    const many = Array.from({ length: 1_000 }, (_, index) => [child(ROOT, index), `team-${index}`] as const);
    const wide = rowsWith(
      [ROOT],
      new Map([
        [TOP, level([[ROOT, "Acme"]])],
        [ROOT, level(many)],
      ]),
      (uid) => uid === child(ROOT, 500),
    );
    const move = moveOf(wide, 501, "*");
    expect(move?.type === "expand" && [move.uids.at(0), move.uids.at(-1)]).toEqual([
      child(ROOT, 400),
      child(ROOT, 600),
    ]);
  });

  it("are ignored by the tree otherwise", () => {
    expect(moveOf(rows, 0, "Tab")).toBeUndefined();
    expect(moveOf(rows, -1, "ArrowDown")).toBeUndefined();
  });
});

describe("typing", () => {
  it("finds the next loaded name, around the end, whatever the case", () => {
    expect(typeAhead(rows, at(ROOT), "p")).toEqual(focus(PLATFORM));
    expect(typeAhead(rows, at(OTHER), "A")).toEqual(focus(ROOT));
    expect(typeAhead(rows, at(ROOT), "ru")).toEqual(focus(RUNTIME));
    expect(typeAhead(rows, at(ROOT), "zz")).toBeUndefined();
  });

  it("stays on a row that fits what was typed so far, and walks on with one letter repeated", () => {
    expect(typeAhead(rows, at(APPS), "ap")).toEqual(focus(APPS));
    expect(typeAhead(rows, at(ROOT), "a")).toEqual(focus(APPS));
    expect(typeAhead(rows, at(APPS), "aa")).toEqual(focus(ROOT));
  });
});

describe("the focus", () => {
  it("stays where it is while its row is there", () => {
    expect(keepActive(rows, rowsWith([ROOT]), APPS)).toBe(APPS);
  });

  it("goes to the nearest group above when a collapse takes its row", () => {
    expect(keepActive(rows, rowsWith([ROOT]), RUNTIME)).toBe(PLATFORM);
    expect(keepActive(rows, rowsWith([]), RUNTIME)).toBe(ROOT);
  });

  it("goes to the first new group when the row for more is replaced", () => {
    const more = rows.find(({ kind }) => kind === "more")?.key;
    const next = child(PLATFORM, 2);
    const loaded = new Map(LEVELS).set(
      PLATFORM,
      level([
        [RUNTIME, "runtime"],
        [next, "tools"],
      ]),
    );
    expect(keepActive(rows, rowsWith([ROOT, PLATFORM], loaded), more)).toBe(next);
  });

  it("moves to a focusable row", () => {
    expect(
      keepActive(rows, rowsWith([ROOT], new Map([[TOP, LEVELS.get(TOP) as Level]])), "gone"),
    ).toBeUndefined();
    const onlyOther = new Map([[TOP, level([[OTHER, "Other"]])]]);
    expect(keepActive(rows, rowsWith([], onlyOther), ROOT)).toBe(OTHER);
  });
});
