import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { PlusIcon, SlidersHorizontalIcon } from "lucide-react";
import { Fragment, useEffect, useId, useRef, useState, type ReactNode } from "react";
import { useRouter } from "@tanstack/react-router";

import "~/ui/controls/button-styles";
import { FilterSelect, FilterText } from "~/ui/controls/filters";
import classes from "~/ui/controls/filters.module.css";
import { onDemand } from "~/ui/on-demand";
import { useNarrow } from "~/ui/layout/use-media";
import { firstUse } from "~/ui/on-first-interaction";
import type { Column } from "~/ui/table/types";
import { capitalize } from "~/ui/display/capitalize";
import type { Item } from "~/frame/define";

import { hasGroup } from "./columns";
import { thePast } from "~/api/client/moment";
import { loadListExtras } from "./load-list-extras";
import type { ActiveFiltersProps } from "./active-filters";
import type { FilterPanelProps } from "./filter-panel";
import type { Chip } from "./filter-parts";
import type { Filter } from "./filters";
import type { ListScreen } from "./list-screen";
import { ListTools, type ListToolsProps } from "./list-tools";

/**
 * The one search field of a list. A text goes to the first filter that takes it, which the service matches exactly if
 * it can; if nothing is found, the next filter is tried, which usually scans the whole list. The address names the
 * filter, and never stands for another one.
 */
function useSearchField<T extends Item, I>(list: ListScreen<T, I>) {
  const { screens, search, filter, replace } = list;
  const client = useQueryClient();
  const { history } = useRouter();
  const by = screens.search.shownIn(search);
  return {
    text: by && search[by],
    onApply: (typed: string | undefined, more: boolean) => {
      const change = screens.search.change(typed);
      if (!change) return;
      if (more) replace(change);
      else filter(change);
      if (typed === undefined) return;
      const view = { ...search, ...change, at: undefined };
      // The list shows the service's errors.
      loadListExtras()
        .then(({ widenSearch }) => widenSearch(list, client, history, typed, view))
        .catch(() => undefined);
    },
  };
}

const FilterPanel = onDemand<FilterPanelProps<never, never>>(
  async () => (await loadListExtras()).FilterPanel,
);
const ActiveFilters = onDemand<ActiveFiltersProps<never, never>>(
  async () => (await loadListExtras()).ActiveFilters,
);

interface ListFiltersProps<T extends Item, I> {
  readonly list: ListScreen<T, I>;
  /** Defined outside of components. */
  readonly columns: readonly Column<T>[];
  /** Replaces the control and the chip of a filter, by its search parameter. */
  readonly controls?: Readonly<Record<string, ReactNode>>;
  /** Props of the tools that differ from those of every list. */
  readonly tools?: Partial<ListToolsProps<T>>;
  /** More controls, after the pinned ones. */
  readonly children?: ReactNode;
  /** The screen's own view options: chips of those in use, and controls in the panel. */
  readonly chips?: readonly Chip[];
  readonly more?: ReactNode;
}

/** Of the list below, however long it takes to load: the focus then stays where it is. */
const focusFirstRow = (): void => document.querySelector<HTMLElement>("[data-row-key] a[href]")?.focus();

