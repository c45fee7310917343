import { expect, it } from "vitest";

import { pin } from "./pins";
import { TOP } from "./rows";

const ROOT = "a".repeat(40);
const A = `${ROOT}/${"1".repeat(16)}`;
const B = `${A}/${"2".repeat(16)}`;
const C = `${B}/${"3".repeat(16)}`;
const node = (uid: string) => ({ uid, name: uid.slice(-4) });
const uids = (nodes: readonly { uid: string }[] | undefined) => nodes?.map(({ uid }) => uid);

it("pins each group on the way below its parent", () => {
  const { pinned, distant } = pin([node(ROOT), node(A), node(B)], [], [ROOT]);
  expect(uids(pinned.get(TOP))).toEqual([ROOT]);
  expect(uids(pinned.get(ROOT))).toEqual([A]);
  expect(uids(pinned.get(A))).toEqual([B]);
  expect(distant).toEqual([]);
});

it("makes the topmost readable group of a way a root of its own", () => {
  const { pinned, distant } = pin([node(B), node(C)], [], []);
  expect(uids(distant)).toEqual([B]);
  expect(uids(pinned.get(B))).toEqual([C]);
  expect(pinned.has(A)).toBe(false);
});

it("shows a folder once, below the highest group that is known", () => {
  expect(uids(pin([node(B)], [node(A)], []).distant)).toEqual([A]);
  expect(uids(pin([node(A), node(B)], [node(B), node(A)], []).distant)).toEqual([A]);
  expect(pin([], [node(B)], [ROOT]).distant).toEqual([]);
  expect(pin([node(ROOT)], [node(B)], []).distant).toEqual([]);
});
