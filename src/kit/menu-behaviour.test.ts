import { expect, test } from "vitest";

import { placeMenu, stepTo } from "./menu-behaviour";

const view = { width: 1000, height: 800 };
const menu = { width: 200, height: 150 };

test("a menu opens under its button, above where there is no room, and never leaves the window", () => {
  expect(placeMenu({ right: 900, top: 100, bottom: 130 }, menu, view)).toEqual({ left: 700, top: 134 });
  expect(placeMenu({ right: 900, top: 700, bottom: 730 }, menu, view)).toEqual({ left: 700, top: 546 });
  expect(placeMenu({ right: 100, top: 100, bottom: 130 }, menu, view)).toEqual({ left: 8, top: 134 });
  expect(placeMenu({ right: 998, top: 100, bottom: 130 }, menu, view).left).toBe(792);
  // Neither below nor above: as far up as it takes to show its end.
  expect(placeMenu({ right: 900, top: 60, bottom: 90 }, menu, { width: 1000, height: 200 }).top).toBe(42);
});

test("arrows go round, a letter leads to the next item that begins with it", () => {
  const items = ["Edit", "Enable", "Delete"].map((textContent) => ({ textContent }));
  const press = (key: string, from = 0, more: object = {}) =>
    stepTo(items, { key, target: items[from], ctrlKey: false, altKey: false, metaKey: false, ...more })
      ?.textContent;
  expect(press("ArrowDown", 2)).toBe("Edit");
  expect(press("ArrowUp", 0)).toBe("Delete");
  expect(press("ArrowUp", 2)).toBe("Enable");
  expect(press("Home", 2)).toBe("Edit");
  expect(press("End")).toBe("Delete");
  expect(press("e")).toBe("Enable");
  expect(press("E", 1)).toBe("Edit");
  expect(press("x")).toBeUndefined();
  expect(press("Enter")).toBeUndefined();
  expect(press("d", 0, { ctrlKey: true })).toBeUndefined();
});