/** The search field, the filters of the resource and of the scope, and the tools that every list has. */
export function ListFilters<T extends Item, I>(props: ListFiltersProps<T, I>): ReactNode {
  const { list, columns, controls = {}, tools, children, chips = [], more } = props;
  const { screens, search, scope, holder, rows, filter, whole, matches } = list;
  const leftOut = list.leftOut.uids;
  const past = thePast();
  // A file says nothing of another moment.
  const exported = (row: T) =>
    (matches?.(row) ?? true) && !leftOut.has(row.uid) && past?.wasThere(row.uid) !== false;
  const keyed = screens.resource.keyedByParent;
  const client = useQueryClient();
  const field = useSearchField(list);
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  // Set while the panel is open; `first` is the control to focus.
  const [open, setOpen] = useState<{ readonly first?: string }>();
  useEffect(() => void firstUse().then(ActiveFilters.preload), []);
  const opener = {
    "aria-haspopup": "dialog",
    "aria-expanded": open !== undefined,
    "aria-controls": open ? id : undefined,
    onPointerEnter: FilterPanel.preload,
    onFocus: FilterPanel.preload,
    onClick: () => setOpen(open ? undefined : {}),
  } as const;
  const named = Object.entries<Filter<T>>(screens.filters);
  const narrow = useNarrow();
  const scoped = holder === undefined && scope.group !== undefined;
  const parts = { list: list as never, own: controls, narrow };
  const pinned = named.map(([name, { label, control, pinned: always }]) =>
    name in controls ? (
      <Fragment key={name}>{controls[name]}</Fragment>
    ) : always && !narrow && typeof control === "object" ? (
      <FilterSelect
        key={name}
        label={label}
        value={search[name]}
        options={control}
        onChange={(value) => filter({ [name]: value })}
      />
    ) : null,
  );
  const offered =
    more ||
    scoped ||
    named.some(([name, it]) => it.control && !it.searches && (narrow || !it.pinned) && !(name in controls));
  const count =
    named.filter(([name, it]) => search[name] !== undefined && !it.searches).length + chips.length;
  // On phones, also what the screen's own controls would say.
  const inForce = narrow ? named.map(([name]) => (search[name] === undefined ? null : controls[name])) : [];
  return (
    <div role="search" tabIndex={-1} className={classes["bar"]}>
      <div className={classes["main"]}>
        {screens.search.label === undefined ? null : (
          <FilterText
            type="search"
            label={`Search ${screens.resource.plural}`}
            placeholder={screens.search.label}
            value={field.text}
            onApply={field.onApply}
            onDown={focusFirstRow}
          />
        )}
        {narrow ? null : pinned}
        {narrow ? null : children}
        {offered && !narrow ? (
          <Button
            ref={button}
            variant="default"
            className={classes["add"]}
            leftSection={<PlusIcon size={14} />}
            {...opener}
          >
            <span className={classes["word"]}>Add filter</span>
          </Button>
        ) : null}
      </div>
      {narrow && (offered || children || Object.values(controls).some(Boolean)) ? (
        <Button
          ref={button}
          variant="default"
          className={classes["all"]}
          leftSection={<SlidersHorizontalIcon size={14} />}
          {...opener}
        >
          <span className={classes["word"]}>Filters</span>
          {count > 0 ? ` (${count})` : null}
        </Button>
      ) : null}
      {open ? (
        <FilterPanel
          {...parts}
          {...open}
          id={id}
          button={button}
          above={
            narrow ? (
              <>
                {pinned}
                {children}
              </>
            ) : null
          }
          more={more}
          onClose={() => setOpen(undefined)}
        />
      ) : null}
      {chips.length > 0 || scope.reach === "here" || named.some(([name]) => search[name] !== undefined) ? (
        <div className={classes["strip"]}>
          {inForce}
          <ActiveFilters {...parts} more={chips} onEdit={(first) => setOpen({ first })} />
        </div>
      ) : null}
      <ListTools
        label={capitalize(screens.resource.plural)}
        columns={columns}
        list={whole}
        shown={matches ? undefined : rows.queryKey}
        matches={matches || leftOut.size > 0 || past?.comparedWith ? exported : undefined}
        group={scope.group}
        filtered={Object.keys(screens.noFilters).some((name) => search[name] !== undefined)}
        shared={search.columns}
        onChoose={() => search.columns !== undefined && list.keepColumns()}
        columnsOf={
          hasGroup(columns) || columns.some(({ readTexts }) => readTexts !== undefined)
            ? async (found) => (await loadListExtras()).fileColumns(client, columns, found, keyed)
            : undefined
        }
        {...tools}
      />
    </div>
  );
}
