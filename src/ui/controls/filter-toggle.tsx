import { useId, type ReactNode } from "react";

import classes from "./filter-toggle.module.css";
import filters from "./filters.module.css";
import { VisuallyHidden } from "../layout/visually-hidden";
import { useLastInput } from "./use-last-input";

interface FilterToggleProps {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** Why the toggle cannot be changed. */
  fixed?: string | undefined;
}

/** A filter of the list that is on or off. */
export function FilterToggle({ label, checked: value, onChange, fixed }: FilterToggleProps) {
  const id = useId();
  const [checked, input] = useLastInput(value, onChange);
  return (
    <label
      className={`${filters["filter"]} ${classes["toggle"]}`}
      data-active={checked || undefined}
      data-fixed={fixed === undefined ? undefined : ""}
      data-tip={fixed}
    >
      <input
        type="checkbox"
        checked={checked}
        aria-disabled={fixed === undefined ? undefined : true}
        aria-describedby={fixed === undefined ? undefined : id}
        onChange={() => (fixed === undefined ? input(!checked) : undefined)}
      />
      {label}
      {fixed === undefined ? null : <VisuallyHidden id={id}>{fixed}</VisuallyHidden>}
    </label>
  );
}

/** Several toggles that form one filter. */
export function FilterGroup({ label, children }: { label: string; children: ReactNode }) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id} className={`${filters["filter"]} ${classes["group"]}`}>
      <span id={id} className={filters["label"]}>
        {label}
      </span>
      {children}
    </div>
  );
}
