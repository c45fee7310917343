import type { ReactNode } from "react";

import { FilterSelect } from "~/ui/controls/filters";

import type { Scope, ScopeSearch } from "~/features/scope/scope";

interface ReachFilterProps {
  readonly scope: Scope;
  readonly onChange: (change: Pick<ScopeSearch, "reach">) => void;
}

const REACHES = [
  { value: "", label: "here and below" },
  { value: "here", label: "directly here" },
];

/** Whether a list of a scope holds what lies below it; without a scope there is nothing to choose. */
export function DepthFilter({ scope, onChange }: ReachFilterProps): ReactNode {
  if (scope.group === undefined) return null;
  return (
    <FilterSelect
      label="Show"
      value={scope.reach === "here" ? "here" : ""}
      options={REACHES}
      onChange={(value) => onChange({ reach: value === "here" ? value : undefined })}
    />
  );
}
