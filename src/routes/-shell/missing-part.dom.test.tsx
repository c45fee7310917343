import { MantineProvider } from "@mantine/core";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";

import { GONE_IN } from "~/kit/missing-part";
import { stubBrowser } from "~/kit/testing/render";

import { MissingPart } from "./missing-part";

beforeAll(stubBrowser);
beforeEach(() => {
  vi.useFakeTimers();
  // jsdom only remarks that it cannot load pages.
  vi.spyOn(console, "error").mockReturnValue();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it("shows nothing while the page goes, and what is wrong to somebody who was asked and stayed", async () => {
  document.head.innerHTML = '<script type="module" src="./assets/index-one.js"></script>';
  const deployed = '<!doctype html><script type="module" src="./assets/index-two.js"></script>';
  vi.stubGlobal("fetch", async () => new Response(deployed));
  render(
    <MantineProvider>
      <MissingPart details="groups.js" />
    </MantineProvider>,
  );
  await act(() => vi.advanceTimersByTimeAsync(GONE_IN - 1));
  expect(screen.queryByRole("heading")).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(screen.getByRole("heading").textContent).toBe("The console could not be loaded completely");
  expect(screen.getByRole("button", { name: "Reload" })).toBeDefined();
});
