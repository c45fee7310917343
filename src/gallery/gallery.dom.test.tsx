import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";

import { renderInApp, stubBrowser } from "~/ui/testing/render";

import { Gallery } from "./gallery";

beforeAll(stubBrowser);
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it("shows a family of parts for each kind of page, and causes no console error", async () => {
  const error = vi.spyOn(console, "error");
  await renderInApp(<Gallery />);
  const index = within(screen.getByRole("navigation", { name: "Parts" }));
  const families = index.getAllByRole("link").map(({ textContent }) => textContent);
  expect(families).toHaveLength(10);
  for (const family of families) expect(screen.getByRole("region", { name: family })).toBeTruthy();
  expect(screen.getAllByText("Use 3 to 63 characters").length).toBeGreaterThan(5);
  expect(error.mock.calls).toEqual([]);
  // Every part there is, in one page: seconds on a busy machine.
});
