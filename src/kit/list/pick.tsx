import classes from "./list.module.css";

interface PickProps {
  /** What it selects. */
  label: string;
  checked: boolean;
  mixed?: boolean;
  onPick: (range: boolean) => void;
}

/** The checkbox of a row, or that of all. A click with Shift, or Shift and Space, reaches from the one picked last. */
export function Pick({ label, checked, mixed = false, onPick }: PickProps) {
  return (
    <label className={classes["pick"]}>
      <input
        type="checkbox"
        aria-label={label}
        checked={checked}
        ref={(box) => {
          if (box) box.indeterminate = mixed;
        }}
        onChange={({ nativeEvent }) => onPick((nativeEvent as MouseEvent).shiftKey)}
      />
    </label>
  );
}
