import type { ReactNode } from "react";

import { FilterBar, FilterSelect, FilterText } from "~/ui/controls/filters";
import { DepthFilter } from "~/resource/depth-filter";
import type { Scope } from "~/features/scope/scope";
import type { ViewChange } from "~/resource/use-view";

import {
  containsLabel,
  KIND_FILTERS,
  NO_FILTERS,
  SEEN_FILTERS,
  type IdentityListSearch,
  type KindFilter,
  type SeenFilter,
} from "./search";

interface IdentityFiltersProps {
  readonly search: IdentityListSearch;
  readonly scope: Scope;
  readonly onChange: (change: ViewChange<IdentityListSearch>) => void;
  /** At the end of the row. */
  readonly children: ReactNode;
}

/** What narrows the list: by the service where it can, else by reading all of it. */
export function IdentityFilters({ search, scope, onChange, children }: IdentityFiltersProps): ReactNode {
  const people = search.tab === "people";
  return (
    <FilterBar search={search} none={NO_FILTERS} onChange={onChange} tools={children}>
      <FilterText label="Name is exactly" value={search.name} onApply={(name) => onChange({ name })} />
      <FilterText
        label={containsLabel(search)}
        value={search.contains}
        onApply={(contains) => onChange({ contains })}
      />
      {people ? null : (
        <FilterSelect
          label="Kind"
          value={search.kind}
          options={[{ value: "", label: "any" }, ...KIND_FILTERS]}
          onChange={(value) => onChange({ kind: value as KindFilter | undefined })}
        />
      )}
      <FilterSelect
        label="Last seen"
        value={search.seen}
        options={[{ value: "", label: "any time" }, ...SEEN_FILTERS]}
        onChange={(value) => onChange({ seen: value as SeenFilter | undefined })}
      />
      {people ? null : <DepthFilter scope={scope} onChange={onChange} />}
    </FilterBar>
  );
}
