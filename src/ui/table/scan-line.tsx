import { Button } from "@mantine/core";
import { useLayoutEffect, useRef } from "react";

import { announce } from "../feedback/announcer";
import "../controls/button-styles";
import { useSecondsLeft, Wait } from "../feedback/countdown";
import { errorFacts } from "../feedback/error-facts";
import { formatCount } from "../display/numbers";
import classes from "./scan-line.module.css";
import { scanText, type ScanFacts } from "./scan-text";

interface ScanLineProps extends ScanFacts {
  /** Why the next page could not be read; absent if nothing failed. */
  error?: Error | null | undefined;
  onStop: () => void;
  onResume: () => void;
  onRestart: () => void;
}

/**
 * The progress of a scan of a list with a filter that the service lacks. Has the same height in every state, so that
 * the rows below it do not move. Announces the start and the end to screen readers.
 */
export function ScanLine({ error, onStop, onResume, onRestart, ...facts }: ScanLineProps) {
  const { state, what, read, total, outdated } = facts;
  const { message: trouble, retryAt } = error ? errorFacts(error) : {};
  // If the service requests a wait, the scan continues automatically after it.
  const wait = useSecondsLeft(retryAt, onResume);
  const text = scanText(facts);
  const said = useRef(state);
  const line = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (said.current === state) return;
    said.current = state;
    announce(state === "reading" ? `Searching ${what}` : [text, trouble].filter(Boolean).join(". "));
    // The button unmounts at the end of the scan and would lose the focus.
    if (state === "done" && line.current?.contains(document.activeElement)) line.current.focus();
  });
  const button = {
    reading: { label: "Stop", act: onStop },
    stopped: { label: "Resume", act: onResume },
    failed: { label: "Continue", act: onResume },
    done: outdated ? { label: "Read again", act: onRestart } : undefined,
  }[state];
  const all = total === undefined ? undefined : Number(total);
  return (
    <div ref={line} className={classes["line"]} tabIndex={-1} role="group" aria-label={`Search of ${what}`}>
      <p className={classes["text"]} data-state={state}>
        {text}
        {trouble === undefined ? null : (
          <span className={classes["trouble"]}>
            . {trouble}
            {wait > 0 ? (
              <>
                {" "}
                Continues in <Wait seconds={wait} />.
              </>
            ) : null}
          </span>
        )}
      </p>
      {button ? (
        <Button variant="default" size="compact-sm" onClick={button.act}>
          {button.label}
        </Button>
      ) : null}
      {state === "done" ? null : (
        <progress
          className={classes["progress"]}
          data-state={state}
          aria-label={`Reading ${what}`}
          aria-valuetext={`${formatCount(read)}${all === undefined ? "" : ` of ${formatCount(all)}`} read`}
          max={all === undefined ? undefined : Math.max(all, 1)}
          value={all === undefined ? undefined : Math.min(read, all)}
        />
      )}
    </div>
  );
}
