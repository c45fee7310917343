import { expect, it } from "vitest";

import { DOMAINS } from "../screens";
import { LETTERS, ON_PAGES, ON_ROWS, PLACES } from "./shortcut-list";

it("leads to a list by a letter of its own, which no other shortcut takes", () => {
  const lists = DOMAINS.flatMap(({ screens }) => screens).map(({ to }) => to);
  expect(["/", ...lists]).toEqual(expect.arrayContaining(PLACES.map(({ to }) => to)));
  // The alphabet is nearly used up: a list that comes later is in the palette only.
  expect(PLACES).toHaveLength(1 + Object.keys(LETTERS).length);
  const letters = PLACES.map(({ keys }) => keys[0]?.split(" ")[1] ?? "");
  expect(new Set(letters).size).toBe(letters.length);
  const single = [...Object.values(ON_PAGES), ...ON_ROWS].flatMap(({ keys }): readonly string[] => keys);
  expect(letters.filter((letter) => single.includes(letter))).toEqual([]);
});
