import { expect, it } from "vitest";

import { limiter } from "./limiter";

it("limits concurrency, and skips work whose signal was aborted", async () => {
  const log: string[] = [];
  const run = limiter(1);
  const leaving = new AbortController();
  const stay = new AbortController().signal;
  let end = (): void => undefined;
  const first = run(async () => {
    log.push("first");
    await new Promise<void>((resolve) => (end = resolve));
  }, stay);
  const left = run(async () => log.push("left"), leaving.signal);
  const failing = run(() => Promise.reject(new Error("no")), stay);
  const last = run(async () => log.push("last"), stay);
  await new Promise((resolve) => setTimeout(resolve));
  expect(log).toEqual(["first"]);
  leaving.abort(new Error("gone"));
  end();
  await first;
  await expect(left).rejects.toThrow("gone");
  await expect(failing).rejects.toThrow("no");
  await last;
  expect(log).toEqual(["first", "last"]);
});
