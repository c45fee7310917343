import { beforeEach, expect, it, vi } from "vitest";

import { openExpansion } from "./expansion";

beforeEach(() => sessionStorage.clear());

it("remembers open groups across reloads, each person's own", () => {
  const before = openExpansion("issuer ada", sessionStorage);
  before.change(["a", "b"], true);
  before.change(["a"], false);
  expect([...openExpansion("issuer ada", sessionStorage).get()]).toEqual(["b"]);
  expect([...openExpansion("issuer bob", sessionStorage).get()]).toEqual([]);
});

it("tells listeners of changes, and of nothing else", () => {
  const expansion = openExpansion("issuer ada", sessionStorage);
  const listener = vi.fn();
  const stop = expansion.subscribe(listener);
  expansion.change(["a"], true);
  expansion.change(["a"], true);
  stop();
  expansion.change(["b"], true);
  expect(listener).toHaveBeenCalledTimes(1);
});

it("keeps the latest five hundred", () => {
  const expansion = openExpansion("issuer ada", sessionStorage);
  expansion.change(
    Array.from({ length: 700 }, (_, index) => `uid-${index}`),
    true,
  );
  const kept = [...openExpansion("issuer ada", sessionStorage).get()];
  expect(kept).toHaveLength(500);
  expect(kept.at(-1)).toBe("uid-699");
});

it("works without a usable storage", () => {
  sessionStorage.setItem("platform-console:tree:issuer ada", "{not json");
  const expansion = openExpansion("issuer ada", sessionStorage);
  const full = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  expansion.change(["a"], true);
  expect(expansion.get().has("a")).toBe(true);
  full.mockRestore();
});
