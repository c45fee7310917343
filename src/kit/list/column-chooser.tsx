import { Button } from "@mantine/core";
import { useId, useRef, useState, useSyncExternalStore, type KeyboardEvent, type RefObject } from "react";

import "../button-styles";
import { keep, readKept, subscribeKept } from "../kept";
import menu from "../menu.module.css";
import { useAnchored } from "../use-anchored";
import { choose, keptAs, NARROW, readChoice, shownColumns, widthOf } from "./column-choice";
import classes from "./column-chooser.module.css";
import type { Column } from "./types";
import { rootPx } from "./use-layout";

export interface ColumnChooserProps {
  /** Of the table that they are columns of. */
  list: string;
  columns: readonly Column<never>[];
  button: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

/** Which columns of a list somebody sees. What is ticked counts at once, and stays for this person in this browser. */
export function ColumnChooser({ list, columns, button, onClose }: ColumnChooserProps) {
  const panel = useRef<HTMLDivElement>(null);
  const title = useId();
  const text = useSyncExternalStore(subscribeKept, () => readKept(keptAs(list)));
  // Of all others the tick says what was there when the choosing began: they must not change under the pointer.
  const [before] = useState(() => idsOf(list, columns));
  useAnchored(panel, button, "input:not(:disabled)", onClose);
  const choice = readChoice(text);
  const shown = idsOf(list, columns);
  const narrow = (widthOf(list) ?? NARROW) < NARROW;

  const leave = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    // A drawer around it would take the same Escape as its own.
    event.stopPropagation();
    button.current?.focus();
    onClose();
  };
  return (
    <div
      ref={panel}
      popover="manual"
      role="dialog"
      aria-labelledby={title}
      className={`${menu["menu"]} ${classes["panel"]}`}
      onKeyDown={leave}
    >
      <h2 id={title} className={classes["title"]}>
        Columns
      </h2>
      {columns.map(({ id, header }, index) => {
        const ticked = index === 0 || (choice[id] ?? before.has(id));
        return (
          <label key={id} className={classes["choice"]}>
            <input
              type="checkbox"
              checked={ticked}
              disabled={index === 0}
              onChange={(event) => choose(list, id, event.currentTarget.checked)}
            />
            <span>
              {header}
              {index === 0 ? (
                <span className={menu["reason"]}>always there</span>
              ) : ticked && !shown.has(id) && !narrow ? (
                <span className={menu["reason"]}>no room in this window</span>
              ) : null}
            </span>
          </label>
        );
      })}
      {narrow ? (
        <p className={classes["note"]}>
          A window this narrow shows names and a line beneath. Wider ones show these columns.
        </p>
      ) : null}
      <div className={classes["foot"]}>
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => {
            keep(keptAs(list), null);
            button.current?.focus();
            onClose();
          }}
        >
          Reset columns
        </Button>
      </div>
    </div>
  );
}

/** What the list shows as it stands; where names alone have room, what it would show in a wider window. */
function idsOf(list: string, columns: readonly Column<never>[]): ReadonlySet<string> {
  const width = widthOf(list);
  const wide = width === undefined || width < NARROW ? undefined : width;
  const shown = shownColumns(columns, readChoice(readKept(keptAs(list))), wide, rootPx());
  return new Set(shown.map(({ id }) => id));
}
