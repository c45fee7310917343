import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";

import { ListTable } from "./list-table";
import { renderInApp, stubBrowser } from "../testing/render";
import { choose } from "./column-choice";
import { make, uidOf, type Row } from "./testing-selection";
import { READ, type Column } from "./types";

const columns: Column<Row>[] = [
  { id: "name", header: "Name", sortField: "name", cell: ({ name }) => name },
  { id: "updated", header: "Updated", sortField: "updated_at", sortFirst: "desc", cell: () => "today" },
];

async function show(label: string, order: string | undefined) {
  const onOrder = vi.fn<(next: string) => void>();
  await renderInApp(
    <ListTable<Row>
      {...{ label, query: READ, columns, order, onOrder, rows: make(3), rowKey: uidOf, rowName: uidOf }}
      emptyState=""
    />,
  );
  return onOrder;
}
const sortBy = () => screen.queryByRole("button", { name: /^Sort by/ });

beforeAll(stubBrowser);
beforeEach(() => localStorage.clear());
afterEach(cleanup);

it("says what a list is ordered by where that column is hidden, and lets it be changed", async () => {
  choose("Hidden", {}, "updated", false);
  const onOrder = await show("Hidden", "updated_at desc");
  expect(screen.queryByRole("columnheader", { name: "Updated" })).toBeNull();
  expect(sortBy()?.textContent).toBe("Sort by Updated, newest first");
  fireEvent.click(sortBy() as HTMLElement);
  const choices = await screen.findAllByRole("menuitem");
  expect(choices.map(({ textContent }) => textContent)).toEqual([
    "Name, A to Z",
    "Name, Z to A",
    "Updated, oldest first",
    "Updated, newest first",
  ]);
  expect(screen.getByRole("menuitem", { current: true }).textContent).toBe("Updated, newest first");
  fireEvent.click(choices[0] as HTMLElement);
  expect(onOrder).toHaveBeenCalledWith("name");
});

it("names no order that the list is not in, where it is narrow", async () => {
  const width = vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(390);
  await show("Narrow", "version desc");
  expect(sortBy()?.textContent).toBe("Sort by …");
  cleanup();
  await show("Narrow", "updated_at");
  expect(sortBy()?.textContent).toBe("Sort by Updated, oldest first");
  width.mockRestore();
});

it.each([
  ["by a column in view", "Shown", "updated_at desc"],
  ["by what is no column", "Other", "version"],
  ["by nothing", "None", undefined],
])("leaves that to the headers where it is ordered %s", async (_what, label, order) => {
  await show(label, order);
  expect(sortBy()).toBeNull();
});
