import classes from "./table.module.css";

interface PickProps {
  /** What it selects. */
  label: string;
  checked: boolean;
  mixed?: boolean;
  /** There is nothing to select yet. It stays in the order of Tab: whoever stands on it does not lose the focus. */
  idle?: boolean;
  onPick: (range: boolean) => void;
}

/** The checkbox of a row, or that of all. A click with Shift, or Shift and Space, reaches from the one picked last. */
export function RowCheckbox({ label, checked, mixed = false, idle = false, onPick }: PickProps) {
  return (
    <label className={classes["pick"]}>
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
    </label>
  );
}
