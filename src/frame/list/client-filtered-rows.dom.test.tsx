import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";

import { hideUids } from "~/api/mutations/hidden";
import type { Found, Scan } from "~/api/paging/scan";

import { ClientFilteredRows } from "./client-filtered-rows";

afterEach(() => {
  cleanup();
  hideUids([]);
});

const ROWS = ["a", "b", "c"].map((uid) => ({ uid }));
const FOUND: Found<{ uid: string }> = {
  state: "done",
  rows: ROWS,
  read: 40,
  total: 40,
  outdated: false,
  error: null,
  old: false,
  begunAt: 0,
  readAt: 1,
};
const nothing = () => undefined;
const scan: Scan<{ uid: string }> = {
  get: () => FOUND,
  subscribe: () => nothing,
  run: async () => undefined,
  stop: nothing,
  restart: nothing,
  put: nothing,
  drop: nothing,
  outdate: nothing,
};

test("the count above a list leaves out what is being deleted, as the list does", () => {
  render(
    <ClientFilteredRows scan={scan} step={undefined} what="tags" one="tag" emptyState={null}>
      {() => null}
    </ClientFilteredRows>,
  );
  expect(screen.getByText("3 of 40 tags")).toBeTruthy();
  act(() => hideUids(["b"]));
  expect(screen.getByText("2 of 40 tags")).toBeTruthy();
});
