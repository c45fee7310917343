import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { placeOf, keepPlace } from "./lists";
import { createQueryClient } from "./query-client";
import { evictInactive } from "./evict-inactive";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function clientOf(kept: number): QueryClient {
  const client = new QueryClient();
  evictInactive(client.getQueryCache(), kept);
  return client;
}

/** What is left when the last rendered screen has settled. */
async function keysOf(client: QueryClient): Promise<unknown[]> {
  await vi.advanceTimersByTimeAsync(1_000);
  const queries = client.getQueryCache().getAll();
  return queries.map(({ queryKey }) => queryKey[0]);
}

const look = (client: QueryClient, key: string) =>
  new QueryObserver(client, { queryKey: [key], enabled: false }).subscribe(() => undefined);

it("evicts what was unused for longest", async () => {
  const client = clientOf(2);
  for (const key of ["a", "b", "c"]) client.setQueryData([key], key);
  expect(await keysOf(client)).toEqual(["b", "c"]);
  // Used again, and left: now the most recent.
  look(client, "b")();
  client.setQueryData(["d"], "d");
  expect(await keysOf(client)).toEqual(["b", "d"]);
});

it("keeps the data of the new screen when the previous one unmounts", async () => {
  const client = clientOf(1);
  client.setQueryData(["next"], "next");
  client.setQueryData(["before"], "before");
  const leave = look(client, "before");
  const next = new QueryObserver(client, { queryKey: ["next"], enabled: false });
  leave();
  next.subscribe(() => undefined);
  expect(await keysOf(client)).toEqual(["next", "before"]);
});

it("evicts prefetched rows first", async () => {
  const client = clientOf(2);
  client.setQueryData(["list"], "list");
  for (const key of ["a", "b", "c"]) look(client, key)();
  expect(await keysOf(client)).toEqual(["list", "c"]);
});

it("keeps queries that are shown or in flight", async () => {
  const client = clientOf(1);
  client.setQueryData(["shown"], "shown");
  look(client, "shown");
  const queryFn = () => new Promise<string>(() => undefined);
  void client.prefetchQuery({ queryKey: ["asked"], queryFn });
  for (const key of ["a", "b"]) client.setQueryData([key], key);
  expect(await keysOf(client)).toEqual(["shown", "asked"]);
});

it("is in effect for the console, which keeps the answers of several screens, but not of all", async () => {
  const client = createQueryClient();
  const keys = Array.from({ length: 2_000 }, (_, key) => key);
  for (const key of keys) client.setQueryData([key], key);
  const left = await keysOf(client);
  // The last ones, in order: more than the ten or so of one screen.
  expect(left).toEqual(keys.slice(-left.length));
  expect(left.length).toBeGreaterThan(50);
  expect(left.length).toBeLessThan(1_000);
});

it("forgets the place in a list with the list, not before", async () => {
  const client = clientOf(2);
  const queryKey = ["groups", "list", {}];
  client.setQueryData(queryKey, { pages: [], pageParams: [] });
  keepPlace(client, { queryKey }, 7);
  client.setQueryData(["a"], "a");
  expect(await keysOf(client)).toEqual(["groups", "a"]);
  expect(placeOf(client, queryKey)).toBe(7);
  client.setQueryData(["b"], "b");
  expect(await keysOf(client)).toEqual(["a", "b"]);
  expect(placeOf(client, queryKey)).toBe(0);
});
