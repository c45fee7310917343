import { cleanup, fireEvent, screen } from "@testing-library/react";
import { useEffect } from "react";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";

import { renderInApp, stubBrowser } from "../testing/render";
import { ListTable } from "./list-table";
import { mergeRows, recordsOf, type Merging } from "./merged-rows";
import { box, columns, keysOf, make, members, uidOf, type Row } from "./testing-selection";
import { READ } from "./types";
import { useSelection, type Chosen, type ListSelection } from "./use-selection";

beforeAll(stubBrowser);
afterEach(cleanup);

const records = (...keys: string[]): Row[] => keys.map((name, index) => ({ uid: `u${index}`, name }));
const nameOf = ({ name }: Row) => name;

describe("merged rows", () => {
  it("are neighbours with the same key, and nothing else", () => {
    const some = records("a", "a", "b", "a", "c", "c", "c");
    const { rows, starts } = mergeRows(some, 0, nameOf);
    expect(rows.map((row) => recordsOf(row).map(uidOf).join(" "))).toEqual(["u0 u1", "u2", "u3", "u4 u5 u6"]);
    expect(starts).toEqual([0, 2, 3, 4, 7]);
    expect(rows[1]).toBe(some[2]);
    // The rows that were there stay the same objects when more records follow.
    const more = mergeRows([...some, { uid: "u7", name: "c" }], 0, nameOf).rows;
    expect(more[0]).toBe(rows[0]);
    expect(more[3]).not.toBe(rows[3]);
    expect(mergeRows(some, 0, undefined).rows).toBe(some);
  });

  it("have the place of their first record, before, among and after those that are loaded", () => {
    const { rowOf, recordOf } = mergeRows(records("a", "a", "b", "c", "c", "c"), 100, nameOf);
    expect([0, 99, 100, 101, 102, 103, 105, 106, 500].map(rowOf)).toEqual([
      0, 99, 100, 100, 101, 102, 102, 103, 497,
    ]);
    expect([0, 99, 100, 101, 102, 103, 497].map(recordOf)).toEqual([0, 99, 100, 102, 103, 106, 500]);
  });

  const merging: Merging<Row> = { keyOf: ({ uid }) => uid.slice(0, -1), one: "half", plural: "halves" };
  const halves = (count: number): Row[] => make(count).flatMap((row) => members(row).map(([, half]) => half));
  const thirty = halves(30);
  const table = (change: Partial<Parameters<typeof ListTable<Row>>[0]>) => (
    <ListTable<Row>
      label="Things"
      query={READ}
      rows={thirty}
      rowKey={uidOf}
      rowName={nameOf}
      columns={columns}
      emptyState="Nothing"
      merging={merging}
      {...change}
    />
  );

  it("are counted as records, with the number of rows once all are loaded", async () => {
    await renderInApp(table({ total: 60 }));
    expect(screen.getByText("1–28 of 60 halves, in 30 rows")).toBeDefined();
    expect(screen.getByRole("table").getAttribute("aria-rowcount")).toBe("31");
    expect(screen.getByLabelText("Jump to half")).toBeDefined();
    cleanup();
    await renderInApp(table({ total: 500, query: { ...READ, hasNextPage: true } }));
    expect(screen.getByText("1–28 of 500 halves")).toBeDefined();
    expect(screen.getByRole("table").getAttribute("aria-rowcount")).toBe("-1");
  });

  it("keep the address and jumps to the numbers of records", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const onAt = vi.fn(() => true);
      const onJump = vi.fn(async () => undefined);
      const query = { ...READ, hasNextPage: true };
      await renderInApp(table({ rows: halves(100), total: 5000, at: 41, onAt, onJump, query }));
      const body = screen.getByRole("table");
      // The second half of row 20.
      expect(body.scrollTop).toBe(20 * 40);
      body.scrollTop = 25 * 40;
      fireEvent.scroll(body);
      vi.runAllTimers();
      expect(onAt.mock.lastCall).toEqual([50]);
      fireEvent.change(screen.getByLabelText("Jump to half"), { target: { value: "4000" } });
      fireEvent.submit(screen.getByLabelText("Jump to half"));
      expect(onJump).toHaveBeenCalledExactlyOnceWith(3999);
    } finally {
      vi.useRealTimers();
    }
  });

  it("are selected with all of their records, mixed with some, and counted as records", async () => {
    const live: { chosen: Chosen<Row> } = { chosen: new Map() };
    function Screen() {
      const selection = useSelection<Row>("all", "rows");
      useEffect(() => void (live.chosen = selection.chosen));
      const bar: ListSelection<Row>["bar"] = (facts) => (
        <button
          type="button"
          onClick={() => selection.choose(new Map(facts.rows.slice(1, 3).map((row) => [row.uid, row])))}
        >
          {facts.keys.length} records
        </button>
      );
      return table({ selection: { ...selection, bar } });
    }
    await renderInApp(<Screen />);
    fireEvent.click(box("Select row 2 a"));
    expect(keysOf(live.chosen)).toBe("u2a u2b");
    fireEvent.click(box("Select row 4 a"), { shiftKey: true });
    expect(keysOf(live.chosen)).toBe("u2a u2b u3a u3b u4a u4b");
    fireEvent.click(screen.getByRole("button", { name: "60 records" }));
    expect(keysOf(live.chosen)).toBe("u0b u1a");
    for (const row of [0, 1]) expect(box(`Select row ${row} a`).indeterminate).toBe(true);
    fireEvent.click(box("Select row 1 a"));
    expect(keysOf(live.chosen)).toBe("u0b u1a u1b");
  });
});
