import { expect, test } from "vitest";

import { Store } from "./store";

test("tells its listeners of each value until they leave", () => {
  const store = new Store(() => 0);
  const seen: number[] = [];
  const leave = store.subscribe(() => seen.push(store.get()));
  store.set(1);
  store.set(1);
  leave();
  store.set(2);
  expect([seen, store.get()]).toEqual([[1, 1], 2]);
});

test("makes its first value when it is needed, and another one at a reset", () => {
  let made = 0;
  const store = new Store(() => (made += 1));
  expect(made).toBe(0);
  expect([store.get(), store.get(), made]).toEqual([1, 1, 1]);
  store.set(10);
  store.reset();
  expect(store.get()).toBe(2);
});
