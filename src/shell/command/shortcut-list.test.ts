import { expect, it } from "vitest";

import { DOMAINS } from "../screens";
import { ON_PAGES, ON_ROWS, PLACES } from "./shortcut-list";

it("leads to every list by a letter of its own, which no other shortcut takes", () => {
  const lists = DOMAINS.flatMap(({ screens }) => screens).map(({ to }) => to);
  expect(PLACES.map(({ to }) => to)).toEqual(["/", ...lists]);
  const letters = PLACES.map(({ keys }) => keys[0]?.split(" ")[1] ?? "");
  expect(new Set(letters).size).toBe(letters.length);
  const single = [...Object.values(ON_PAGES), ...ON_ROWS].flatMap(({ keys }): readonly string[] => keys);
  expect(letters.filter((letter) => single.includes(letter))).toEqual([]);
});
