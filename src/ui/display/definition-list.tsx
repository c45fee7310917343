import { useCallback, useState, type ReactNode, useRef, type KeyboardEvent } from "react";

import classes from "./definition-list.module.css";
import { IconButton } from "../controls/icon-button";
import { Dash } from "./dash";
import { OwnCopy } from "./own-copy";
import { ExactTimes } from "./time";
import { useCopy } from "./use-copy";

/** On parts of a value that only help to read it: a copy leaves them out. */
const ASIDE = "button, svg, summary, [aria-hidden=true], [data-aside], .pc-visually-hidden";
const BLOCKS = "div, dd, li, p, pre, tr, details";

/** The text of a shown value, as one would write it: whole where it is shortened, times as in the API, lines as lines. */
function factText(element: Element): string {
  return textOf(element)
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
    .join("\n");
}

function textOf(node: Node): string {
  if (!(node instanceof Element)) return node.textContent?.replaceAll(/\s+/g, " ") ?? "";
  if (node.matches(ASIDE)) return "";
  const exact =
    node.getAttribute("data-exact") ?? (node.matches("time") ? node.getAttribute("datetime") : null);
  if (exact !== null) return exact;
  const text = [...node.childNodes].map(textOf).join("");
  return node.matches(BLOCKS) ? `\n${text}\n` : text;
}

interface FactProps {
  readonly term: string;
  readonly value: ReactNode;
  /** True if Tab stops at its button; arrow keys lead to those of the other facts. */
  readonly stop: boolean;
  /** Called with false when the value turns out to have a copy button of its own, or to be none. */
  readonly onCopyable: (term: string, copyable: boolean) => void;
  readonly onFocus: () => void;
}

const isEmpty = ({ value }: { readonly value: ReactNode }): boolean =>
  value === undefined || value === null || value === "" || value === false;

/** The value of one fact, with a button that copies it. */
function Fact({ term, value, stop, onCopyable, onFocus }: FactProps): ReactNode {
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
function moveAmongFacts(event: KeyboardEvent<HTMLElement>): void {
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

export interface Definition {
  readonly term: string;
  /** undefined, null and "" show a dash. */
  readonly value: ReactNode;
  /** Spans both columns, for long values. */
  readonly wide?: boolean;
}

/** True if no other fact stands beside this one: the box would have a hole. */
function isAlone(items: readonly Definition[], index: number): boolean {
  const before = items.slice(0, index).findLastIndex(({ wide }) => wide);
  const next = items[index + 1];
  return (index - before) % 2 === 1 && (next === undefined || next.wide === true);
}

/**
 * Facts of a record in two columns, or one if space is narrow. Each can be copied. The buttons are one Tab stop, with
 * arrow keys between them.
 */
export function DefinitionList({ items }: { items: readonly Definition[] }) {
  const [uncopyable, setUncopyable] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useState<string>();
  const onCopyable = useCallback((term: string, copyable: boolean) => {
    setUncopyable((now) => {
      if (now.has(term) !== copyable) return now;
      const next = new Set(now);
      if (copyable) next.delete(term);
      else next.add(term);
      return next;
    });
  }, []);
  const copyable = items.filter((item) => !isEmpty(item) && !uncopyable.has(item.term));
  const stop = copyable.some(({ term }) => term === current) ? current : copyable[0]?.term;
  return (
    <dl className={classes["list"]} onKeyDown={moveAmongFacts}>
      {items.map(({ term, value, wide }, index) => (
        <div
          key={term}
          className={classes["item"]}
          data-wide={wide || undefined}
          data-last={isAlone(items, index) || undefined}
        >
          <dt className={classes["term"]}>{term}</dt>
          <Fact
            term={term}
            value={value}
            stop={term === stop}
            onCopyable={onCopyable}
            onFocus={() => setCurrent(term)}
          />
        </div>
      ))}
    </dl>
  );
}
