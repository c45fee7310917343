import { Button } from "@mantine/core";
import { useState, useSyncExternalStore, type RefObject } from "react";

import "../controls/button-styles";
import { writePreference, readPreference, subscribePreferences } from "../preferences";
import { PopoverPanel } from "../overlay/popover-panel";
import { MinusIcon, PlusIcon } from "lucide-react";
import { IconButton } from "../controls/icon-button";
import { announce } from "../feedback/announcer";
import {
  choiceOf,
  choose,
  keptAs,
  NARROW,
  setWidth,
  shownColumns,
  widthOf,
  widthsKeptAs,
  withinLimits,
} from "./column-choice";
import classes from "./column-chooser.module.css";
import type { Column } from "./types";
import { rootPx } from "./use-columns";

/** How much a press changes a width, in px. */
const STEP = 24;

export interface ColumnChooserProps {
  /** Label of the table. */
  list: string;
  columns: readonly Column<never>[];
  /** The columns of the link that opened the list; `onChoose` must drop them, as the user's own choice replaces them. */
  shared: string | undefined;
  onChoose: (() => void) | undefined;
  /** id of the panel. */
  id: string;
  button: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

/** Chooses the columns of a list. A choice applies immediately and is stored per user in this browser. */
export function ColumnChooser(props: ColumnChooserProps) {
  const { list, columns, shared, onChoose, id, button, onClose } = props;
  useSyncExternalStore(subscribePreferences, () => readPreference(keptAs(list)));
  // Checkboxes without a choice keep their state from when the panel opened: they must not change under the pointer.
  const [before] = useState(() => idsOf(list, columns, shared));
  const choice = choiceOf(list, columns, shared);
  const shown = idsOf(list, columns, shared);
  const narrow = (widthOf(list) ?? NARROW) < NARROW;

  return (
    <PopoverPanel id={id} label="Columns" button={button} side="end" width="17rem" onClose={onClose}>
      <div className={classes["panel"]}>
        <h2 className={classes["title"]}>Columns</h2>
        {columns.map(({ id, header }, index) => {
          const ticked = index === 0 || (choice[id] ?? before.has(id));
          return (
            <div key={id} className={classes["line"]}>
              <label className={classes["choice"]}>
                <input
                  type="checkbox"
                  checked={ticked}
                  disabled={index === 0}
                  data-autofocus={index === 1 || undefined}
                  onChange={(event) => {
                    choose(list, choice, id, event.currentTarget.checked);
                    onChoose?.();
                  }}
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
              {ticked && !narrow && shown.has(id) ? (
                <WidthButtons list={list} id={id} header={header} />
              ) : null}
            </div>
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
              writePreference(widthsKeptAs(list), null);
              onChoose?.();
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

/** Makes a column narrower or wider: what dragging its header does, for the keyboard. */
function WidthButtons({
  list,
  id,
  header,
}: {
  readonly list: string;
  readonly id: string;
  readonly header: string;
}) {
  const change = (by: number) => {
    const now = columnWidth(list, id);
    if (now === undefined) return;
    setWidth(list, id, now + by);
    announce(`${header}: ${withinLimits(now + by)} pixels wide`);
  };
  return (
    <span className={classes["widths"]}>
      <IconButton label={`Make ${header} narrower`} tip={false} onClick={() => change(-STEP)}>
        <MinusIcon size={14} />
      </IconButton>
      <IconButton label={`Make ${header} wider`} tip={false} onClick={() => change(STEP)}>
        <PlusIcon size={14} />
      </IconButton>
    </span>
  );
}

/** The width of a column on screen, in px. */
function columnWidth(list: string, id: string): number | undefined {
  const table = document.querySelector(`[role="table"][aria-label=${JSON.stringify(list)}]`);
  return table?.querySelector(`[data-column=${JSON.stringify(id)}]`)?.getBoundingClientRect().width;
}

/** The columns that the list shows now; if there is space only for names, those that a wider window would show. */
function idsOf(
  list: string,
  columns: readonly Column<never>[],
  shared: string | undefined,
): ReadonlySet<string> {
  const width = widthOf(list);
  const wide = width === undefined || width < NARROW ? undefined : width;
  const shown = shownColumns(columns, choiceOf(list, columns, shared), wide, rootPx());
  return new Set(shown.map(({ id }) => id));
}
