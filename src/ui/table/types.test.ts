import { expect, it } from "vitest";

import { nextOrder, readOrder } from "./types";

it("turns the order of a sorted column, and begins another as the column asks", () => {
  const name = { sortField: "name" };
  const created = { sortField: "created_at", sortFirst: "desc" } as const;
  expect(nextOrder(undefined, name)).toBe("name");
  expect(nextOrder("name", name)).toBe("name desc");
  expect(nextOrder("name desc", name)).toBe("name");
  expect(nextOrder("name desc", created)).toBe("created_at desc");
  expect(nextOrder("created_at desc", created)).toBe("created_at");
});

it("reads an order as the API writes it", () => {
  expect(readOrder("created_at desc")).toEqual({ field: "created_at", descending: true });
  expect(readOrder("name asc")).toEqual({ field: "name", descending: false });
  expect(readOrder(undefined)).toBeUndefined();
});
