import { useCallback, useRef, useState, type KeyboardEvent, type ReactNode } from "react";

import { IconButton } from "../controls/icon-button";
import { Dash } from "./dash";
import classes from "./definition-list.module.css";
import { factText } from "./fact-text";
import { OwnCopy } from "./own-copy";
import { ExactTimes } from "./time";
import { useCopy } from "./use-copy";

interface FactProps {
  readonly term: string;
  readonly value: ReactNode;
  /** True if Tab stops at its button; arrow keys lead to those of the other facts. */
  readonly stop: boolean;
  /** Called with false when the value turns out to have a copy button of its own, or to be none. */
  readonly onCopyable: (term: string, copyable: boolean) => void;
  readonly onFocus: () => void;
}

export const isEmpty = ({ value }: { readonly value: ReactNode }): boolean =>
  value === undefined || value === null || value === "" || value === false;

/** The value of one fact, with a button that copies it. */
export function Fact({ term, value, stop, onCopyable, onFocus }: FactProps): ReactNode {
  const cell = useRef<HTMLElement>(null);
  const [own, setOwn] = useState(0);
  const register = useCallback(() => {
    setOwn((count) => count + 1);
    onCopyable(term, false);
    return () => {
      setOwn((count) => count - 1);
      onCopyable(term, true);
    };
  }, [term, onCopyable]);
  const { copy, icon, tip } = useCopy(term.toLowerCase());
  const empty = isEmpty({ value });
  return (
    <dd ref={cell} className={classes["value"]}>
      <ExactTimes value>
        <OwnCopy value={register}>{empty ? <Dash /> : value}</OwnCopy>
      </ExactTimes>
      {empty || own > 0 ? null : (
        <IconButton
          label={`Copy ${term.toLowerCase()}`}
          tip={tip}
          className={classes["copy"] ?? ""}
          data-copy-fact
          tabIndex={stop ? 0 : -1}
          onFocus={onFocus}
          onClick={() => cell.current && void copy(factText(cell.current))}
        >
          {icon}
        </IconButton>
      )}
    </dd>
  );
}

/** Moves the focus among the copy buttons of a list of facts. */
export function moveAmongFacts(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget, key } = event;
  if (!(target instanceof HTMLElement) || !target.matches("[data-copy-fact]")) return;
  const buttons = [...currentTarget.querySelectorAll<HTMLElement>("[data-copy-fact]")];
  const at = buttons.indexOf(target);
  const step = {
    ArrowDown: at + 1,
    ArrowRight: at + 1,
    ArrowUp: at - 1,
    ArrowLeft: at - 1,
    Home: 0,
    End: -1,
  }[key];
  if (step === undefined) return;
  event.preventDefault();
  buttons.at(key === "End" ? -1 : Math.max(0, Math.min(step, buttons.length - 1)))?.focus();
}
