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
  /** Label of the table. */
  list: string;
  columns: readonly Column<never>[];
  /** id of the panel. */
  id: string;
  button: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

/** Chooses the columns of a list. A choice applies immediately and is stored per user in this browser. */
export function ColumnChooser({ list, columns, id, button, onClose }: ColumnChooserProps) {
  const text = useSyncExternalStore(subscribePreferences, () => readPreference(keptAs(list)));
  // Checkboxes without a choice keep their state from when the panel opened: they must not change under the pointer.
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
          <p className={classes["note"]}>
            This window is too narrow for columns. A wider window shows these.
          </p>
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

/** The columns that the list shows now; if there is space only for names, those that a wider window would show. */
function idsOf(list: string, columns: readonly Column<never>[]): ReadonlySet<string> {
  const width = widthOf(list);
  const wide = width === undefined || width < NARROW ? undefined : width;
  const shown = shownColumns(columns, readChoice(readPreference(keptAs(list))), wide, rootPx());
  return new Set(shown.map(({ id }) => id));
}
