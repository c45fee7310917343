import { expect, it } from "vitest";

import { ancestorsWithNames, readKnown, unknownAbove } from "./ancestors";

const root = "a".repeat(40);
const folder = `${root}/${"b".repeat(16)}`;
const hidden = `${root}/${"c".repeat(16)}`;
const leaf = `${folder}/${"d".repeat(16)}`;

const cached = [
  [["groups", "list", { "uidp.in_root": true }], { pages: [{ items: [{ uid: root, name: "Acme" }] }] }],
  [["groups", "get", folder], { uid: folder, name: "platform" }],
  [["groups", "list", { "uidp.ids": [hidden] }], { pages: [{ items: [] }] }],
  [["groups", "list", { "uidp.ids": ["still loading"] }], undefined],
] as const;

it("finds names in all cached responses", () => {
  const { names, asked } = readKnown(cached);
  expect(ancestorsWithNames(leaf, names)).toEqual([
    { uid: root, name: "Acme" },
    { uid: folder, name: "platform" },
  ]);
  expect([...asked]).toEqual([hidden]);
});

it("requests unknown names once", () => {
  expect(unknownAbove([leaf, `${hidden}/${"e".repeat(16)}`], { names: new Map(), asked: new Set() })).toEqual(
    [root, folder, hidden],
  );
  expect(unknownAbove([leaf, `${hidden}/${"e".repeat(16)}`], readKnown(cached))).toEqual([]);
});

it("has no folder for an organization, and no name for hidden groups", () => {
  expect(ancestorsWithNames(root, new Map())).toEqual([]);
  expect(ancestorsWithNames(folder, new Map())).toEqual([{ uid: root, name: undefined }]);
});
