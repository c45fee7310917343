import type { ReactNode } from "react";

import { operationWords } from "~/domains/audit/log/words";
import { IdentityFilter } from "~/domains/access/grants/filter-controls";
import { FilterPicker } from "~/ui/controls/filter-picker";
import { onDemand } from "~/ui/on-demand";

const ActionPanel = onDemand(async () => (await import("./action-panel")).ActionPanel);

interface FilterProps {
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** Filters by action, which the user finds by its words. */
export function ActionFilter({ value, onChange }: FilterProps): ReactNode {
  return (
    <FilterPicker
      label="Action"
      chosen={value === undefined ? undefined : operationWords(value)}
      onClear={() => onChange(undefined)}
    >
      {(close) => (
        <ActionPanel
          onPick={(action) => {
            onChange(action);
            close();
          }}
        />
      )}
    </FilterPicker>
  );
}

interface ActorFilterProps extends FilterProps {
  readonly label?: string;
  readonly group: string | undefined;
}

/** Filters by who did it. */
export const ActorFilter = (props: ActorFilterProps): ReactNode => (
  <IdentityFilter label="Actor" {...props} />
);
