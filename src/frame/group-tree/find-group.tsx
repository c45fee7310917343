import { SearchIcon, XIcon } from "lucide-react";
import {
  useDeferredValue,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from "react";

import classes from "./find-group.module.css";
import { FoundGroups } from "./lazy-parts";
import type { LinkTo } from "./tree-row";

interface FindGroupProps {
  /** uid of the chosen group. */
  readonly current: string | undefined;
  readonly linkTo: LinkTo;
  /** Takes the focus when it appears. */
  readonly takesFocus?: boolean;
  /** Shown while nothing is typed: a tree, or a list. */
  readonly children: ReactNode;
}

const FOUND = "[data-found]";

/** A search for a part of a group's name, over all groups. What it finds takes the place of `children`. */
export function FindGroup({ current, linkTo, takesFocus = false, children }: FindGroupProps): ReactNode {
  const [typed, setTyped] = useState("");
  const text = useDeferredValue(typed.trim());
  const field = useRef<HTMLInputElement>(null);
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (takesFocus) field.current?.focus();
  }, [takesFocus]);
  const clear = () => {
    setTyped("");
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, target } = event;
    if (key === "Escape" && typed !== "") {
      // The panel or the dialog around it stays open.
      event.preventDefault();
      event.stopPropagation();
      return clear();
    }
    const found = [...(root.current?.querySelectorAll<HTMLElement>(FOUND) ?? [])];
    if (key === "Enter" && target === field.current) {
      event.preventDefault();
      return typed.trim() === "" ? undefined : found[0]?.click();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (step === undefined) return;
    const at = found.findIndex((each) => each === target);
    if (at < 0 && target !== field.current) return;
    event.preventDefault();
    // Below the field is the tree's row that takes the focus, or the first link of a list.
    const below = root.current?.querySelector<HTMLElement>("[role=treeitem][tabindex='0']") ?? found[0];
    const next = at < 0 ? (step > 0 ? below : null) : (found[at + step] ?? (at === 0 ? field.current : null));
    next?.focus();
  };
  return (
    <div
      ref={root}
      role="presentation"
      className={classes["finder"]}
      onKeyDown={onKeyDown}
      // A choice ends the search: the tree shows where it is.
      onClick={({ target, ctrlKey, metaKey, shiftKey }) => {
        if (ctrlKey || metaKey || shiftKey) return;
        if (target instanceof Element && target.closest(FOUND)) clear();
      }}
    >
      <div className={classes["field"]}>
        <SearchIcon size={14} />
        <input
          ref={field}
          type="search"
          aria-label="Search folders"
          placeholder="Search folders"
          value={typed}
          autoComplete="off"
          spellCheck={false}
          data-autofocus={takesFocus || undefined}
          data-folder-search=""
          onFocus={FoundGroups.preload}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {typed === "" ? null : (
          <button type="button" aria-label="Clear the search" className={classes["clear"]} onClick={clear}>
            <XIcon size={14} />
          </button>
        )}
      </div>
      {text === "" ? children : <FoundGroups text={text} current={current} linkTo={linkTo} />}
    </div>
  );
}
