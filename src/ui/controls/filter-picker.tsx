import { ChevronDownIcon, XIcon } from "lucide-react";
import { useId, useRef, useState, type ReactNode } from "react";

import { Popover } from "../overlay/popover";
import classes from "./filter-picker.module.css";
import filters from "./filters.module.css";
import { IconButton } from "./icon-button";

interface FilterPickerProps {
  readonly label: string;
  /** The name of what is chosen; undefined: nothing is. */
  readonly chosen: string | undefined;
  readonly onClear: () => void;
  /** The button is near the pointer or has the focus: time to fetch what the panel needs. */
  readonly onNear: () => void;
  /** The panel to choose from; `close` when something is chosen. */
  readonly children: (close: () => void) => ReactNode;
}

/** A filter whose values are too many for a list: what is chosen is shown by name, and found in a panel. */
export function FilterPicker({ label, chosen, onClear, onNear, children }: FilterPickerProps): ReactNode {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const near = () => {
    Popover.preload();
    onNear();
  };
  return (
    <div className={filters["filter"]} data-active={chosen !== undefined || undefined}>
      <button
        ref={button}
        type="button"
        className={classes["button"]}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onPointerEnter={near}
        onFocus={near}
        onClick={() => setOpen((now) => !now)}
      >
        <span className={classes["label"]}>{label}</span>{" "}
        <bdi className={classes["chosen"]} title={chosen}>
          {chosen ?? "any"}
        </bdi>
        <ChevronDownIcon size={16} />
      </button>
      {chosen === undefined ? null : (
        <IconButton
          label={`Clear "${label}"`}
          tip="Clear"
          className={classes["clear"]}
          onClick={() => {
            // The button goes, and the focus would go with it.
            button.current?.focus();
            onClear();
          }}
        >
          <XIcon size={16} />
        </IconButton>
      )}
      {open ? (
        <Popover
          id={id}
          label={label}
          button={button}
          side="start"
          width="min(24rem, calc(100vw - 1rem))"
          onClose={close}
        >
          <div className={classes["panel"]}>{children(close)}</div>
        </Popover>
      ) : null}
    </div>
  );
}
