import { ChevronDownIcon, XIcon } from "lucide-react";
import { useId, useRef, useState, type ReactNode } from "react";

import { Popover } from "../overlay/popover";
import classes from "./filter-picker.module.css";
import filters from "./filters.module.css";
import { IconButton } from "./icon-button";

interface FilterPickerProps {
  readonly label: string;
  /** Name of the chosen value; undefined if none. */
  readonly chosen: string | undefined;
  readonly onClear: () => void;
  /** What it says without a choice; default: "any". */
  readonly none?: string | undefined;
  /** The panel to choose from; it must call `close` after a choice. */
  readonly children: (close: () => void) => ReactNode;
}

/** A filter with too many values for a list: shows the name of the chosen one, and opens a panel to find another. */
export function FilterPicker({
  label,
  chosen,
  onClear,
  none = "any",
  children,
}: FilterPickerProps): ReactNode {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <div className={filters["filter"]} data-active={chosen !== undefined || undefined}>
      <button
        ref={button}
        type="button"
        className={classes["button"]}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onPointerEnter={Popover.preload}
        onFocus={Popover.preload}
        onClick={() => setOpen((now) => !now)}
      >
        <span className={`${classes["label"]} ${chosen === undefined ? "" : filters["word"]}`}>{label}</span>{" "}
        <bdi className={classes["chosen"]} title={chosen}>
          {chosen ?? none}
        </bdi>
        <ChevronDownIcon size={16} />
      </button>
      {chosen === undefined ? null : (
        <IconButton
          label={`Clear "${label}"`}
          tip="Clear"
          className={classes["clear"]}
          onClick={() => {
            // This button unmounts and would lose the focus.
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
