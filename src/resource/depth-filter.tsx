import type { ReactNode } from "react";

import { Help } from "~/features/help/help";
import { FilterSelect } from "~/ui/controls/filters";

import type { Scope, ScopeSearch } from "~/features/scope/scope";

interface ReachFilterProps {
  readonly scope: Scope;
  readonly onChange: (change: Pick<ScopeSearch, "reach">) => void;
}

const REACHES = [
  { value: "", label: "including subfolders" },
  { value: "here", label: "this group only" },
];

/** Whether a list includes the subfolders of its scope; shown only with a scope. */
export function DepthFilter({ scope, onChange }: ReachFilterProps): ReactNode {
  if (scope.group === undefined) return null;
  return (
    <>
      <FilterSelect
        label="Show"
        value={scope.reach === "here" ? "here" : ""}
        options={REACHES}
        onChange={(value) => onChange({ reach: value === "here" ? value : undefined })}
      />
      <Help about="subfolders" />
    </>
  );
}
