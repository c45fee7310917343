import { useRouter, useRouteContext, type AnyRouter } from "@tanstack/react-router";
import { useEffect, type ReactNode, Fragment, useId, useSyncExternalStore } from "react";
import { createKeybindingsHandler } from "tinykeys";

import { onDemand } from "~/ui/on-demand";
import { Sheet } from "~/ui/overlay/sheet";
import { subscribePreferences, readPreference, writePreference } from "~/ui/preferences";
import type { Config } from "~/config";
import { requestsAction } from "~/frame/request-inspector/record-actions";
import { pageActions, type PageAction } from "~/ui/overlay/page-actions";
import { toast } from "~/ui/feedback/toast-store";

import { handleKeys, openCommand, type OpenedCommand } from "./opened";
import { Palette } from "./palette";
import { isOffered } from "../screens";
import { IN_SEARCH, ON_PAGES, ON_ROWS, ON_TREE, PLACES, type Shortcut } from "./shortcut-list";
import styles from "./shortcut-sheet.module.css";

const MomentDialog = onDemand(async () => (await import("~/shell/moment/moment-dialog")).MomentDialog);

const KEY = "shortcuts";

/** True if keys without a modifier are shortcuts (WCAG 2.1.4 requires a way to turn these off). */
const singleKeyShortcutsEnabled = (): boolean => readPreference(KEY) !== "off";

const setSingleKeyShortcutsEnabled = (on: boolean): void => writePreference(KEY, on ? null : "off");

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
function shortcutsOf(router: Pick<AnyRouter, "navigate" | "options">): (event: KeyboardEvent) => void {
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

const MOD = /Mac|iP/.test(navigator.platform) ? "\u2318" : "Ctrl";

/** Shortcuts with a modifier, which stay active when the others are off. */
const ALWAYS: readonly Shortcut[] = [
  { keys: [`${MOD}+k`], does: "Search screens, actions, and records" },
  { keys: ["Alt+Shift+r"], does: "Show requests" },
  { keys: [`${MOD}+z`], does: "Undo what the newest message offers to undo" },
];

/** Lists all keyboard shortcuts, with a switch for those without a modifier (WCAG 2.1.4). */
function ShortcutSheet({ onClose }: { readonly onClose: () => void }): ReactNode {
  const on = useSyncExternalStore(subscribePreferences, singleKeyShortcutsEnabled);
  const { config } = useRouteContext({ from: "__root__" });
  const { help, ...onPages } = ON_PAGES;
  return (
    <Sheet at="side" title="Keyboard shortcuts" onClose={onClose}>
      <label className={styles["switch"]}>
        <input type="checkbox" checked={on} onChange={() => setSingleKeyShortcutsEnabled(!on)} />
        Use single-key shortcuts
      </label>
      {on ? null : <p>Off in this browser. Keys on a row and keys with Ctrl, Command, or Alt still work.</p>}
      <Keys heading="Always" shortcuts={ALWAYS} />
      <Keys heading="On any page" shortcuts={[...Object.values(onPages), help]} />
      <Keys heading="On a row" shortcuts={[IN_SEARCH, ...ON_ROWS]} />
      <Keys heading="In the tree" shortcuts={ON_TREE} />
      <Keys heading="Go to" shortcuts={PLACES.filter((place) => isOffered(place, config))} />
    </Sheet>
  );
}

function Keys({ heading, shortcuts }: { readonly heading: string; readonly shortcuts: readonly Shortcut[] }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={styles["heading"]}>
        {heading}
      </h3>
      <dl className={styles["keys"]}>
        {shortcuts.map(({ keys, does }) => (
          <div key={does} className={styles["line"]}>
            <dt>{does}</dt>
            <dd>
              {(keys.at(-1) ?? "").split(" ").map((key, index) => (
                <Fragment key={key + index}>
                  {index > 0 ? " then " : null}
                  <kbd className={styles["key"]}>{key.replaceAll("+", " ")}</kbd>
                </Fragment>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const close = () => openCommand();

/** The palette or the shortcut sheet. */
export function Command({ opened }: { readonly opened: OpenedCommand }): ReactNode {
  if (opened === "moment") return <MomentDialog onClose={close} />;
  return opened === "palette" ? <Palette onClose={close} /> : <ShortcutSheet onClose={close} />;
}

/** Handles keyboard shortcuts, including those pressed before it was loaded. */
export function ShortcutKeys(): null {
  const router = useRouter();
  useEffect(() => handleKeys(shortcutsOf(router)), [router]);
  return null;
}
