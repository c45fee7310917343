import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { lastSize, measureFrame, noteSize } from "./last-size";

const resize = (width: number, height: number) =>
  vi.stubGlobal("innerWidth", width) && vi.stubGlobal("innerHeight", height);

beforeEach(() => {
  localStorage.clear();
  resize(1280, 800);
  vi.stubGlobal("getComputedStyle", () => ({ width: "1014px", height: "742px" }));
});
afterEach(() => vi.unstubAllGlobals());

it("has the room in the frame of the page until a list was on screen, for a window of the same size", () => {
  expect(lastSize()).toBeUndefined();
  measureFrame(document.body);
  expect(lastSize()).toEqual({ width: 1014, height: 572 });
  noteSize({ width: 1014, height: 575 });
  expect(lastSize()).toEqual({ width: 1014, height: 575 });
  resize(1280, 700);
  expect(lastSize()).toBeUndefined();
});
