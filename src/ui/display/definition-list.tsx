import { useCallback, useState, type ReactNode } from "react";

import classes from "./definition-list.module.css";
import { Fact, isEmpty, moveAmongFacts } from "./fact";

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
