import { act, screen } from "@testing-library/react";
import { useEffect, useState } from "react";

import { ListTable } from "./list-table";
import { renderInApp } from "../testing/render";
import { SelectionBar } from "./selection-bar";
import { READ, type Column } from "./types";
import { useSelection, type Chosen } from "./use-selection";

export interface Row {
  readonly uid: string;
  readonly name: string;
}

export const make = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({ uid: `u${index}`, name: `row ${index}` }));
export const columns: Column<Row>[] = [{ id: "name", header: "Name", cell: ({ name }) => name }];
export const uidOf = ({ uid }: Row) => uid;
export const members = ({ uid, name }: Row) =>
  ["a", "b"].map((half) => [`${uid}${half}`, { uid: `${uid}${half}`, name: `${name} ${half}` }] as const);

interface Shown {
  rows: Row[];
  view: string;
  more: boolean;
  /** Rows that are not loaded yet can appear anywhere. */
  partial: boolean;
  /** Each row has two members. */
  pairs: boolean;
}
export type ReadAll = Parameters<typeof SelectionBar<Row>>[0]["readAll"];

/** Renders a list with selectable rows; `show` changes it as a screen would. */
export async function list(first: Partial<Shown> = {}, readAll?: ReadAll) {
  const live: { show: (next: Partial<Shown>) => void; chosen: Chosen<Row> } = {
    show: () => undefined,
    chosen: new Map(),
  };
  function Screen() {
    const [shown, setShown] = useState<Shown>({
      rows: make(20),
      view: "all",
      more: false,
      partial: false,
      pairs: false,
      ...first,
    });
    const selection = useSelection<Row>(shown.view, "rows");
    useEffect(() => {
      live.show = (next) => act(() => setShown((now) => ({ ...now, ...next })));
      live.chosen = selection.chosen;
    });
    return (
      <ListTable<Row>
        label="Things"
        query={{ ...READ, hasNextPage: shown.more, isPartial: shown.partial }}
        rows={shown.rows}
        total={shown.more ? 500 : shown.rows.length}
        rowKey={uidOf}
        rowName={({ name }) => name}
        rowLink={() => ({ to: "/thing" })}
        columns={columns}
        view={shown.view}
        emptyState="Nothing"
        selection={{
          ...selection,
          ...(shown.pairs && { members }),
          bar: (rows) => (
            <SelectionBar
              key={shown.view}
              {...selection}
              list={rows}
              what="things"
              actions={<button type="button">Delete them</button>}
              {...(readAll && { readAll })}
            />
          ),
        }}
      />
    );
  }
  await renderInApp(<Screen />);
  return live;
}

export const box = (name: string) => screen.getByRole<HTMLInputElement>("checkbox", { name });
export const all = () => box("Select all loaded rows");
export const keysOf = (chosen: Chosen<Row>) => [...chosen.keys()].join(" ");
