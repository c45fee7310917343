import classes from "./table.module.css";

interface PickProps {
  /** Accessible name: what it selects. */
  label: string;
  checked: boolean;
  mixed?: boolean;
  /** There is nothing to select yet. It stays in the tab order, so that it does not lose the focus. */
  idle?: boolean;
  onPick: (range: boolean) => void;
}

/** The checkbox of a row, or of all rows. Shift+click or Shift+Space extends the selection from the last pick. */
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
