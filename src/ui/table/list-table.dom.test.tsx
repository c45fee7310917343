import { act, cleanup, fireEvent, screen, within } from "@testing-library/react";
import { useEffect, useState } from "react";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";

import { ListTable } from "./list-table";
import { READ, type Column, type ListQuery } from "./types";
import { renderInApp, stubBrowser } from "../testing/render";

interface Row {
  readonly uid: string;
  readonly name: string;
}

const rows: Row[] = Array.from({ length: 1000 }, (_, index) => ({ uid: `u${index}`, name: `row ${index}` }));
const columns: Column<Row>[] = [
  { id: "name", header: "Name", cell: (row) => row.name, sortField: "name" },
  { id: "uid", header: "Uid", cell: (row) => row.uid },
  { id: "wide", header: "Wide", cell: () => "wide", hideBelow: 900 },
];
const loaded: ListQuery = { ...READ, refetch: () => undefined };
const rowKey = (row: Row) => row.uid;

type Change = Partial<Parameters<typeof ListTable<Row>>[0]>;

const table = (change: Change = {}) => (
  <ListTable<Row>
    label="Things"
    query={loaded}
    rows={rows}
    rowKey={rowKey}
    rowName={(row) => row.name}
    rowLink={() => ({ to: "/thing" })}
    columns={columns}
    emptyState="Nothing yet"
    {...change}
  />
);

beforeAll(stubBrowser);
afterEach(cleanup);

