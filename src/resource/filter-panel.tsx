import { Fragment, type ReactNode, type RefObject } from "react";

import { Help } from "~/features/help/help";
import { FilterToggle } from "~/ui/controls/filter-toggle";
import { FilterSelect, FilterText } from "~/ui/controls/filters";
import { PopoverPanel } from "~/ui/overlay/popover-panel";

import classes from "./filter-panel.module.css";
import type { Item } from "./define";
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
  /** The screen's own controls, below the filters. */
  readonly more?: ReactNode;
}

/** The filters of a list that are not always on screen. A change applies immediately. */
export function FilterPanel<T extends Item, I>(props: FilterPanelProps<T, I>): ReactNode {
  const { list, own, more, first, ...place } = props;
  return (
    <PopoverPanel {...place} label="Filters" side="start" width="min(22rem, calc(100vw - 1rem))">
      <div className={classes["panel"]}>
        {filterParts(list, own).panel.map(({ name, label, control, value, onChange }) => {
          const focused = name === first || undefined;
          if (control === undefined) return null;
          if (control === "flag")
            return (
              <Fragment key={name}>
                <FilterToggle
                  label={label}
                  checked={value !== undefined}
                  onChange={(checked) => onChange(checked ? "yes" : undefined)}
                />
                {name === "reach" ? <Help about="subfolders" /> : null}
              </Fragment>
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
    </PopoverPanel>
  );
}
