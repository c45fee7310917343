import { AlertIcon, RowsIcon, SyncIcon } from "@primer/octicons-react";
import { useEffect, useId, useState, type FormEvent } from "react";

import { announce } from "../feedback/announcer";
import { useNow } from "../clock";
import { IconButton } from "../controls/icon-button";
import { ageText, fromText } from "../display/time-text";
import classes from "./footer.module.css";
import { setDensity, type Density } from "./use-columns";

const READ_ANEW = "The list changed and was reloaded";
/** Milliseconds for which that is said. */
const SAID = 30_000;

interface FooterProps {
  /** "1–42 of 118"; undefined when there are no rows. */
  range: string | undefined;
  /** How many rows there are to jump to; undefined: no jumping. */
  rows: number | undefined;
  onJump: (row: number) => void;
  updatedAt: number;
  /** When the list was read anew because it could not be continued. */
  anew: number | undefined;
  refreshing: boolean;
  /** What is wrong with the rows, in a sentence. */
  odd: string | undefined;
  /** The last refresh failed; the rows are those from before. */
  failed: boolean;
  onRefresh: (() => unknown) | undefined;
  density: Density;
  narrow: boolean;
}

/** Where one is in the list, how old it is, and how to move. No live region: it changes while scrolling. */
export function ListFooter(props: FooterProps) {
  const { range, rows, onJump, updatedAt, anew, odd, refreshing, failed, onRefresh, density, narrow } = props;
  useEffect(() => {
    if (anew !== undefined) announce(READ_ANEW);
  }, [anew]);
  const other = density === "compact" ? "comfortable" : "compact";
  return (
    <div className={classes["footer"]}>
      <span className={classes["range"]}>{range}</span>
      {odd ? (
        <span className={classes["odd"]} role="note">
          <AlertIcon size={16} /> {odd}
        </span>
      ) : null}
      <span className={classes["age"]} data-failed={failed || undefined}>
        {failed ? (
          <>
            <AlertIcon size={16} /> Could not refresh <Age since={updatedAt} text={fromText} />
          </>
        ) : narrow && anew === undefined ? null : (
          <Age since={updatedAt} anew={anew} quiet={narrow} text={ageText} />
        )}
        {onRefresh ? (
          <IconButton
            label="Refresh"
            className={refreshing ? (classes["spin"] ?? "") : ""}
            aria-disabled={refreshing || undefined}
            onClick={() => (refreshing ? undefined : onRefresh())}
          >
            <SyncIcon size={16} />
          </IconButton>
        ) : null}
        {narrow ? null : (
          <IconButton label={`Make rows ${other}`} onClick={() => setDensity(other)}>
            <RowsIcon size={16} />
          </IconButton>
        )}
      </span>
      {rows === undefined ? null : <Jump rows={rows} onJump={onJump} />}
    </div>
  );
}

interface AgeProps {
  since: number;
  anew?: number | undefined;
  /** There is no room to say how old it is. */
  quiet?: boolean;
  text: (since: number, now: number) => string;
}

function Age({ since, anew = 0, quiet = false, text }: AgeProps) {
  const now = useNow(1);
  const said = now - anew < SAID ? READ_ANEW : quiet || since === 0 ? undefined : text(since, now);
  return said === undefined ? null : <span aria-live="off">{said}</span>;
}

function Jump({ rows, onJump }: { rows: number; onJump: (row: number) => void }) {
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
      <label htmlFor={id}>Jump to row</label>
      <input
        id={id}
        className={classes["number"]}
        inputMode="numeric"
        autoComplete="off"
        enterKeyHint="go"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value.replace(/\D/g, ""))}
      />
    </form>
  );
}
