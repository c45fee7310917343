import { expect, it } from "vitest";

import { placeTip } from "./tooltip-behaviour";

const view = { width: 1000, height: 500 };
const tip = { width: 200, height: 30 };
const anchor = (left: number, top: number) => ({ left, top, bottom: top + 20, width: 100 });

it("stands centred above its anchor", () => {
  expect(placeTip(anchor(400, 200), tip, view)).toEqual({ left: 350, top: 164 });
});

it("goes below where there is no room above", () => {
  expect(placeTip(anchor(400, 10), tip, view)).toEqual({ left: 350, top: 36 });
});

it("stays inside the window", () => {
  expect(placeTip(anchor(0, 200), tip, view).left).toBe(8);
  expect(placeTip(anchor(950, 200), tip, view).left).toBe(792);
});
