import { TriangleAlertIcon, Rows3Icon, RefreshCwIcon } from "lucide-react";
import { createContext, use, useId, useState, type FormEvent, type ReactNode } from "react";

import { useNow } from "../clock";
import { IconButton } from "../controls/icon-button";
import { ageText, fromText } from "../display/time-text";
import classes from "./footer.module.css";
import { setDensity, type Density } from "./use-columns";

/** On phones, the main action of a list: in its footer, within reach of the thumb. */
export const FooterAction = createContext<ReactNode>(undefined);

interface FooterProps {
  /** "1–42 of 118"; undefined when there are no rows. */
  range: string | undefined;
  /** What the range and the jump count, if not rows. */
  counted: { readonly one: string; readonly plural: string; readonly inRows: string } | undefined;
  /** The highest number to jump to; undefined if jumping is not available. */
  rows: number | undefined;
  onJump: (row: number) => void;
  updatedAt: number;
  refreshing: boolean;
  /** The last refresh failed; the rows are from before. */
  failed: boolean;
  onRefresh: (() => unknown) | undefined;
  density: Density;
  narrow: boolean;
}

/** The position in the list, its age, and controls. Not a live region: it changes while scrolling. */
export function ListFooter(props: FooterProps) {
  const { range, counted, rows, onJump, updatedAt, refreshing, failed, onRefresh, density, narrow } = props;
  const action = use(FooterAction);
  const other = density === "compact" ? "comfortable" : "compact";
  return (
    <div className={classes["footer"]}>
      <span className={classes["range"]}>
        {range}
        {range !== undefined && counted && !narrow ? ` ${counted.plural}${counted.inRows}` : null}
      </span>
      <span className={classes["age"]} data-failed={failed || undefined}>
        {failed ? (
          <>
            <TriangleAlertIcon size={16} /> Couldn't refresh <Age since={updatedAt} text={fromText} />
          </>
        ) : narrow ? null : (
          <Age since={updatedAt} text={ageText} />
        )}
        {onRefresh ? (
          <IconButton
            label="Refresh"
            className={refreshing ? (classes["spin"] ?? "") : ""}
            aria-disabled={refreshing || undefined}
            onClick={() => (refreshing ? undefined : onRefresh())}
          >
            <RefreshCwIcon size={16} />
          </IconButton>
        ) : null}
        {narrow ? null : (
          <IconButton label={`Make rows ${other}`} onClick={() => setDensity(other)}>
            <Rows3Icon size={16} />
          </IconButton>
        )}
      </span>
      {rows === undefined ? null : (
        <Jump rows={rows} one={counted?.one ?? "row"} onJump={onJump} short={action !== undefined} />
      )}
      {action}
    </div>
  );
}

interface AgeProps {
  since: number;
  text: (since: number, now: number) => string;
}

function Age({ since, text }: AgeProps) {
  const now = useNow(1);
  return since === 0 ? null : <span aria-live="off">{text(since, now)}</span>;
}

interface JumpProps {
  rows: number;
  one: string;
  onJump: (row: number) => void;
  /** There is no room for the label beside the field. */
  short: boolean;
}

function Jump({ rows, one, onJump, short }: JumpProps) {
  const id = useId();
  const [typed, setTyped] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const row = Number(typed);
    if (!Number.isInteger(row) || row < 1) return;
    onJump(Math.min(row, rows) - 1);
    setTyped("");
  };
  return (
    <form className={classes["jump"]} onSubmit={submit} noValidate>
      <label htmlFor={id} className={short ? "pc-visually-hidden" : undefined}>
        Jump to {one}
      </label>
      <input
        id={id}
        className={classes["number"]}
        inputMode="numeric"
        autoComplete="off"
        enterKeyHint="go"
        placeholder={short ? (one === "row" ? "Row" : "Number") : undefined}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value.replace(/\D/g, ""))}
      />
    </form>
  );
}
