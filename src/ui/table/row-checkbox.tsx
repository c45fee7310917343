import classes from "./table.module.css";

interface PickProps {
  /** Accessible name: what it selects. */
  label: string;
  role?: "cell" | "columnheader";
  checked: boolean;
  mixed?: boolean;
  /** There is nothing to select yet. It stays in the tab order, so that it does not lose the focus. */
  idle?: boolean;
  onPick: (range: boolean) => void;
}

/** The cell with the checkbox of a row, or of all rows. Shift+click or Shift+Space extends the selection from the last pick. */
export function RowCheckbox({ label, role, checked, mixed = false, idle = false, onPick }: PickProps) {
  return (
    // The whole cell, for the pointer: the checkbox itself is too small for a finger.
    <div
      role={role}
      className={classes["pick"]}
      onClick={({ target, currentTarget, shiftKey }) => {
        if (target !== currentTarget) return;
        currentTarget.querySelector("input")?.focus();
        onPick(shiftKey);
      }}
    >
      <input
        type="checkbox"
        aria-label={label}
        aria-disabled={idle || undefined}
        checked={checked}
        ref={(box) => {
          if (box) box.indeterminate = mixed;
        }}
        onChange={({ nativeEvent }) => onPick((nativeEvent as MouseEvent).shiftKey)}
      />
    </div>
  );
}
