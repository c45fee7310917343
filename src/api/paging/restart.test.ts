import { expect, it } from "vitest";

import { isRestart } from "./restart";

const rows = (from: number, to: number, make: (index: number) => object = () => ({})) =>
  Array.from({ length: to - from }, (_, index) => ({
    uid: (from + index).toString(16).padStart(16, "0"),
    ...make(from + index),
  }));
const page = (items: object[]) => ({ items });
const time = (index: number) => ({ createTime: new Date(index * 60_000).toISOString() });
const name = (index: number) => ({ name: `g${String(index).padStart(4, "0")}` });

it("is a page of which most is held already", () => {
  expect(isRestart(rows(0, 100), page(rows(0, 50)), undefined)).toBe(true);
  expect(isRestart(rows(0, 100), page(rows(80, 130)), undefined)).toBe(false);
  expect(isRestart(rows(0, 100), page(rows(70, 120)), undefined)).toBe(true);
});

it("is a page that does not follow the last row, also where nothing of it is held", () => {
  expect(isRestart(rows(300, 350), page(rows(0, 50)), "uid")).toBe(true);
  expect(isRestart(rows(300, 350), page(rows(350, 400)), "uid")).toBe(false);
  expect(isRestart(rows(300, 350).toReversed(), page(rows(900, 950).toReversed()), "uid desc")).toBe(true);
  expect(isRestart(rows(300, 350, time), page(rows(0, 50, time)), "created_at")).toBe(true);
  expect(isRestart(rows(300, 350, time), page(rows(350, 400, time)), "created_at")).toBe(false);
  expect(isRestart(rows(300, 350), page(rows(0, 50)), "created_at")).toBe(false);
});

it("is told by names where they are in an order that is known here", () => {
  expect(isRestart(rows(300, 350, name), page(rows(0, 50, name)), "name")).toBe(true);
  expect(isRestart(rows(300, 350, name), page(rows(350, 400, name)), "name")).toBe(false);
  // Some collation that nobody knows: says nothing.
  const odd = (index: number) => ({ name: `${(index * 7919) % 1000}` });
  expect(isRestart(rows(300, 350, odd), page(rows(0, 50, odd)), "name")).toBe(false);
  const mixed = (index: number) => ({ name: `${index % 2 ? "a" : "A"}${index + 1000}` });
  const { compare } = new Intl.Collator("en");
  const words = Array.from({ length: 50 }, (_, index) => mixed(index)).toSorted((a, b) =>
    compare(a.name, b.name),
  );
  const held = words.map((word, index) => ({ uid: `held-${index}`, ...word }));
  expect(isRestart(held, page([{ uid: "x", name: "0" }]), "name")).toBe(true);
  expect(isRestart(held, page([{ uid: "x", name: "b" }]), "name")).toBe(false);
});

it("is nothing where there is nothing to compare", () => {
  expect(isRestart([], page(rows(0, 5)), "uid")).toBe(false);
  expect(isRestart(rows(0, 5), page([]), "uid")).toBe(false);
});
