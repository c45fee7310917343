import type { ReactNode } from "react";

import { FilterBar, FilterSelect, FilterText } from "~/kit/filters";
import { ReachFilter } from "~/parts/reach-filter";
import type { Scope } from "~/parts/scope";
import type { ViewChange } from "~/parts/use-view";

import { CONTAINS_LABEL, NO_FILTERS, type RepoListSearch } from "./-repo-search";
import { TIERS, type TierFilter } from "./-repo-words";

interface RepoFiltersProps {
  readonly search: RepoListSearch;
  readonly scope: Scope;
  readonly onChange: (change: ViewChange<RepoListSearch>) => void;
  /** What every list offers, at the end of the bar. */
  readonly children: ReactNode;
}

/** What narrows the list: by the service where it can, else by reading all of it. */
export function RepoFilters({ search, scope, onChange, children }: RepoFiltersProps): ReactNode {
  return (
    <FilterBar search={search} none={NO_FILTERS} onChange={onChange} tools={children}>
      <FilterText label="Name is exactly" value={search.name} onApply={(name) => onChange({ name })} />
      <FilterText
        label={CONTAINS_LABEL}
        value={search.contains}
        onApply={(contains) => onChange({ contains })}
      />
      <FilterSelect
        label="Tier"
        value={search.tier}
        options={[{ value: "", label: "any" }, ...TIERS]}
        onChange={(value) => onChange({ tier: value as TierFilter | undefined })}
      />
      <ReachFilter scope={scope} onChange={onChange} />
    </FilterBar>
  );
}
