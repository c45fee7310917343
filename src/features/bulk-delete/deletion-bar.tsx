import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import type { Patience } from "~/api/paging/scan-pages";
import "~/ui/controls/button-styles";
import { SelectionBar } from "~/ui/table/selection-bar";
import { NONE, type ListFacts, type Selection } from "~/ui/table/use-selection";
import { formatQuantity } from "~/ui/display/numbers";

import { ConfirmDeletion } from "./confirm-deletion";
import { readAll } from "./read-all";
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
        readAll={async (signal, tell) =>
          new Map((await readAll(list, matches, { patience, signal, tell })).map((row) => [row.uid, row]))
        }
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
