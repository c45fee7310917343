import { expect, test } from "vitest";

import { SinkHealth } from "./sink-health";

const many = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix} ${index}`);
const answers = (health: SinkHealth, uid: string, succeeded: boolean, time = 0) =>
  health.take(uid)(succeeded, time);
const total = (rooms: Map<string, number>) => [...rooms.values()].reduce((sum, room) => sum + room, 0);

test("a sink that nobody knows gets one request, one that works eight", () => {
  const health = new SinkHealth();
  expect(health.rooms(["a"], 0)).toEqual(new Map([["a", 1]]));
  const release = health.take("a");
  expect(health.rooms(["a"], 0).size).toBe(0);
  release(true, 0);
  expect(health.rooms(["a"], 0)).toEqual(new Map([["a", 8]]));
  answers(health, "a", false);
  expect(health.rooms(["a"], 0)).toEqual(new Map([["a", 8]]));
});

test("five failures in a row are told once and end that; it rests longer each time, and one success makes it good", () => {
  const health = new SinkHealth();
  answers(health, "a", true);
  expect(Array.from({ length: 7 }, () => answers(health, "a", false))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    "fails",
    undefined,
    undefined,
  ]);
  const long = health.restsUntil("a");
  expect(long).toBeGreaterThan(10_000);
  expect(health.rooms(["a"], long - 1).size).toBe(0);
  expect(health.rooms(["a"], long)).toEqual(new Map([["a", 1]]));
  for (let failure = 0; failure < 50; failure += 1) answers(health, "a", false);
  expect(health.restsUntil("a")).toBeLessThanOrEqual(60_000);
  expect(answers(health, "a", true)).toBe("works");
  expect(health.rooms(["a"], 0)).toEqual(new Map([["a", 8]]));
});

test("a thousand dead sinks leave those that work their room; nobody comes first for ever", () => {
  const health = new SinkHealth();
  for (const uid of many("good", 10)) answers(health, uid, true);
  const dead = many("dead", 1_000);
  const first = health.rooms(dead, 0);
  expect([first.size, total(first)]).toEqual([16, 16]);
  for (const uid of first.keys()) health.take(uid);
  expect(health.rooms(dead, 0).size).toBe(0);
  expect(total(health.rooms([...dead, ...many("good", 10)], 0))).toBe(48);
  const served = new Set<string>();
  for (let round = 0; round < 200; round += 1)
    for (const uid of new SinkHealth().rooms(dead, 0).keys()) served.add(uid);
  expect(served.size).toBeGreaterThan(500);
});
