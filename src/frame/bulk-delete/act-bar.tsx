import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { retryPolicyOf } from "~/api/paging/retry-policy";
import { SelectionBar } from "~/ui/table/selection-bar";
import { NONE, type ListFacts, type Selection } from "~/ui/table/use-selection";

import { readAll } from "./read-all";
import type { SelectableOptions } from "./use-selectable";

interface ActBarProps<T, O> {
  readonly options: SelectableOptions<T, O>;
  readonly selection: Selection<T>;
  readonly rows: ListFacts<T>;
}

/** The bar below a list with selected rows: their number, and what can be done with them. */
export function ActBar<T extends { readonly uid: string }, O>(props: ActBarProps<T, O>): ReactNode {
  const { options, selection, rows } = props;
  const { list, matches = () => true, many, Acts, of } = options;
  const { chosen, choose } = selection;
  const retryPolicy = retryPolicyOf(useQueryClient());
  return (
    <SelectionBar
      {...selection}
      list={rows}
      what={many}
      actions={<Acts of={of} records={[...chosen.values()]} onStarted={() => choose(NONE)} />}
      readAll={async (signal, tell) =>
        new Map((await readAll(list, matches, { retryPolicy, signal, tell })).map((row) => [row.uid, row]))
      }
    />
  );
}
