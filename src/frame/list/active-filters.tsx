import { Button } from "@mantine/core";
import { XIcon } from "lucide-react";
import { useRef, type KeyboardEvent, type ReactNode } from "react";

import "~/ui/controls/button-styles";
import classes from "~/ui/controls/filters.module.css";
import { IconButton } from "~/ui/controls/icon-button";

import type { Item } from "~/frame/define";
import { filterParts, type Chip } from "./filter-parts";
import type { ListScreen } from "./list-screen";

export interface ActiveFiltersProps<T extends Item, I> {
  readonly list: ListScreen<T, I>;
  /** Filters that the screen shows itself, by their search parameters. */
  readonly own: object;
  /** On phones, where no filter has a place of its own on screen. */
  readonly narrow: boolean;
  /** Chips for the screen's own view options. */
  readonly more: readonly Chip[];
  /** Opens the panel at the control of a chip. */
  readonly onEdit: (name: string) => void;
}

/** A list's active filters: a chip to change or remove each, a way to widen an exact search, and "Clear filters". */
export function ActiveFilters<T extends Item, I>(props: ActiveFiltersProps<T, I>): ReactNode {
  const { list, own, narrow, more, onEdit } = props;
  const { screens, search, filter } = list;
  const { noFilters } = screens;
  const chips = [...filterParts(list, own, narrow).chips, ...more];
  const by = screens.search.shownIn(search);
  // The change that searches for the same text less exactly.
  const wider = by === undefined ? undefined : screens.search.change(search[by], by);
  const filtered = Object.keys(noFilters).some((name) => search[name] !== undefined);
  const root = useRef<HTMLDivElement>(null);
  // The pressed button unmounts and would lose the focus.
  const bar = () => root.current?.closest<HTMLElement>("[role=search]");
  const remove = (index: number) => {
    const others = [...(root.current?.querySelectorAll<HTMLElement>("[data-chip]") ?? [])];
    const next = (others[index + 1] ?? others[index - 1])?.querySelector("button");
    (next ?? bar()?.querySelector<HTMLElement>("[aria-haspopup=dialog]") ?? bar())?.focus();
    chips[index]?.onRemove();
  };
  const onKeyDown = (index: number) => (event: KeyboardEvent) => {
    if (event.key !== "Delete" && event.key !== "Backspace") return;
    event.preventDefault();
    remove(index);
  };
  return (
    <div ref={root} className={classes["active"]}>
      {wider ? (
        <>
          <span className={classes["note"]}>Exact matches only</span>
          <Button
            variant="default"
            onClick={() => {
              bar()?.querySelector("input")?.focus();
              filter(wider);
            }}
          >
            Search further
          </Button>
        </>
      ) : null}
      {chips.map(({ edits, label, value }, index) => (
        <span
          key={label}
          data-chip=""
          data-active=""
          className={classes["filter"]}
          onKeyDown={onKeyDown(index)}
        >
          <Words label={label} value={value} onEdit={edits === undefined ? undefined : () => onEdit(edits)} />
          <IconButton
            label={`Remove filter "${label}"`}
            tip="Remove"
            className={classes["clear"]}
            onClick={() => remove(index)}
          >
            <XIcon size={16} />
          </IconButton>
        </span>
      ))}
      {filtered ? (
        <Button
          variant="subtle"
          className={classes["clearAll"]}
          onClick={() => {
            bar()?.focus();
            filter(noFilters);
          }}
        >
          Clear filters
        </Button>
      ) : null}
    </div>
  );
}

interface WordsProps extends Pick<Chip, "label" | "value"> {
  readonly onEdit: (() => void) | undefined;
}

function Words({ label, value, onEdit }: WordsProps): ReactNode {
  const words = (
    <>
      {label}
      {value === undefined ? null : (
        <>
          : <bdi>{value}</bdi>
        </>
      )}
    </>
  );
  if (!onEdit) return <span className={classes["words"]}>{words}</span>;
  return (
    <button
      type="button"
      className={classes["words"]}
      data-tip-overflow=""
      aria-haspopup="dialog"
      onClick={onEdit}
    >
      {words}
    </button>
  );
}
