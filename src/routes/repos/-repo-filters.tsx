import type { ReactNode } from "react";

import { FilterBar, FilterSelect, FilterText } from "~/kit/filters";
import type { Scope } from "~/parts/scope";

import { CONTAINS_LABEL, type RepoListSearch } from "./-repo-search";
import { TIERS, type TierFilter } from "./-repo-words";

interface RepoFiltersProps {
  readonly search: RepoListSearch;
  readonly scope: Scope;
  readonly onChange: (change: RepoListSearch & { reach?: "here" | undefined }) => void;
  /** At the end of the bar: what every list offers. */
  readonly children: ReactNode;
}

/** What narrows the list: by the service where it can, else by reading all of it. */
export function RepoFilters({ search, scope, onChange, children }: RepoFiltersProps): ReactNode {
  const show = (change: Parameters<typeof onChange>[0]) => onChange({ ...change, at: undefined });
  return (
    <FilterBar>
      <FilterText label="Name is exactly" value={search.name} onApply={(name) => show({ name })} />
      <FilterText label={CONTAINS_LABEL} value={search.contains} onApply={(contains) => show({ contains })} />
      <FilterSelect
        label="Tier"
        value={search.tier}
        options={[{ value: "", label: "any" }, ...TIERS]}
        onChange={(value) => show({ tier: value as TierFilter | undefined })}
      />
      {scope.group === undefined ? null : (
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
