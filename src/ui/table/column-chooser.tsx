import { Button } from "@mantine/core";
import { useState, useSyncExternalStore, type RefObject } from "react";

import "../controls/button-styles";
import { writePreference, readPreference, subscribePreferences } from "../preferences";
import { PopoverPanel } from "../overlay/popover-panel";
import { choose, keptAs, NARROW, readChoice, shownColumns, widthOf } from "./column-choice";
import classes from "./column-chooser.module.css";
import type { Column } from "./types";
import { rootPx } from "./use-columns";

export interface ColumnChooserProps {
  /** Of the table that they are columns of. */
  list: string;
  columns: readonly Column<never>[];
  /** Of the panel. */
  id: string;
  button: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

/** Chooses the columns of a list. A choice applies at once and stays for this person in this browser. */
export function ColumnChooser({ list, columns, id, button, onClose }: ColumnChooserProps) {
  const text = useSyncExternalStore(subscribePreferences, () => readPreference(keptAs(list)));
  // Of all others the tick says what was there when the choosing began: they must not change under the pointer.
  const [before] = useState(() => idsOf(list, columns));
  const choice = readChoice(text);
  const shown = idsOf(list, columns);
  const narrow = (widthOf(list) ?? NARROW) < NARROW;

  return (
    <PopoverPanel id={id} label="Columns" button={button} side="end" width="14rem" onClose={onClose}>
      <div className={classes["panel"]}>
        <h2 className={classes["title"]}>Columns</h2>
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
                  <span className={classes["reason"]}>always shown</span>
                ) : ticked && !shown.has(id) && !narrow ? (
                  <span className={classes["reason"]}>window too narrow</span>
                ) : null}
              </span>
            </label>
          );
        })}
        {narrow ? (
          <p className={classes["note"]}>This window is too narrow for columns. Wider windows show these.</p>
        ) : null}
        <div className={classes["foot"]}>
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => {
              writePreference(keptAs(list), null);
              onClose();
            }}
          >
            Reset columns
          </Button>
        </div>
      </div>
    </PopoverPanel>
  );
}

/** What the list shows as it stands; where names alone have room, what it would show in a wider window. */
function idsOf(list: string, columns: readonly Column<never>[]): ReadonlySet<string> {
  const width = widthOf(list);
  const wide = width === undefined || width < NARROW ? undefined : width;
  const shown = shownColumns(columns, readChoice(readPreference(keptAs(list))), wide, rootPx());
  return new Set(shown.map(({ id }) => id));
}
