import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { scan } from "~/api/paging/scan";
import type { Item, PagedList, Patience } from "~/api/paging/scan-pages";
import "~/ui/controls/button-styles";
import { SelectionBar, type ReadSoFar } from "~/ui/table/selection-bar";
import { NONE, type Chosen, type ListFacts, type Selection } from "~/ui/table/use-selection";
import { formatQuantity } from "~/ui/display/numbers";

import { ConfirmDeletion } from "./confirm-deletion";
import type { DeleteManyOptions } from "./use-delete-many";

interface DeletionBarProps<T> {
  readonly options: DeleteManyOptions<T>;
  readonly selection: Selection<T>;
  readonly rows: ListFacts<T>;
}

/** The bar below a list with selected rows: their number, and a button to delete them. */
export function DeletionBar<T extends { readonly uid: string }>(props: DeletionBarProps<T>): ReactNode {
  const { options, selection, rows } = props;
  const { list, matches = () => true, one, many, More } = options;
  const { chosen, choose } = selection;
  const patience = useQueryClient().getDefaultOptions().queries as Patience;
  const [asking, setAsking] = useState(false);
  return (
    <>
      <SelectionBar
        {...selection}
        list={rows}
        what={many}
        actions={
          <>
            {More ? <More records={[...chosen.values()]} /> : null}
            <Button color="danger" variant="light" onClick={() => setAsking(true)}>
              Delete {formatQuantity(chosen.size, one, many)}
            </Button>
          </>
        }
        readAll={(signal, tell) => readAll(list, matches, { patience, signal, tell })}
      />
      {asking && chosen.size > 0 ? (
        <ConfirmDeletion
          {...options}
          records={[...chosen.values()]}
          onClose={() => setAsking(false)}
          onStarted={() => {
            setAsking(false);
            choose(NONE);
          }}
        />
      ) : null}
    </>
  );
}

interface Reading {
  readonly patience: Patience;
  readonly signal: AbortSignal;
  readonly tell: (so: ReadSoFar) => void;
}

/** Reads all matching rows of a list, by uid. Rejects with the reason of `signal`, or with the error of a page. */
async function readAll<T extends Item>(
  list: PagedList,
  matches: (row: T) => boolean,
  { patience, signal, tell }: Reading,
): Promise<Chosen<T>> {
  const reading = scan(list, matches, patience);
  reading.subscribe(() => tell(reading.get()));
  await reading.run(signal);
  const { state, rows, error } = reading.get();
  if (state !== "done") throw error ?? signal.reason;
  return new Map(rows.map((row) => [row.uid, row]));
}
