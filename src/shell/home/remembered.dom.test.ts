import { renderHook } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";

import { setPreferenceOwner } from "~/ui/preferences";

import type { CheckOutcome } from "./attention-lines";
import { remember, useRemembered } from "./remembered";

const found = (at: number, count = 1): CheckOutcome => ({
  at,
  read: 10,
  total: 10,
  complete: true,
  parts: [{ count, search: { deprecated: "yes" } }],
});
const shown = (group: string | undefined) => renderHook(() => useRemembered(group)).result.current;

beforeEach(() => {
  localStorage.clear();
  setPreferenceOwner("ada");
});

it("remembers what each scope's last checks found, for this person alone", () => {
  remember("g1", "deprecated", found(1, 7));
  remember("g1", "unused", found(2));
  remember(undefined, "deprecated", found(3, 9));
  expect(shown("g1")).toEqual({ deprecated: found(1, 7), unused: found(2) });
  expect(shown(undefined)).toEqual({ deprecated: found(3, 9) });
  expect(shown("g2")).toEqual({});
  setPreferenceOwner("bob");
  expect(shown("g1")).toEqual({});
  setPreferenceOwner("ada");
  expect(shown("g1").deprecated).toEqual(found(1, 7));
});

it("evicts the scopes that were checked longest ago", () => {
  for (let index = 0; index < 15; index += 1) remember(`g${index}`, "deprecated", found(index));
  expect(shown("g2")).toEqual({});
  expect(shown("g3").deprecated?.at).toBe(3);
});

it("ignores stored values that are no result", () => {
  for (const text of ["", "nonsense", "[]", '{"g1":{"deprecated":{"at":"yesterday"}}}']) {
    localStorage.setItem("pc.attention ada", text);
    setPreferenceOwner("ada");
    expect(shown("g1"), text).toEqual({});
  }
});
