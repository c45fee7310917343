import { XIcon } from "@primer/octicons-react";
import { useId, useState, type KeyboardEvent, type ReactNode } from "react";

import classes from "./filters.module.css";
import { IconButton } from "./icon-button";
import { VisuallyHidden } from "./visually-hidden";

/** The row of filters above a list. */
export function FilterBar({ children }: { children: ReactNode }) {
  return (
    <div role="search" className={classes["bar"]}>
      {children}
    </div>
  );
}

interface FilterTextProps {
  /** Says how it matches: "Name is exactly". */
  label: string;
  value: string | undefined;
  /** A day, 2026-08-11, in the browser's own field. */
  type?: "text" | "date";
  /** With Enter, when the field is left, and with undefined when it is cleared. */
  onApply: (value: string | undefined) => void;
}

/** A text filter. Applied on Enter and on leaving, since each application is a request. */
export function FilterText({ label, value = "", type = "text", onApply }: FilterTextProps) {
  const id = useId();
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  if (value !== known) {
    // Changed from outside: Back, or "Clear filters".
    setKnown(value);
    setTyped(value);
  }
  const apply = (text: string) => {
    const next = text.trim();
    setTyped(next);
    if (next !== value) onApply(next || undefined);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter") apply(typed);
    if (event.key === "Escape" && typed !== "") {
      event.preventDefault();
      apply("");
    }
  };
  return (
    <div className={classes["filter"]} data-active={value !== "" || undefined}>
      <label htmlFor={id} className={classes["label"]}>
        {label}
      </label>
      <input
        id={id}
        type={type}
        className={classes["text"]}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={() => apply(typed)}
      />
      {value === "" ? null : (
        <IconButton
          label={`Clear "${label}"`}
          tip="Clear"
          className={classes["clear"]}
          onClick={() => apply("")}
        >
          <XIcon size={16} />
        </IconButton>
      )}
    </div>
  );
}

interface FilterSelectProps {
  label: string;
  value: string | undefined;
  /** The first one, with the value "", is "any". */
  options: readonly { readonly value: string; readonly label: string }[];
  onChange: (value: string | undefined) => void;
}

/** A choice among a few values; the browser's own list. */
export function FilterSelect({ label, value = "", options, onChange }: FilterSelectProps) {
  const id = useId();
  return (
    <div className={classes["filter"]} data-active={value !== "" || undefined}>
      <label htmlFor={id} className={classes["label"]}>
        {label}
      </label>
      <select
        id={id}
        className={classes["select"]}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value || undefined)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}

interface FilterToggleProps {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** Why it is as it is, whatever somebody presses. */
  fixed?: string | undefined;
}

/** A view of the list that is on or off. */
export function FilterToggle({ label, checked, onChange, fixed }: FilterToggleProps) {
  const id = useId();
  return (
    <label
      className={`${classes["filter"]} ${classes["toggle"]}`}
      data-active={checked || undefined}
      data-fixed={fixed === undefined ? undefined : ""}
      data-tip={fixed}
    >
      <input
        type="checkbox"
        checked={checked}
        aria-disabled={fixed === undefined ? undefined : true}
        aria-describedby={fixed === undefined ? undefined : id}
        onChange={() => (fixed === undefined ? onChange(!checked) : undefined)}
      />
      {label}
      {fixed === undefined ? null : <VisuallyHidden id={id}>{fixed}</VisuallyHidden>}
    </label>
  );
}

/** Several toggles that say one thing together. */
export function FilterGroup({ label, children }: { label: string; children: ReactNode }) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id} className={`${classes["filter"]} ${classes["group"]}`}>
      <span id={id} className={classes["label"]}>
        {label}
      </span>
      {children}
    </div>
  );
}
