import { expect, it } from "vitest";

import { lane } from "./lane";

/** Work that ends when it is told to. */
function held(log: string[], name: string) {
  let end = (): void => undefined;
  const done = new Promise<void>((resolve) => (end = resolve));
  const work = async () => {
    log.push(name);
    await done;
    return name;
  };
  return { work, end };
}

const settle = () => new Promise((resolve) => setTimeout(resolve));

it("lets so many run at once, the others in the order in which they came", async () => {
  const log: string[] = [];
  const run = lane(2);
  const { signal } = new AbortController();
  const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => held(log, name)) as ReturnType<typeof held>[];
  const all = [a, b, c, d].map((each) => run(each?.work ?? (async () => ""), signal));
  await settle();
  expect(log).toEqual(["a", "b"]);
  a?.end();
  await settle();
  expect(log).toEqual(["a", "b", "c"]);
  for (const each of [b, c, d]) each?.end();
  expect(await Promise.all(all)).toEqual(["a", "b", "c", "d"]);
});

it("goes on after a failure, and forgets whose signal ended", async () => {
  const log: string[] = [];
  const run = lane(1);
  const first = held(log, "first");
  const leaving = new AbortController();
  const stay = new AbortController().signal;
  const running = run(first.work, stay);
  const left = run(async () => log.push("left"), leaving.signal);
  const failing = run(() => Promise.reject(new Error("no")), stay);
  leaving.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  first.end();
  await running;
  await expect(failing).rejects.toThrow("no");
  await expect(run(async () => "after", leaving.signal)).rejects.toThrow("gone");
  expect(await run(async () => "last", stay)).toBe("last");
  expect(log).toEqual(["first"]);
});