describe("ListTable", () => {
  it("draws the rows in view and a few around them, as a table that says how many there are", async () => {
    await renderInApp(table({ total: 1000n }));
    const list = screen.getByRole("table", { name: "Things" });
    expect(list.getAttribute("aria-rowcount")).toBe("1001");
    expect(list.tabIndex).toBe(0);
    const drawn = within(list).getAllByRole("row");
    expect(drawn.length).toBeGreaterThan(10);
    expect(drawn.length).toBeLessThan(40);
    expect(drawn.map((row) => row.getAttribute("aria-rowindex")).slice(0, 3)).toEqual(["1", "2", "3"]);
    expect(screen.getByText("1–14 of 1,000")).toBeDefined();
  });

  it("puts a real link in the name cell", async () => {
    await renderInApp(table());
    expect(screen.getByRole("link", { name: "row 0" }).getAttribute("href")).toBe("/thing");
  });

  it("leaves out a column that there is no room for", async () => {
    await renderInApp(table());
    expect(screen.getAllByRole("columnheader").map((header) => header.textContent)).toEqual(["Name", "Uid"]);
  });

  it("sorts by its headers and says how it is sorted", async () => {
    const onOrder = vi.fn();
    await renderInApp(table({ order: "name", onOrder }));
    expect(screen.getByRole("columnheader", { name: "Name" }).getAttribute("aria-sort")).toBe("ascending");
    expect(screen.getByRole("columnheader", { name: "Uid" }).hasAttribute("aria-sort")).toBe(false);
    fireEvent.click(screen.getByRole("button", { name: "Name" }));
    expect(onOrder).toHaveBeenCalledWith("name desc");
  });

  it("shows skeletons on the first load only", async () => {
    await renderInApp(table({ rows: [], query: { ...loaded, isPending: true, isFetching: true } }));
    expect(screen.getByText("Loading")).toBeDefined();
    expect(screen.queryByText("Nothing yet")).toBeNull();
    cleanup();
    await renderInApp(table({ query: { ...loaded, isFetching: true } }));
    expect(screen.queryByText("Loading")).toBeNull();
    expect(screen.getByRole("link", { name: "row 0" })).toBeDefined();
  });

  it("shows the empty state, or why the first load failed", async () => {
    await renderInApp(table({ rows: [] }));
    expect(screen.getByText("Nothing yet")).toBeDefined();
    cleanup();
    const refetch = vi.fn();
    const error = Object.assign(new Error("The service is down."), { requestId: "r-1" });
    await renderInApp(table({ rows: [], query: { ...loaded, isError: true, error, refetch } }));
    expect(screen.getByText("Things couldn't be loaded")).toBeDefined();
    expect(screen.getByText("r-1")).toBeDefined();
    fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(refetch).toHaveBeenCalledOnce();
  });

  it("keeps the rows when the next page fails, and tries again only when asked", async () => {
    const fetchNextPage = vi.fn();
    const query = { ...loaded, hasNextPage: true, fetchNextPage };
    const failed = { ...query, isError: true, error: new Error("Gone."), isFetchNextPageError: true };
    await renderInApp(table({ rows: rows.slice(0, 20), query: failed }));
    expect(screen.getByRole("link", { name: "row 0" })).toBeDefined();
    expect(fetchNextPage).not.toHaveBeenCalled();
    fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(fetchNextPage).toHaveBeenCalledOnce();
  });

  it("fetches the next page when the end is near, and not before", async () => {
    const fetchNextPage = vi.fn();
    const query = { ...loaded, hasNextPage: true, fetchNextPage };
    await renderInApp(table({ query }));
    expect(fetchNextPage).not.toHaveBeenCalled();
    cleanup();
    await renderInApp(table({ rows: rows.slice(0, 40), query }));
    expect(fetchNextPage).toHaveBeenCalledOnce();
  });

  it("says so when a refresh failed, and keeps the rows", async () => {
    await renderInApp(table({ query: { ...loaded, isError: true, error: new Error("Gone.") } }));
    expect(screen.getByText("Couldn't refresh")).toBeDefined();
    expect(screen.getByRole("link", { name: "row 0" })).toBeDefined();
  });

  it("restores its place, and asks for a row that is not loaded", async () => {
    await renderInApp(table({ at: 100 }));
    expect(screen.getByRole("table").scrollTop).toBe(100 * 40);
    cleanup();
    const onJump = vi.fn(async () => undefined);
    await renderInApp(table({ total: 5000, query: { ...loaded, hasNextPage: true }, onJump }));
    fireEvent.change(screen.getByLabelText("Jump to row"), { target: { value: "4,000" } });
    fireEvent.submit(screen.getByLabelText("Jump to row"));
    expect(onJump).toHaveBeenCalledExactlyOnceWith(3999);
  });

  it("numbers its rows from where it was entered", async () => {
    await renderInApp(table({ firstRow: 500, at: 500, total: 5000 }));
    const row = screen.getByRole("link", { name: "row 0" }).closest("[role=row]");
    expect(row?.getAttribute("aria-rowindex")).toBe("502");
    expect(screen.getByText("501–514 of 1,500")).toBeDefined();
  });

  it("keeps the first row in view where it is when rows above it go", async () => {
    const live: { show?: (next: Row[]) => void } = {};
    function Live() {
      const [shown, setShown] = useState(rows);
      useEffect(() => {
        live.show = setShown;
      }, []);
      return table({ rows: shown, at: 100 });
    }
    await renderInApp(<Live />);
    const list = screen.getByRole("table");
    list.scrollTop = 4010;
    fireEvent.scroll(list);
    act(() => live.show?.(rows.slice(10)));
    expect(list.scrollTop).toBe(4010 - 10 * 40);
    // The row itself is removed: the next one takes its place.
    act(() => live.show?.(rows.filter((_, index) => index > 10 && index !== 100)));
    expect(list.scrollTop).toBe(4010 - 11 * 40);
  });

  it("writes its place when scrolling settles", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const onAt = vi.fn(() => true);
      await renderInApp(table({ onAt }));
      const list = screen.getByRole("table");
      list.scrollTop = 400;
      fireEvent.scroll(list);
      list.scrollTop = 800;
      fireEvent.scroll(list);
      act(() => vi.runAllTimers());
      expect(onAt.mock.calls).toEqual([[20]]);
      list.scrollTop = 0;
      fireEvent.scroll(list);
      act(() => vi.runAllTimers());
      expect(onAt.mock.calls).toEqual([[20], [undefined]]);

      // Tries again while the URL changes for another reason, as long as it is this view.
      onAt.mockClear().mockReturnValueOnce(false);
      list.scrollTop = 400;
      fireEvent.scroll(list);
      act(() => vi.runAllTimers());
      expect(onAt.mock.calls).toEqual([[10], [10]]);
    } finally {
      vi.useRealTimers();
    }
  });
});
