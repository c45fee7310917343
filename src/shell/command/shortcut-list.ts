import { DOMAINS } from "../screens";

export interface Shortcut {
  /** In tinykeys syntax; alternatives for the same action. */
  readonly keys: readonly string[];
  readonly does: string;
}

/** The letter after `g` for each list. Those of other shortcuts (c, e, j, k, x) are taken. */
const LETTERS: Readonly<Record<string, string>> = {
  groups: "g",
  identities: "i",
  people: "p",
  roles: "o",
  roleBindings: "b",
  groupInvites: "v",
  identityProviders: "d",
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
};

/** The targets of `g` followed by a letter. */
export const PLACES: readonly (Shortcut & { readonly to: string })[] = [
  { keys: ["g h"], does: "Overview", to: "/" },
  ...DOMAINS.flatMap(({ screens }) => screens).flatMap(({ collection, label, to }) => {
    const letter = LETTERS[collection];
    return letter === undefined ? [] : [{ keys: [`g ${letter}`], does: label, to }];
  }),
];

/** Shortcuts on a page; `shortcuts.ts` binds the `keys`. */
export const ON_PAGES = {
  create: { keys: ["c"], does: "Create" },
  edit: { keys: ["e"], does: "Edit the record or the focused row" },
  search: { keys: ["/"], does: "Search the list" },
  down: { keys: ["j"], does: "Next row" },
  up: { keys: ["k"], does: "Previous row" },
  help: { keys: ["Shift+?", "?"], does: "Show keyboard shortcuts" },
} as const satisfies Readonly<Record<string, Shortcut>>;

/** Keys that the table handles itself, while one of its rows has the focus. */
export const ON_ROWS: readonly Shortcut[] = [
  { keys: ["Enter"], does: "Open the row" },
  { keys: ["↑/↓"], does: "Go to another row" },
  { keys: ["←/→"], does: "Go through the row's controls" },
  { keys: ["x"], does: "Select the row" },
  { keys: ["Shift+x"], does: "Select all rows from the last selected row" },
];
