import { DOMAINS } from "../screens";

export interface Shortcut {
  /** In tinykeys syntax; alternatives for the same action. */
  readonly keys: readonly string[];
  readonly does: string;
}

/** The letters after `g` for lists. Those of other shortcuts (c, e, j, k, x) are taken. */
export const LETTERS: Readonly<Record<string, string>> = {
  groups: "g",
  identities: "i",
  people: "p",
  roles: "o",
  roleBindings: "b",
  groupInvites: "v",
  identityProviders: "d",
  guardRails: "y",
  repos: "r",
  tags: "t",
  libraries: "l",
  accountAssociations: "u",
  terms: "m",
  advisories: "a",
  reports: "s",
  subscriptions: "n",
  snapshots: "z",
  "audit-log": "w",
  "access-review": "q",
};

/** The targets of `g` followed by a letter. */
export const PLACES: readonly (Shortcut & { readonly to: string })[] = [
  { keys: ["g h"], does: "Overview", to: "/" },
  ...DOMAINS.flatMap(({ screens }) => screens).flatMap(({ collection, label, to }) => {
    const letter = LETTERS[collection];
    return letter === undefined ? [] : [{ keys: [`g ${letter}`], does: label, to }];
  }),
];

/** Shortcuts on a page; `command.tsx` binds the `keys`. */
export const ON_PAGES = {
  create: { keys: ["c"], does: "Create" },
  edit: { keys: ["e"], does: "Edit the record or the focused row" },
  search: { keys: ["/"], does: "Search the list" },
  folders: { keys: ["f"], does: "Search folders" },
  down: { keys: ["j"], does: "Next row" },
  up: { keys: ["k"], does: "Previous row" },
  help: { keys: ["Shift+?", "?"], does: "Show keyboard shortcuts" },
} as const satisfies Readonly<Record<string, Shortcut>>;

/** The key in the search field of a list. */
export const IN_SEARCH = { keys: ["↓"], does: "From the search field to the first row" } as const;

/** Keys that the tree of groups handles itself (WAI-ARIA tree view). */
export const ON_TREE: readonly Shortcut[] = [
  { keys: ["↑/↓"], does: "Go to another folder" },
  { keys: ["→"], does: "Open a folder, then go into it" },
  { keys: ["←"], does: "Close a folder, or go to the one above" },
  { keys: ["Home/End"], does: "Go to the first or last folder" },
  { keys: ["*"], does: "Open all folders beside it" },
  { keys: ["a–z"], does: "Go to the next folder with this name" },
  { keys: ["Enter"], does: "Use the folder as scope" },
  { keys: ["Shift+F10"], does: "Open the folder's menu" },
];

/** Keys that the table handles itself, while one of its rows has the focus. */
export const ON_ROWS: readonly Shortcut[] = [
  { keys: ["Enter"], does: "Open the row" },
  { keys: ["↑/↓"], does: "Go to another row" },
  { keys: ["←/→"], does: "Go through the row's controls" },
  { keys: ["x"], does: "Select the row" },
  { keys: ["Shift+x"], does: "Select all rows from the last selected row" },
];
