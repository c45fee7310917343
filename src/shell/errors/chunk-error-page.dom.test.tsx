import { MantineProvider } from "@mantine/core";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";

import { UNLOAD_TIMEOUT_MS } from "~/ui/feedback/chunk-error";
import { stubBrowser } from "~/ui/testing/render";

import { ChunkErrorPage } from "./chunk-error-page";

beforeAll(stubBrowser);
beforeEach(() => {
  vi.useFakeTimers();
  // jsdom only logs that it cannot load pages.
  vi.spyOn(console, "error").mockReturnValue();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const DEPLOYED = '<!doctype html><script type="module" src="./assets/index-two.js"></script>';

function show() {
  document.head.innerHTML = '<script type="module" src="./assets/index-one.js"></script>';
  return render(
    <MantineProvider>
      <ChunkErrorPage details="groups.js" />
    </MantineProvider>,
  );
}

it("shows nothing during the reload, and the error if the user stays", async () => {
  vi.stubGlobal("fetch", async () => new Response(DEPLOYED));
  show();
  await act(() => vi.advanceTimersByTimeAsync(UNLOAD_TIMEOUT_MS - 1));
  expect(screen.queryByRole("heading")).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(screen.getByRole("heading").textContent).toBe("Part of the console couldn't be loaded");
  expect(screen.getByRole("button", { name: "Reload" })).toBeDefined();
});

it("stops polling after a navigation", async () => {
  let arrive: (answer: Response) => void = () => undefined;
  const asked = vi.fn(() => new Promise<Response>((resolve) => (arrive = resolve)));
  vi.stubGlobal("fetch", asked);
  const { unmount } = show();
  unmount();
  arrive(new Response(DEPLOYED));
  await vi.advanceTimersByTimeAsync(2 * UNLOAD_TIMEOUT_MS);
  expect(asked).toHaveBeenCalledOnce();
});
