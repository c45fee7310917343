import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, screen } from "@testing-library/react";
import { StrictMode } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { onDemand } from "../on-demand";
import { AfterLoad } from "./after-load";

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it("appears once the code of what is above it has loaded", async () => {
  let arrive: (part: () => string) => void = () => undefined;
  const Readme = onDemand(() => new Promise<() => string>((resolve) => (arrive = resolve)));
  render(
    <StrictMode>
      <QueryClientProvider client={new QueryClient()}>
        <Readme />
        <AfterLoad>History</AfterLoad>
      </QueryClientProvider>
    </StrictMode>,
  );
  const isWaiting = () => screen.getByText("History").className !== "";
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(isWaiting()).toBe(true);
  await act(async () => arrive(() => "Readme"));
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(isWaiting()).toBe(false);
});
