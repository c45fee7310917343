import { Button } from "@mantine/core";
import type { ReactNode, RefObject } from "react";

import "~/ui/controls/button-styles";
import { Help } from "~/frame/help/help";
import { FilterToggle } from "~/ui/controls/filter-toggle";
import { FilterSelect, FilterText } from "~/ui/controls/filters";
import { PopoverPanel } from "~/ui/overlay/popover-panel";
import { Sheet } from "~/ui/overlay/sheet";

import classes from "./filter-panel.module.css";
import type { Item } from "~/frame/define";
import { filterParts } from "./filter-parts";
import type { ListScreen } from "./list-screen";

export interface FilterPanelProps<T extends Item, I> {
  readonly list: ListScreen<T, I>;
  /** Filters that the screen shows itself, by their search parameters. */
  readonly own: object;
  /** id of the panel, for the `aria-controls` of its button. */
  readonly id: string;
  readonly button: RefObject<HTMLButtonElement | null>;
  /** Search parameter of the control that gets the initial focus. */
  readonly first?: string | undefined;
  readonly onClose: () => void;
  /** On phones: a sheet from the bottom, with all filters of the list. */
  readonly narrow: boolean;
  /** The screen's own controls: above the filters if they have no place on screen, and below them. */
  readonly above?: ReactNode;
  readonly more?: ReactNode;
}

/** The filters of a list that are not always on screen. A change applies immediately. */
export function FilterPanel<T extends Item, I>(props: FilterPanelProps<T, I>): ReactNode {
  const { list, own, narrow, above, more, first, ...place } = props;
  const controls = (
    <div className={classes["panel"]}>
      {above}
      {filterParts(list, own, narrow).panel.map(({ name, label, control, value, onChange }) => {
        const focused = name === first || undefined;
        if (control === undefined) return null;
        if (control === "flag")
          return (
            <div key={name} className={classes["flag"]}>
              <FilterToggle
                label={label}
                checked={value !== undefined}
                onChange={(checked) => onChange(checked ? "yes" : undefined)}
              />
              {name === "reach" ? <Help about="subfolders" /> : null}
            </div>
          );
        return typeof control === "string" ? (
          <FilterText
            key={name}
            label={label}
            type={control}
            value={value}
            focused={focused}
            onApply={onChange}
          />
        ) : (
          <FilterSelect
            key={name}
            label={label}
            value={value}
            options={control}
            focused={focused}
            onChange={onChange}
          />
        );
      })}
      {more}
    </div>
  );
  if (!narrow)
    return (
      <PopoverPanel {...place} label="Filters" side="start" width="min(22rem, calc(100vw - 1rem))">
        {controls}
      </PopoverPanel>
    );
  return (
    <Sheet
      at="bottom"
      title="Filters"
      onClose={place.onClose}
      footer={
        <>
          <Button variant="filled" onClick={place.onClose}>
            Show {list.screens.resource.plural}
          </Button>
          <Button variant="default" onClick={() => list.filter(list.screens.noFilters)}>
            Clear filters
          </Button>
        </>
      }
    >
      {controls}
    </Sheet>
  );
}
