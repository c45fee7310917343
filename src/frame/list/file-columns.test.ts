import { QueryClient } from "@tanstack/react-query";
import { expect, it, vi } from "vitest";

import type { Column } from "~/ui/table/types";

import { fileColumns } from "./file-columns";

interface Row {
  readonly uid: string;
}

it("reads once for all rows of a file what their cells read one by one", async () => {
  const readTexts = vi.fn(async (rows: readonly Row[]) => (row: Row) => `${row.uid} of ${rows.length}`);
  const columns: readonly Column<Row>[] = [
    { id: "name", header: "Name", cell: ({ uid }) => uid },
    { id: "seen", header: "Last seen", cell: () => null, text: false, readTexts },
  ];
  const rows = [{ uid: "a" }, { uid: "b" }];
  const [name, seen] = await fileColumns(new QueryClient(), columns, rows);
  expect(name).toBe(columns[0]);
  expect(rows.map((row) => (seen?.text ? seen.text(row) : ""))).toEqual(["a of 2", "b of 2"]);
  expect(readTexts).toHaveBeenCalledOnce();
});
