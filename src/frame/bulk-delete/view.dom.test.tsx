import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";

import { BulkJob } from "~/api/bulk/bulk-job";
import { busy, denied, fakeWork, itemsOf, NO_STORAGE, PLAN } from "~/api/testing/bulk-fixture";
import { renderInApp, stubBrowser } from "~/ui/testing/render";
import { BulkView } from "./view";

beforeAll(stubBrowser);
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const undone = vi.fn();
const closed = vi.fn();
const show = (job: BulkJob) =>
  renderInApp(
    <BulkView job={job} words={PLAN.words} restored={false} ends onClose={closed} onUndo={undone} />,
  );
const wait = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const buttons = () =>
  screen.getAllByRole("button").flatMap(({ textContent }) => (textContent ? [textContent] : []));

it("shows progress, waits and failures with their actions", async () => {
  const { work } = fakeWork((uid, turn) => {
    if (uid === "u1" && turn === 1) return busy(2);
    return uid === "u2" && turn === 1 ? denied : "done";
  });
  const job = new BulkJob(itemsOf(40), work, NO_STORAGE);
  await show(job);
  expect(screen.getByRole("region", { name: "Deleting 40 things (paused)" })).toBeDefined();
  expect(buttons()).toEqual(["Resume", "Cancel", "Export as CSV"]);
  fireEvent.click(screen.getByRole("button", { name: "Resume" }));
  await wait(200);
  expect(screen.getByRole("region", { name: "Deleting 40 things" })).toBeDefined();
  expect(screen.getByText("Service busy. Retrying in 2 s.")).toBeDefined();
  await wait(3000);
  expect(screen.getByRole("region", { name: "Deleted 39 of 40 things" })).toBeDefined();
  expect(screen.getByText("39 of 40 deleted, 1 failed")).toBeDefined();
  expect(screen.queryByRole("list", { name: "Reasons" })).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Show items" }));
  expect(screen.getByRole("list", { name: "Reasons" }).textContent).toBe("1: No (403).");
  expect(buttons()).toEqual(["Retry 1 failed", "Export as CSV", "Close"]);
  fireEvent.click(screen.getByRole("button", { name: "Retry 1 failed" }));
  await wait(1000);
  expect(screen.getByRole("region", { name: "Deleted 40 things" })).toBeDefined();
});

it("offers to undo what was deleted and can be created again", async () => {
  const { work } = fakeWork((uid) => (uid === "u1" ? denied : "done"));
  const again = { collection: "tags", parent: "p", body: {} } as const;
  const [first, ...others] = itemsOf(2);
  const job = new BulkJob([first!, ...others.map((item) => ({ ...item, again }))], work, NO_STORAGE);
  await show(job);
  fireEvent.click(screen.getByRole("button", { name: "Resume" }));
  await wait(1000);
  expect(buttons()).not.toContain("Undo");
  cleanup();
  const whole = new BulkJob([{ ...first!, again }], work, NO_STORAGE);
  await show(whole);
  fireEvent.click(screen.getByRole("button", { name: "Resume" }));
  await wait(1000);
  fireEvent.click(screen.getByRole("button", { name: "Undo" }));
  expect(undone).toHaveBeenCalledOnce();
});

it("ends by itself after a success, but not while someone is at it, nor after a failure", async () => {
  const { work } = fakeWork((uid, turn) => (uid === "u1" && turn === 1 ? denied : "done"));
  const job = new BulkJob(itemsOf(3), work, NO_STORAGE);
  closed.mockClear();
  await show(job);
  job.resume();
  await wait(60_000);
  expect(closed).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole("button", { name: "Retry 1 failed" }));
  await wait(1000);
  fireEvent.click(screen.getByRole("button", { name: "Show items" }));
  await wait(60_000);
  expect(closed).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole("button", { name: "Hide items" }));
  // By pointer or keyboard, which the browser knows.
  const held = vi.spyOn(screen.getByRole("region"), "matches").mockImplementation((selectors) => {
    expect(selectors).toBe(":hover, :has(:focus-visible:not(h2))");
    return true;
  });
  await wait(60_000);
  expect(closed).not.toHaveBeenCalled();
  held.mockReturnValue(false);
  await wait(60_000);
  expect(closed).toHaveBeenCalled();
});
