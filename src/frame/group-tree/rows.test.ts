import { describe, expect, it } from "vitest";

import {
  buildRows,
  TOP,
  type Level,
  type NodeRow,
  type AnyTreeRow,
  type TreeNode,
  type TreeState,
} from "./rows";

const ROOT = "a".repeat(40);
const child = (parent: string, index: number) => `${parent}/${index.toString(16).padStart(16, "0")}`;
const node = (uid: string, name: string): TreeNode => ({ uid, name });

const level = (nodes: readonly TreeNode[], rest: Partial<Level> = {}): Level => ({
  nodes,
  total: nodes.length,
  more: false,
  state: "ready",
  ...rest,
});

const state = (rest: Partial<TreeState>): TreeState => ({
  levels: new Map(),
  expanded: new Set(),
  pinned: new Map(),
  distant: [],
  ...rest,
});

/** One line per row: indentation, kind, name, and position in set. */
const drawn = (rows: readonly AnyTreeRow[]): string[] =>
  rows.map((row) => {
    const indent = " ".repeat(row.depth - 1);
    if (row.kind !== "node") return `${indent}(${row.kind})`;
    const mark = row.expandable ? (row.expanded ? "v" : ">") : "-";
    return `${indent}${mark} ${row.node.name} ${row.position ?? "?"}/${row.setSize ?? "?"}`;
  });

const acme = node(ROOT, "Acme");
const apps = node(child(ROOT, 1), "apps");
const platform = node(child(ROOT, 2), "platform");
const zeta = node(child(ROOT, 3), "zeta");

describe("visible rows", () => {
  it("hold the children of expanded groups only, each with an expander until its level proves empty", () => {
    const levels = new Map([
      [TOP, level([acme])],
      [ROOT, level([apps, platform])],
      [apps.uid, level([])],
      [platform.uid, level([node(child(platform.uid, 1), "hidden")])],
    ]);
    expect(drawn(buildRows(state({ levels, expanded: new Set([ROOT, apps.uid]) })))).toEqual([
      "v Acme 1/1",
      " - apps 1/2",
      " > platform 2/2",
    ]);
  });

  it("hold one loading row for an expanded group whose children have not arrived", () => {
    const levels = new Map([
      [TOP, level([acme])],
      [ROOT, level([], { state: "loading" })],
    ]);
    expect(drawn(buildRows(state({ levels, expanded: new Set([ROOT]) })))).toEqual([
      "v Acme 1/1",
      " (loading)",
    ]);
    expect(drawn(buildRows(state({})))).toEqual(["(loading)"]);
  });

  it("hold a failed row, and below it the groups that are known anyway", () => {
    const levels = new Map([
      [TOP, level([acme])],
      [ROOT, level([], { state: "failed", total: undefined })],
    ]);
    const pinned = new Map([[ROOT, [zeta]]]);
    expect(drawn(buildRows(state({ levels, pinned, expanded: new Set([ROOT]) })))).toEqual([
      "v Acme 1/1",
      " > zeta ?/?",
      " (failed)",
    ]);
  });

  it("say nothing of sizes that a server does not count", () => {
    const levels = new Map([[TOP, level([acme], { total: undefined, more: true })]]);
    expect(drawn(buildRows(state({ levels })))).toEqual(["> Acme 1/?", "(more)"]);
  });
});

describe("a group outside the loaded pages", () => {
  const firstPage = { total: 10_000, more: true } as const;
  const base = { expanded: new Set([ROOT]), pinned: new Map([[ROOT, [platform]]]) };
  const withChildren = (children: Level) =>
    state({
      ...base,
      levels: new Map([
        [TOP, level([acme])],
        [ROOT, children],
      ]),
    });

  it("stands between two rows for more, in an unknown place", () => {
    const rows = buildRows(withChildren(level([apps], firstPage)));
    expect(drawn(rows)).toEqual([
      "v Acme 1/1",
      " > apps 1/10000",
      " (more)",
      " > platform ?/10000",
      " (more)",
    ]);
    // Loading on scroll would push it out of view for as long as there are more pages.
    expect(rows.map((row) => row.kind === "more" && row.auto)).not.toContain(true);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
  });

  it("merges when its page arrives", () => {
    expect(drawn(buildRows(withChildren(level([apps, platform, zeta], firstPage))))).toEqual([
      "v Acme 1/1",
      " > apps 1/10000",
      " > platform 2/10000",
      " > zeta 3/10000",
      " (more)",
    ]);
  });

  it("stands among the loaded rows when the order puts it there", () => {
    expect(drawn(buildRows(withChildren(level([apps, zeta], firstPage))))).toEqual([
      "v Acme 1/1",
      " > apps 1/10000",
      " > platform ?/10000",
      " > zeta 2/10000",
      " (more)",
    ]);
  });

  it("stands at its place when there is no further page, and keeps its parent's expander", () => {
    expect(drawn(buildRows(withChildren(level([]))))).toEqual(["v Acme 1/1", " > platform ?/0"]);
  });
});

describe("topmost folders of unreadable organizations", () => {
  it("follow the organizations, by name, counted with them", () => {
    const far = (name: string) => node(`${name.repeat(40)}/${"1".repeat(16)}`, name);
    const levels = new Map([[TOP, level([acme])]]);
    expect(drawn(buildRows(state({ levels, distant: [far("d"), far("c")] })))).toEqual([
      "> Acme 1/3",
      "> c 2/3",
      "> d 3/3",
    ]);
  });
});

describe("large trees", () => {
  it("take ten thousand siblings", () => {
    const many = Array.from({ length: 10_000 }, (_, index) => node(child(ROOT, index), `team-${index}`));
    const levels = new Map([
      [TOP, level([acme])],
      [ROOT, level(many)],
    ]);
    const rows = buildRows(state({ levels, expanded: new Set([ROOT]) }));
    expect(rows).toHaveLength(10_001);
    expect((rows.at(-1) as NodeRow).position).toBe(10_000);
  });

  it("take a path of thirty-two", () => {
    const levels = new Map([[TOP, level([acme])]]);
    const expanded = new Set<string>();
    let uid = ROOT;
    for (let depth = 2; depth <= 32; depth += 1) {
      const below = child(uid, depth);
      levels.set(uid, level([node(below, `level ${depth}`)]));
      expanded.add(uid);
      uid = below;
    }
    const rows = buildRows(state({ levels, expanded }));
    expect(rows.map(({ depth }) => depth)).toEqual(Array.from({ length: 32 }, (_, index) => index + 1));
    expect(rows.at(-1)?.key).toBe(uid);
  });
});
