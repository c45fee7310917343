import { SearchIcon, XIcon } from "lucide-react";
import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";

import classes from "./filters.module.css";
import { IconButton } from "./icon-button";
import { useLastInput } from "./use-last-input";

interface FilterTextProps {
  /** Name of the filter: "Artifact"; for a search field, only its accessible name: "Search repos". */
  label: string;
  value: string | undefined;
  /** "date": 2026-08-11, "time": 14:05, in the browser's own field; "search": the search field of the list. */
  type?: "text" | "date" | "time" | "search";
  /** What a search field searches in. */
  placeholder?: string | undefined;
  /** Gets the focus when its panel opens. */
  focused?: boolean | undefined;
  /**
   * Called on Enter and on blur, by a search, date or time field also while typing; with undefined if the field is
   * cleared. `more`: the same text was applied before it was complete.
   */
  onApply: (value: string | undefined, more: boolean) => void;
  /** What the down arrow does in a search field: goes to the first row. */
  onDown?: (() => void) | undefined;
}

/** How long a search field waits for the next key, in ms. */
const DEBOUNCE_MS = 200;

/**
 * A text filter. Applied on Enter and on blur, since each change is a request; searches, dates and times also after a
 * pause, so that nothing stands under a date that it is not about.
 */
export function FilterText(props: FilterTextProps) {
  const { label, value = "", type = "text", placeholder, focused, onApply, onDown } = props;
  const id = useId();
  const searching = type === "search";
  // Typing on is one step of the history, not one for each pause.
  const typing = useRef(false);
  const [applied, input] = useLastInput(value, (next) => onApply(next || undefined, typing.current));
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(applied);
  if (applied !== known) {
    setKnown(applied);
    // Changed from outside: Back, or "Clear filters".
    if (applied !== typed.trim()) setTyped(applied);
  }
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(pause.current), []);
  const apply = (text: string) => {
    clearTimeout(pause.current);
    if (text !== applied) input(text);
  };
  const applyTrimmed = (text: string) => {
    setTyped(text.trim());
    apply(text.trim());
    typing.current = false;
  };
  const applyPart = (text: string) => {
    apply(text);
    typing.current = true;
  };
  const onType = (text: string) => {
    setTyped(text);
    clearTimeout(pause.current);
    // A date of which a part is missing is none yet.
    const follows = searching || (type !== "text" && text !== "");
    // Not the blanks: the next word may follow.
    if (follows) pause.current = setTimeout(() => applyPart(text.trim()), DEBOUNCE_MS);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // Of an input method, Enter takes a suggestion.
    if (event.key === "Enter" && !event.nativeEvent.isComposing) applyTrimmed(typed);
    if (event.key === "ArrowDown" && onDown) {
      event.preventDefault();
      applyTrimmed(typed);
      onDown();
    }
    // In a panel, Escape closes the panel instead.
    if (event.key !== "Escape" || !searching) return;
    event.preventDefault();
    if (typed === "") event.currentTarget.blur();
    else applyTrimmed("");
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
        onChange={(event) => onType(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={() => applyTrimmed(typed)}
      />
      {value === "" ? null : (
        <IconButton
          label={`Clear "${label}"`}
          tip="Clear"
          className={classes["clear"]}
          onClick={() => applyTrimmed("")}
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
export function FilterSelect({ label, value: given, options, focused, onChange }: FilterSelectProps) {
  const id = useId();
  const [value = "", input] = useLastInput(given, onChange);
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
        onChange={(event) => input(event.currentTarget.value || undefined)}
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
