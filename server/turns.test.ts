import { expect, test, vi } from "vitest";

import { Failure } from "./status";
import { createBackgroundTurns, createTurns, type Share } from "./turns";

const SHARE: Share = { running: 2, waiting: 20, unsent: 6 };

/** Work that ends on command; `began` records the order in which it started. */
function scene(atOnce: number, share: Share = SHARE) {
  const turns = createTurns({ atOnce, share });
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const overs = new Map<string, AbortController>();
  const results = new Map<string, Promise<string>>();
  return {
    began,
    ask(caller: string, name: string) {
      const over = new AbortController();
      overs.set(name, over);
      const result = turns(caller, over.signal, () => {
        began.push(name);
        return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
      }).catch((error: unknown) => (error instanceof Failure ? error.name : String(error)));
      results.set(name, result);
    },
    async end(name: string, { sent = true } = {}) {
      ends.get(name)?.();
      if (sent) overs.get(name)?.abort();
      await settle();
    },
    leave: (name: string) => overs.get(name)?.abort(),
    result: (name: string) => results.get(name),
  };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test("two of one caller run, twenty wait, and the next is told to come again", async () => {
  const { ask, began, result, end } = scene(10);
  for (let index = 0; index < 23; index += 1) ask("one", `${index}`);
  await settle();
  expect(began).toEqual(["0", "1"]);
  expect(await result("22")).toBe("RESOURCE_EXHAUSTED");
  await end("1");
  expect(began).toEqual(["0", "1", "2"]);
  ask("one", "another");
  ask("one", "too many");
  expect(await result("too many")).toBe("RESOURCE_EXHAUSTED");
});

test("callers are served in turn, those who had none first", async () => {
  const { ask, began, end } = scene(1);
  for (const name of ["a1", "a2", "a3"]) ask("a", name);
  for (const name of ["b1", "b2"]) ask("b", name);
  await settle();
  await end("a1");
  expect(began).toEqual(["a1", "b1"]);
  ask("c", "c1");
  for (const name of ["b1", "c1", "a2", "b2"]) await end(name);
  expect(began).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
});

test("what nobody waits for any more is never begun", async () => {
  const { ask, began, leave, end, result } = scene(1);
  for (const name of ["first", "left", "last"]) ask("one", name);
  await settle();
  leave("left");
  expect(await result("left")).toBe("CANCELLED");
  await end("first");
  expect(began).toEqual(["first", "last"]);
});

test("answers that are not read hold back their own caller alone", async () => {
  const { ask, began, end, leave } = scene(10, { ...SHARE, unsent: 3 });
  for (const name of ["1", "2", "3", "4"]) ask("one", name);
  await settle();
  for (const name of ["1", "2", "3"]) await end(name, { sent: false });
  ask("other", "theirs");
  await settle();
  expect(began).toEqual(["1", "2", "3", "theirs"]);
  leave("2");
  await settle();
  expect(began).toEqual(["1", "2", "3", "theirs", "4"]);
});

test("what throws gives its turn back", async () => {
  const turns = createTurns({ atOnce: 1, share: SHARE });
  const { signal } = new AbortController();
  const bug = () => {
    throw new Error("a bug");
  };
  await expect(turns("one", signal, bug)).rejects.toThrow("a bug");
  await expect(turns("one", signal, () => Promise.resolve("fine"))).resolves.toBe("fine");
});

test("where one thing runs at once a long turn is followed by a rest, unless nobody else is there", async () => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout"] });
  try {
    const turns = createTurns({ atOnce: 1, share: SHARE, rests: "among others" });
    const begun: string[] = [];
    const ask = (caller: string, name: string) => {
      const over = new AbortController();
      const work = () => {
        begun.push(name);
        return new Promise<void>((resolve) => setTimeout(resolve, 100));
      };
      void turns(caller, over.signal, work).then(() => over.abort());
    };
    for (const name of ["a1", "a2", "a3", "a4"]) ask("a", name);
    await vi.advanceTimersByTimeAsync(1_450);
    // Without other callers there were no pauses.
    expect(begun).toEqual(["a1", "a2", "a3", "a4"]);
    for (const name of ["a5", "a6", "a7"]) ask("a", name);
    ask("b", "b1");
    await vi.advanceTimersByTimeAsync(205);
    expect(begun.slice(4)).toEqual(["a5", "b1", "a6"]);
    await vi.advanceTimersByTimeAsync(150);
    expect(begun.slice(7)).toEqual([]);
    await vi.advanceTimersByTimeAsync(60);
    expect(begun.slice(7)).toEqual(["a7"]);
  } finally {
    vi.useRealTimers();
  }
});

test("a caller with more waiting than a screen sends rests four times as long as its turn, among others", async () => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout"] });
  try {
    const turns = createTurns({ atOnce: 4, share: { ...SHARE, running: 1 } });
    const begun: string[] = [];
    const ask = (caller: string) => {
      const over = new AbortController();
      const work = () => {
        begun.push(caller);
        return new Promise<void>((resolve) => setTimeout(resolve, 10));
      };
      void turns(caller, over.signal, work).then(() => over.abort());
    };
    for (let index = 0; index < 20; index += 1) ask("crowd");
    ask("other");
    // Two turns in a hundred milliseconds, and not before the pause of the first is over.
    await vi.advanceTimersByTimeAsync(49);
    expect(begun).toEqual(["crowd", "other"]);
    await vi.advanceTimersByTimeAsync(50);
    expect(begun).toEqual(["crowd", "other", "crowd"]);
    // Alone again, it goes on without pauses.
    await vi.advanceTimersByTimeAsync(1_200);
    expect(begun).toHaveLength(21);
  } finally {
    vi.useRealTimers();
  }
});

test("an organization whose work hangs leaves places for those that come later, however many there are", async () => {
  const turns = createBackgroundTurns({ atOnce: 8, waiting: 100 });
  const began: string[] = [];
  const hang = (organization: string) =>
    void turns(organization, () => {
      began.push(organization);
      return new Promise(() => {});
    });
  const count = (organization: string) => began.filter((name) => name === organization).length;
  for (let index = 0; index < 20; index += 1) hang("one");
  await settle();
  expect(count("one")).toBe(4);
  for (let index = 0; index < 20; index += 1) hang("two");
  await settle();
  expect(count("two")).toBe(2);
  for (const late of ["three", "four"]) hang(late);
  await settle();
  expect(began.slice(6)).toEqual(["three", "four"]);
});

test("an organization with too much work is refused, and gets a place again when its work ends", async () => {
  const turns = createBackgroundTurns({ atOnce: 2, waiting: 1 });
  const ends: (() => void)[] = [];
  const work = () => new Promise<void>((resolve) => ends.push(resolve));
  const first = turns("one", work);
  const second = turns("one", work);
  await settle();
  await expect(turns("one", work)).rejects.toMatchObject({ name: "RESOURCE_EXHAUSTED" });
  ends[0]?.();
  await first;
  await settle();
  expect(ends).toHaveLength(2);
  ends[1]?.();
  await second;
  await expect(turns("one", () => Promise.reject(new Error("fails")))).rejects.toThrow("fails");
  await expect(turns("one", () => Promise.resolve("again"))).resolves.toBe("again");
});
