import { expect, it } from "vitest";

import { affectedItems, MOST_ASKED } from "./links";

it("gives an id alone its own address, and the version of the form to what has none", () => {
  const search = (items: Parameters<typeof affectedItems>[0], version?: string) =>
    affectedItems(items, version).search;
  expect(search([{ id: "CVE-2026-1" }], "1.0")).toEqual({ id: "CVE-2026-1", version: "1.0" });
  expect(search([{ word: "openssl" }], "1.0")).toEqual({ ask: "openssl@1.0" });
  expect(search([{ name: "openssl", version: "2.0" }], "1.0")).toEqual({ ask: "openssl@2.0" });
  expect(search([{ image: "acme/web:1" }], "1.0")).toEqual({ ask: "image:acme/web:1" });
  expect(search([{ word: "a" }, { word: "b" }], "1.0")).toEqual({ ask: "a b" });
});

it("says how many there are if an address has no room for all", () => {
  const items = Array.from({ length: 300 }, (_, index) => ({ id: `CVE-2026-${index}` }));
  const { search } = affectedItems(items);
  expect(search).toMatchObject({ of: "300" });
  expect("ask" in search ? search.ask.split(" ") : []).toHaveLength(MOST_ASKED);
  const long = affectedItems(items.map(() => ({ word: "a".repeat(400) }))).search;
  expect("ask" in long ? long.ask.length : 0).toBeLessThan(6_000);
});
