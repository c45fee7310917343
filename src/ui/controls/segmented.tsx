import { useId, type ReactNode } from "react";

import classes from "./segmented.module.css";

interface SegmentedProps<V extends string> {
  /** Names the group: "Pull by". */
  readonly label: string;
  readonly value: V;
  readonly options: readonly { readonly value: V; readonly label: string }[];
  readonly onChange: (value: V) => void;
}

/** Two or three short options, of which one is always chosen; radio buttons. */
export function Segmented<V extends string>(props: SegmentedProps<V>): ReactNode {
  const { label, value, options, onChange } = props;
  const name = useId();
  return (
    <fieldset className={classes["group"]} aria-label={label}>
      {options.map((option) => (
        <label key={option.value} className={classes["option"]}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
