import { expect, test } from "vitest";

import { durationWords, standingOf, termsOf } from "./data";

const at = (seconds: number): string => new Date(1_000 * seconds).toISOString();
const active = { state: "ACTIVATION_STATE_ACTIVE", endTime: at(10) };

test("says how long and what it takes", () => {
  expect(durationWords("3600s")).toBe("1 hour");
  expect(durationWords("5400s")).toBe("90 minutes");
  expect(termsOf({ uid: "a", maxDuration: "14400s" })).toBe("up to 4 hours at a time");
  expect(termsOf({ uid: "a", maxDuration: "3600s", requireApproval: true, requireSecondFactor: true })).toBe(
    "up to 1 hour at a time, with approval and a second factor",
  );
});

test("is over at its end, whatever was read before", () => {
  expect(standingOf({ uid: "a" }, 0)).toBe("off");
  expect(standingOf({ uid: "a", activation: active }, 9_999)).toBe("on");
  expect(standingOf({ uid: "a", activation: active }, 10_000)).toBe("off");
  expect(standingOf({ uid: "a", activation: active, expirationTime: at(10) }, 10_000)).toBe("ended");
  expect(standingOf({ uid: "a", activation: { state: "ACTIVATION_STATE_WAITING" } }, 0)).toBe("waiting");
  expect(standingOf({ uid: "a", activation: { state: "ACTIVATION_STATE_OTHER" } }, 0)).toBe("off");
});
