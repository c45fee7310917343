import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";

import { ListTable } from "./list-table";
import { renderInApp, stubBrowser } from "../testing/render";
import { all, box, columns, keysOf, list, make, uidOf, type ReadAll, type Row } from "./testing-selection";
import { READ } from "./types";

beforeAll(stubBrowser);
afterEach(cleanup);

describe("selecting rows of a list", () => {
  it("has no checkboxes unless requested", async () => {
    await renderInApp(
      <ListTable<Row>
        label="Things"
        {...{ query: READ, columns, rows: make(3), rowKey: uidOf, rowName: uidOf, emptyState: "" }}
      />,
    );
    expect(screen.queryByRole("checkbox")).toBeNull();
    expect(screen.getAllByRole("row")[1]?.hasAttribute("aria-selected")).toBe(false);
  });

  it("selects one, says so in the row and in the bar, and none after Clear", async () => {
    await list();
    fireEvent.click(box("Select row 2"));
    expect(box("Select row 2").closest("[role=row]")?.getAttribute("aria-selected")).toBe("true");
    expect(box("Select row 1").closest("[role=row]")?.getAttribute("aria-selected")).toBe("false");
    expect(screen.getByText("1 selected")).toBeDefined();
    expect(all().indeterminate).toBe(true);
    fireEvent.click(screen.getByRole("button", { name: "Clear" }));
    expect(screen.queryByText("1 selected")).toBeNull();
    expect(all().indeterminate).toBe(false);
  });

  it("disables selecting all before there are rows", async () => {
    const live = await list({ rows: [], more: true, partial: true });
    expect(all().getAttribute("aria-disabled")).toBe("true");
    live.show({ rows: make(3) });
    expect(all().hasAttribute("aria-disabled")).toBe(false);
    fireEvent.click(all());
    expect(keysOf(live.chosen)).toBe("u0 u1 u2");
  });

  it("selects and deselects a range with Shift, in both directions", async () => {
    const live = await list();
    fireEvent.click(box("Select row 5"));
    fireEvent.click(box("Select row 2"), { shiftKey: true });
    expect(keysOf(live.chosen)).toBe("u5 u2 u3 u4");
    fireEvent.click(box("Select row 4"));
    fireEvent.click(box("Select row 2"), { shiftKey: true });
    expect(keysOf(live.chosen)).toBe("u5");
  });

  it("is one Tab stop a row, from which left and right lead to its other controls", async () => {
    await list();
    const link = screen.getByRole("link", { name: "row 3" });
    link.focus();
    fireEvent.keyDown(link, { key: "Tab" });
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Make rows compact" }));
    link.focus();
    fireEvent.keyDown(link, { key: "ArrowLeft" });
    expect(document.activeElement).toBe(box("Select row 3"));
    fireEvent.keyDown(box("Select row 3"), { key: "ArrowRight" });
    expect(document.activeElement).toBe(link);
    fireEvent.keyDown(link, { key: "Tab", shiftKey: true });
    expect(document.activeElement).toBe(all());
  });

  it("takes x for the row that has the focus, and Shift and x for the rows until there", async () => {
    const live = await list();
    const link = (name: string) => screen.getByRole("link", { name });
    fireEvent.keyDown(link("row 3"), { key: "x" });
    expect(keysOf(live.chosen)).toBe("u3");
    fireEvent.keyDown(link("row 5"), { key: "X", shiftKey: true });
    expect(keysOf(live.chosen)).toBe("u3 u4 u5");
    fireEvent.keyDown(link("row 5"), { key: "x", ctrlKey: true });
    expect(live.chosen.size).toBe(3);
    // Arrows move from checkbox to checkbox as they do from link to link.
    box("Select row 5").focus();
    fireEvent.keyDown(box("Select row 5"), { key: "ArrowDown" });
    expect(document.activeElement).toBe(box("Select row 6"));
  });

  it("selects all that are loaded, and none at the next click", async () => {
    const live = await list({ more: true });
    fireEvent.click(all());
    expect(live.chosen.size).toBe(20);
    expect(all().checked).toBe(true);
    fireEvent.click(all());
    expect(live.chosen.size).toBe(0);
  });

  it("keeps the selection when its page is dropped, and removes deleted rows", async () => {
    const live = await list({ more: true });
    fireEvent.click(box("Select row 1"));
    fireEvent.click(box("Select row 9"));
    live.show({ rows: make(20).slice(0, 5) });
    expect(keysOf(live.chosen)).toBe("u1 u9");
    live.show({ rows: make(20).filter(({ uid }) => uid !== "u1") });
    await waitFor(() => expect(keysOf(live.chosen)).toBe("u9"));
  });

  it("keeps the selection while rows are reread", async () => {
    const live = await list();
    for (const name of ["row 2", "row 9", "row 15"]) fireEvent.click(box(`Select ${name}`));
    live.show({ rows: make(20).filter((_, index) => index % 4 === 3), more: true, partial: true });
    expect(keysOf(live.chosen)).toBe("u2 u9 u15");
    live.show({ rows: make(20).filter(({ uid }) => uid !== "u9"), more: false, partial: false });
    expect(keysOf(live.chosen)).toBe("u2 u15");
  });

  it("is cleared when filters or scope change, with a dismissible notice", async () => {
    const live = await list();
    fireEvent.click(all());
    live.show({ view: "filtered", rows: make(3) });
    expect(live.chosen.size).toBe(0);
    expect(screen.getByText("The view changed, so 20 rows are no longer selected.")).toBeDefined();
    fireEvent.click(screen.getByRole("button", { name: "Dismiss" }));
    expect(screen.queryByText(/no longer selected/)).toBeNull();
  });
});

