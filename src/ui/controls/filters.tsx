import { XIcon } from "lucide-react";
import { Button } from "@mantine/core";
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react";

import "./button-styles";
import classes from "./filters.module.css";
import { IconButton } from "./icon-button";

interface FilterBarProps<N extends object> {
  /** What the list is narrowed by now. */
  search: Partial<Readonly<Record<keyof N, unknown>>>;
  /** Each filter, undefined: what clears them all. */
  none: N;
  onChange: (none: N) => void;
  /** What every list offers beside its filters. */
  tools: ReactNode;
  children: ReactNode;
}

/** The row of filters above a list. */
export function FilterBar<N extends object>({ search, none, onChange, tools, children }: FilterBarProps<N>) {
  const bar = useRef<HTMLDivElement>(null);
  const clear = () => {
    // The button goes, and the focus would go with it.
    bar.current?.focus();
    onChange(none);
  };
  return (
    <div ref={bar} role="search" tabIndex={-1} className={classes["bar"]}>
      {children}
      {Object.keys(none).some((key) => search[key as keyof N] !== undefined) ? (
        <Button variant="default" onClick={clear}>
          Clear filters
        </Button>
      ) : null}
      {tools}
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
