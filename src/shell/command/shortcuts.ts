import type { AnyRouter } from "@tanstack/react-router";
import { createKeybindingsHandler } from "tinykeys";

import type { Config } from "~/config";
import { requestsAction } from "~/frame/request-inspector/record-actions";
import { pageActions, type PageAction } from "~/ui/overlay/page-actions";
import { toast } from "~/ui/feedback/toast-store";

import { isOffered } from "../screens";
import { singleKeyShortcutsEnabled } from "./letters";
import { openCommand } from "./opened";
import { ON_PAGES, PLACES } from "./shortcut-list";

/** Elements that handle letters themselves: fields, and widgets with type-ahead. */
const TYPING =
  "input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable], [role=tree], [role=menu], [role=listbox]";
const OVER_PAGE = "dialog[open], [role=dialog], [role=menu]";
/** What Escape closes first. */
const MODAL = "dialog[open], [aria-modal=true]";
/** The search field of a list; it can be a plain input in the list's search bar. */
const FIELDS = ["main [role=searchbox], main input[type=search]", "main [role=search] input"];

const isShown = (element: Element): boolean => element.getClientRects().length > 0;

/** True if the key is for the element that received it, or something is open over the page. */
const isTaken = ({ target, defaultPrevented, isComposing }: KeyboardEvent): boolean =>
  defaultPrevented ||
  isComposing ||
  (target instanceof Element && target.closest(TYPING) !== null) ||
  document.querySelector(OVER_PAGE) !== null;

function act(action: PageAction | undefined): void {
  if (action === undefined) return;
  if (action.disabled === undefined) action.onSelect?.();
  else toast(action.disabled);
}

/** The action of `c`: the primary action of a list or a group. */
const creating = (): PageAction | undefined =>
  pageActions().find(({ label, primary }) => primary && /^(?:Create|Grant|Invite)\b/.test(label));

/** The action of `e`: edits the focused row, otherwise the page's record. */
const editing = (): PageAction | undefined => {
  const edits = pageActions().filter(({ label }) => label === "Edit");
  return edits.find(({ of }) => of !== undefined) ?? edits[0];
};

function focusSearch(): void {
  const fields = FIELDS.flatMap((selector) => [...document.querySelectorAll<HTMLElement>(selector)]);
  const field = fields.find(isShown);
  if (field) field.focus();
  else openCommand("palette");
}

/** Where the navigation is hidden, the header's menu has the same search. */
function focusFolders(): void {
  const field = document.querySelector<HTMLElement>("[data-folder-search]");
  if (field && isShown(field)) field.focus();
  else document.querySelector<HTMLElement>("header [aria-label^='Organization:']")?.click();
}

/** True for the search field of a list, where the arrow down leads to the rows. */
const isListSearch = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.matches("main [role=search] input[type=search]");

/** Moves along a list's rows by sending the table an arrow key; at first, focuses the first visible row. */
function moveTo(arrow: "ArrowDown" | "ArrowUp"): void {
  const within = document.activeElement?.closest<HTMLElement>("[data-row-key]");
  const rows = [...document.querySelectorAll<HTMLElement>("main [role=table] [data-row-key]")];
  const header = document.querySelector("main [role=table] [role=columnheader]");
  const top = header?.getBoundingClientRect().bottom ?? 0;
  const row = within ?? rows.find((each) => each.getBoundingClientRect().top >= top - 1) ?? rows[0];
  const link = row?.querySelector<HTMLElement>("a[href]");
  link?.focus();
  if (within)
    link?.dispatchEvent(new KeyboardEvent("keydown", { key: arrow, bubbles: true, cancelable: true }));
}

/**
 * Handles shortcuts anywhere on the page. Those without a modifier are inactive while the user types, while something
 * is open over the page, or when switched off.
 */
export function shortcutsOf(router: Pick<AnyRouter, "navigate" | "options">): (event: KeyboardEvent) => void {
  const bindings: Record<string, (event: KeyboardEvent) => void> = {};
  const bind = (keys: readonly string[], run: () => void) => {
    for (const key of keys)
      bindings[key] = (event) => {
        // Otherwise the letter would be typed into the field that the shortcut focuses.
        event.preventDefault();
        run();
      };
  };
  const { config } = router.options.context as { readonly config: Config };
  for (const place of PLACES)
    if (isOffered(place, config)) bind(place.keys, () => void router.navigate({ to: place.to }));
  bind(ON_PAGES.create.keys, () => act(creating()));
  bind(ON_PAGES.edit.keys, () => act(editing()));
  bind(ON_PAGES.search.keys, focusSearch);
  bind(ON_PAGES.folders.keys, focusFolders);
  bind(ON_PAGES.down.keys, () => moveTo("ArrowDown"));
  bind(ON_PAGES.up.keys, () => moveTo("ArrowUp"));
  bind(ON_PAGES.help.keys, () => openCommand("shortcuts"));
  const handle = createKeybindingsHandler(bindings);
  const always = createKeybindingsHandler({
    // By key position: on a Mac, Alt changes the letter.
    "Alt+Shift+KeyR": () => {
      if (!document.querySelector(MODAL)) requestsAction.onSelect?.();
    },
  });
  return (event) => {
    always(event);
    if (event.key === "ArrowDown" && isListSearch(event) && !event.defaultPrevented) {
      event.preventDefault();
      return moveTo("ArrowDown");
    }
    if (singleKeyShortcutsEnabled() && !isTaken(event)) handle(event);
  };
}
