import { MantineProvider } from "@mantine/core";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, test, vi } from "vitest";

import { stubBrowser } from "../testing/render";
import { ScanLine } from "./scan-line";

beforeAll(stubBrowser);
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test("a scan that the service asks to wait says for how long, and goes on by itself", () => {
  vi.useFakeTimers({ now: 1_000_000 });
  const onResume = vi.fn();
  const error = Object.assign(new Error("Too many requests."), { retryAt: Date.now() + 20_000 });
  render(
    <MantineProvider env="test" withCssVariables={false} withGlobalClasses={false}>
      <ScanLine
        {...{ state: "failed", what: "tags", one: "tag", found: 3, read: 400, total: 1000 }}
        {...{ error, onResume, onStop: vi.fn(), onRestart: vi.fn() }}
      />
    </MantineProvider>,
  );
  const line = screen.getByRole("group", { name: "Search of tags" });
  expect(line.textContent).toContain("Too many requests. Continues in 20 s");
  act(() => vi.advanceTimersByTime(15_000));
  expect(line.textContent).toContain("Continues in 5 s");
  expect(onResume).not.toHaveBeenCalled();
  act(() => vi.advanceTimersByTime(6_000));
  expect(onResume).toHaveBeenCalledOnce();
});

test("a scan whose list has changed offers to read it again", () => {
  const onRestart = vi.fn();
  render(
    <MantineProvider env="test" withCssVariables={false} withGlobalClasses={false}>
      <ScanLine
        {...{ state: "done", what: "tags", one: "tag", found: 3, read: 400, total: 400, outdated: true }}
        {...{ onRestart, onResume: vi.fn(), onStop: vi.fn() }}
      />
    </MantineProvider>,
  );
  expect(screen.getByText("3 of 400 tags; the list has changed since")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Read again" }));
  expect(onRestart).toHaveBeenCalledOnce();
});
