import type { Item } from "~/frame/define";
import type { Filter } from "./filters";
import type { ListScreen } from "./list-screen";

/** An active filter, as the user sees it. */
export interface Chip {
  /** Search parameter of the panel control that edits it; undefined if it can only be removed. */
  readonly edits?: string | undefined;
  readonly label: string;
  /** Undefined if the label says it all. */
  readonly value?: string | undefined;
  readonly onRemove: () => void;
}

/** A filter in the panel: its search parameter, its value and how to change it. */
export interface PanelFilter extends Pick<Filter<never>, "label" | "control"> {
  readonly name: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** The value of a filter in words, for its chip; undefined if its label says it all. */
const valueWords = ({ control }: Filter<never>, value: string): string | undefined =>
  control === undefined || control === "flag"
    ? undefined
    : typeof control === "string"
      ? value
      : (control.find((each) => each.value === value)?.label ?? value);

/** The reach of the scope, as a filter; not one of the list's own in the address. */
const ONLY_HERE: Filter<unknown> = { label: "This group only", control: "flag", parse: () => "here" };

/**
 * Chips and panel controls for the filters without a control on screen. `own`: filters that the screen shows; `narrow`:
 * there is no room for those that are pinned.
 */
export function filterParts<T extends Item, I>(list: ListScreen<T, I>, own: object, narrow = false) {
  const { screens, search, scope, holder, filter } = list;
  const shown = screens.search.shownIn(search);
  const chips: Chip[] = [];
  const panel: PanelFilter[] = [];
  const add = (name: string, it: Filter<T>, value: string | undefined) => {
    const { label, control } = it;
    const onChange = (next: string | undefined) => filter({ [name]: next && it.parse(next) });
    const offered = control !== undefined && !it.searches;
    if (offered) panel.push({ name, label, control, value, onChange });
    if (value === undefined || name === shown) return;
    chips.push({
      edits: offered && control !== "flag" ? name : undefined,
      label,
      value: valueWords(it, value),
      onRemove: () => onChange(undefined),
    });
  };
  for (const [name, it] of Object.entries<Filter<T>>(screens.filters))
    if ((narrow || !it.pinned) && !(name in own)) add(name, it, search[name]);
  if (holder === undefined && scope.group !== undefined)
    add("reach", ONLY_HERE, scope.reach === "here" ? "here" : undefined);
  return { chips, panel };
}