describe("selecting all that match", () => {
  it("reads rows that are not loaded", async () => {
    const readAll = vi.fn<NonNullable<ReadAll>>(
      async () => new Map(make(500).map((row) => [row.uid, row] as const)),
    );
    const live = await list({ more: true }, readAll);
    fireEvent.click(box("Select row 0"));
    fireEvent.click(screen.getByRole("button", { name: "Select all 500 that match" }));
    await waitFor(() => expect(live.chosen.size).toBe(500));
    expect(screen.queryByRole("button", { name: /that match/ })).toBeNull();
  });

  it("sends no request when all rows are loaded", async () => {
    const readAll = vi.fn<NonNullable<ReadAll>>();
    const live = await list({}, readAll);
    fireEvent.click(box("Select row 0"));
    fireEvent.click(screen.getByRole("button", { name: "Select all 20 that match" }));
    expect(live.chosen.size).toBe(20);
    expect(readAll).not.toHaveBeenCalled();
  });

  it("can be stopped, and leaves the selection unchanged", async () => {
    let aborted = false;
    const live = await list({ more: true }, (signal, tell) => {
      tell({ read: 200, total: 500 });
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          aborted = true;
          reject(signal.reason);
        });
      });
    });
    fireEvent.click(box("Select row 0"));
    fireEvent.click(screen.getByRole("button", { name: /that match/ }));
    expect(await screen.findByText("Reading all things: 200 of 500")).toBeDefined();
    fireEvent.click(screen.getByRole("button", { name: "Stop" }));
    expect(aborted).toBe(true);
    expect(keysOf(live.chosen)).toBe("u0");
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("is not retried before Retry-After", async () => {
    const busy = () => Object.assign(new Error("Slow down."), { retryAt: Date.now() + 1500 });
    const readAll = vi.fn<NonNullable<ReadAll>>(() => Promise.reject(busy()));
    await list({ more: true }, readAll);
    fireEvent.click(box("Select row 0"));
    fireEvent.click(screen.getByRole("button", { name: /that match/ }));
    expect((await screen.findByRole("alert")).textContent).toMatch(/Slow down\..* Try again in \d s/);
    const again = screen.getByRole("button", { name: /that match/ });
    expect(again.getAttribute("aria-disabled")).toBe("true");
    fireEvent.click(again);
    expect(readAll).toHaveBeenCalledTimes(1);
    await waitFor(() => expect(again.getAttribute("aria-disabled")).toBeNull());
    fireEvent.click(again);
    expect(readAll).toHaveBeenCalledTimes(2);
  });

  it("shows why it failed, and can be retried", async () => {
    await list({ more: true }, () => Promise.reject(new Error("The service is down.")));
    fireEvent.click(box("Select row 0"));
    fireEvent.click(screen.getByRole("button", { name: /that match/ }));
    expect((await screen.findByRole("alert")).textContent).toContain("The service is down.");
    expect(screen.getByRole("button", { name: /that match/ })).toBeDefined();
  });
});
