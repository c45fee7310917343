import { describe, expect, it } from "vitest";

import { vanished } from "./vanished";

const rows = [..."abcdef"];
const gone = (now: string, begins: boolean, ends: boolean) =>
  vanished(rows, new Set(now), { begins, ends }).join("");

describe("vanished", () => {
  it("treats a row as deleted if it is missing between present ones", () => {
    expect(gone("abdf", false, false)).toBe("ce");
  });

  it("counts no row as deleted that can be on a page that is not loaded", () => {
    expect(gone("cd", false, false)).toBe("");
    expect(gone("xyz", false, false)).toBe("");
    expect(gone("xyz", true, false)).toBe("");
  });

  it("knows the ends of the list", () => {
    expect(gone("cd", true, false)).toBe("ab");
    expect(gone("cd", false, true)).toBe("ef");
    expect(gone("", true, true)).toBe("abcdef");
  });
});
