import type { ReactNode } from "react";

import { FilterBar, FilterSelect, FilterText } from "~/kit/filters";
import type { Scope } from "~/parts/scope";

import {
  containsLabel,
  KIND_FILTERS,
  SEEN_FILTERS,
  type IdentityListSearch,
  type KindFilter,
  type SeenFilter,
} from "./-identity-search";

interface IdentityFiltersProps {
  readonly search: IdentityListSearch;
  readonly scope: Scope;
  readonly onChange: (change: IdentityListSearch & { reach?: "here" | undefined }) => void;
  /** At the end of the row. */
  readonly children: ReactNode;
}

/** What narrows the list: by the service where it can, else by reading all of it. */
export function IdentityFilters({ search, scope, onChange, children }: IdentityFiltersProps): ReactNode {
  const people = search.tab === "people";
  const show = (change: Parameters<typeof onChange>[0]) => onChange({ ...change, at: undefined });
  return (
    <FilterBar>
      <FilterText label="Name is exactly" value={search.name} onApply={(name) => show({ name })} />
      <FilterText
        label={containsLabel(search)}
        value={search.contains}
        onApply={(contains) => show({ contains })}
      />
      {people ? null : (
        <FilterSelect
          label="Kind"
          value={search.kind}
          options={[{ value: "", label: "any" }, ...KIND_FILTERS]}
          onChange={(value) => show({ kind: value as KindFilter | undefined })}
        />
      )}
      <FilterSelect
        label="Last seen"
        value={search.seen}
        options={[{ value: "", label: "any time" }, ...SEEN_FILTERS]}
        onChange={(value) => show({ seen: value as SeenFilter | undefined })}
      />
      {people || scope.group === undefined ? null : (
        <FilterSelect
          label="Show"
          value={scope.reach === "here" ? "here" : ""}
          options={[
            { value: "", label: "here and below" },
            { value: "here", label: "directly here" },
          ]}
          onChange={(value) => show({ reach: value === "here" ? value : undefined })}
        />
      )}
      {children}
    </FilterBar>
  );
}
