import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";

import type { Announcement } from "~/config";
import { setPreferenceOwner } from "~/ui/preferences";
import { stubBrowser } from "~/ui/testing/render";

import { Banners } from "./banners";

beforeAll(stubBrowser);
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  localStorage.clear();
  setPreferenceOwner("ada");
});

const WINDOW: Announcement = {
  text: "Maintenance on Saturday",
  level: "warning",
  link: "https://status.example.com/42",
  until: undefined,
};

const show = (announcement: Announcement | undefined, readOnly = false) =>
  render(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        <Banners readOnly={readOnly} announcement={announcement} />
      </QueryClientProvider>
    </MantineProvider>,
  );

const shown = () => screen.queryByRole("region", { name: "Announcement" })?.textContent;

it("has no banner without a reason", () => {
  show(undefined);
  expect(screen.queryAllByRole("region")).toEqual([]);
});

it("says that nothing can be changed, for as long as that is so", () => {
  show(undefined, true);
  const banner = screen.getByRole("region", { name: "Maintenance" });
  expect(banner.textContent).toBe("Read-only for maintenance: changes are refused until it ends.");
  expect(banner.querySelector("button")).toBeNull();
});

it("shows an announcement as text, with its link, until this text is dismissed", () => {
  show({ ...WINDOW, text: "<b>Maintenance</b> on Saturday" });
  expect(shown()).toContain("<b>Maintenance</b> on Saturday");
  expect(screen.getByRole("link").getAttribute("href")).toBe("https://status.example.com/42");
  fireEvent.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(shown()).toBeUndefined();

  // After a reload too.
  cleanup();
  setPreferenceOwner("ada");
  show({ ...WINDOW, text: "<b>Maintenance</b> on Saturday" });
  expect(shown()).toBeUndefined();
  cleanup();
  show(WINDOW);
  expect(shown()).toContain("Maintenance on Saturday");
});

it("ends in an open console too", () => {
  vi.useFakeTimers({ now: new Date("2026-11-28T17:58:30Z") });
  show({ ...WINDOW, until: Date.parse("2026-11-28T18:00:00Z") });
  act(() => vi.advanceTimersByTime(60_000));
  expect(shown()).toContain("Saturday");
  act(() => vi.advanceTimersByTime(60_000));
  expect(shown()).toBeUndefined();
});
