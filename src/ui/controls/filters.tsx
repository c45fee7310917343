import { SearchIcon, XIcon } from "lucide-react";
import { useId, useState, type KeyboardEvent } from "react";

import classes from "./filters.module.css";
import { IconButton } from "./icon-button";

interface FilterTextProps {
  /** Name of the filter: "Artifact"; for a search field, only its accessible name: "Search repos". */
  label: string;
  value: string | undefined;
  /** "date": 2026-08-11, in the browser's own field; "search": the search field of the list. */
  type?: "text" | "date" | "search";
  /** What a search field searches in. */
  placeholder?: string | undefined;
  /** Gets the focus when its panel opens. */
  focused?: boolean | undefined;
  /** Called on Enter and on blur; with undefined if the field is cleared. */
  onApply: (value: string | undefined) => void;
}

/** A text filter. Applied on Enter and on blur, since each change is a request. */
export function FilterText(props: FilterTextProps) {
  const { label, value = "", type = "text", placeholder, focused, onApply } = props;
  const id = useId();
  const searching = type === "search";
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
    // In a panel, Escape closes the panel instead.
    if (event.key === "Escape" && searching && typed !== "") {
      event.preventDefault();
      apply("");
    }
  };
  return (
    <div
      className={`${classes["filter"]} ${searching ? classes["search"] : ""}`}
      data-active={value !== "" || undefined}
    >
      {searching ? (
        <SearchIcon size={16} />
      ) : (
        <label htmlFor={id} className={classes["label"]}>
          {label}
        </label>
      )}
      <input
        id={id}
        type={type}
        aria-label={searching ? label : undefined}
        placeholder={placeholder}
        data-autofocus={focused}
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

interface FilterSelectProps extends Pick<FilterTextProps, "focused"> {
  label: string;
  value: string | undefined;
  /** The first option, with the value "", is "any". */
  options: readonly { readonly value: string; readonly label: string }[];
  onChange: (value: string | undefined) => void;
}

/** A choice among a few values, as a native select. */
export function FilterSelect({ label, value = "", options, focused, onChange }: FilterSelectProps) {
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
        data-autofocus={focused}
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
