import type { QueryClient } from "@tanstack/react-query";
import type { LucideIcon } from "lucide-react";
import {
  CornerDownRightIcon,
  FolderTreeIcon,
  HouseIcon,
  PackageIcon,
  ShieldAlertIcon,
  ZapIcon,
} from "lucide-react";

import type { Config } from "~/config";
import { groups } from "~/contract/iam/groups";
import { kindOf, listPath, wordsInside } from "~/contract/kinds";
import type { Kind } from "~/contract/kind";
import { shownAt, type Found, type Located } from "~/features/command-palette/locate";
import type { Pasted } from "~/features/command-palette/pasted";
import { recentVisits } from "~/features/command-palette/recent";
import { requestsAction } from "~/features/request-inspector/record-actions";
import { placeText, readKnown } from "~/features/scope/ancestors";
import { uidToParam } from "~/features/scope/uid-param";
import { capitalize } from "~/ui/display/capitalize";
import { shorten } from "~/ui/display/shorten";
import type { LinkTarget } from "~/ui/layout/link";
import { pageActions, type PageAction } from "~/ui/overlay/page-actions";
import { formatCount } from "~/ui/display/numbers";

import { linkOut } from "../links";
import { DOMAINS, isOffered, screensOf } from "../screens";
import { openCommand } from "./opened";
import { ON_PAGES, PLACES } from "./shortcut-list";
import { SYNONYMS } from "./synonyms";

/** One line of the palette. */
export interface Entry {
  readonly id: string;
  readonly label: string;
  /** Small text after the label: where a record is, or why an action is not allowed. */
  readonly detail?: string | undefined;
  readonly icon: LucideIcon;
  /** The equivalent shortcut. */
  readonly keys?: string | undefined;
  /** One of `link` and `run`; neither if the entry is disabled. */
  readonly link?: LinkTarget | undefined;
  readonly run?: (() => void) | undefined;
}

export interface Section {
  readonly heading: string;
  readonly entries: readonly Entry[];
}

/** Screens that the navigation does not list. */
export const FURTHER: readonly { readonly to: string; readonly label: string }[] = [
  { to: "/import", label: "Import identities, invites or folders" },
  { to: "/affected", label: "Are we affected by a vulnerability?" },
  { to: "/advisories/documents", label: "Advisory documents" },
  { to: "/status", label: "Platform status" },
  { to: "/roles/compare", label: "Compare roles" },
  { to: "/tags/compare", label: "Compare two tags" },
  { to: "/manifests", label: "Check manifests" },
  { to: "/retention", label: "Retention: delete old tags" },
  { to: "/audit-log/access", label: "Access on a date" },
];

const MOST = 8;

const recordLink = (found: Pick<Found, "collection" | "uid">): LinkTarget => {
  const { collection, uid } = shownAt(found);
  return { to: `${listPath(collection)}/$uid`, params: { uid: uidToParam(uid) } };
};

const wordOf = (collection: string): string => {
  const kind = kindOf(collection);
  return kind ? wordsInside(kind)[0] : collection;
};

/** An entry to open a record; `about`: the part of the palette that it is in. */
export const recordEntry = (about: string, { collection, uid, name, place }: Found): Entry => ({
  id: `${about} ${collection} ${uid}`,
  label: name || shorten(uid),
  // The name of a role binding says where it is.
  detail: [capitalize(wordOf(collection)), collection === "roleBindings" ? "" : place]
    .filter(Boolean)
    .join(" in "),
  icon: screensOf({ collection, uid })?.icon ?? PackageIcon,
  link: recordLink({ collection, uid }),
});

const scopeEntry = (
  uid: string,
  name: string,
  place: string,
  linkTo: (uid: string) => LinkTarget,
): Entry => ({
  id: `scope ${uid}`,
  label: `Set scope: ${name}`,
  detail: place,
  icon: FolderTreeIcon,
  link: linkTo(uid),
});

/** Those of all services; `AtHand` has the ones of this. */
export const SCREENS: readonly Entry[] = [
  { id: "screen /", label: "Overview", icon: HouseIcon, link: { to: "/" } },
  ...DOMAINS.flatMap(({ heading, screens }) =>
    screens.map(({ to, label, icon }) => ({
      id: `screen ${to}`,
      label,
      detail: heading,
      icon,
      link: { to },
    })),
  ),
  ...FURTHER.map(({ to, label }) => ({ id: `screen ${to}`, label, icon: CornerDownRightIcon, link: { to } })),
].map((entry) => ({ ...entry, keys: PLACES.find(({ to }) => to === entry.link.to)?.keys[0] }));

/** The distinct actions of the page: the primary one first, deletions last. */
function actionEntries(): Entry[] {
  const offered: PageAction[] = [...pageActions(), requestsAction];
  const weight = ({ primary, of, danger }: PageAction) =>
    (primary ? -4 : 0) + (of === undefined ? 0 : -2) + (danger ? 1 : 0);
  const entries = offered
    .toSorted((a, b) => weight(a) - weight(b))
    .map(({ label, of, disabled, link, onSelect }): Entry => ({
      id: `action ${label} ${of ?? ""}`,
      label: of === undefined ? label : `${label}: ${of}`,
      icon: ZapIcon,
      ...(disabled === undefined ? { link, run: onSelect } : { detail: disabled }),
    }));
  return entries.filter(({ id }, index) => entries.findIndex((other) => other.id === id) === index);
}

const helpEntry: Entry = {
  id: "shortcuts",
  label: "Keyboard shortcuts",
  icon: CornerDownRightIcon,
  keys: ON_PAGES.help.keys[1],
  run: () => openCommand("shortcuts"),
};

/** What is available when the palette opens. */
export interface AtHand {
  readonly recent: readonly Entry[];
  /** What can be done from every screen. */
  readonly everywhere: readonly Entry[];
  readonly actions: readonly Entry[];
  readonly scopes: readonly Entry[];
  /** The screens of this service. */
  readonly screens: readonly Entry[];
}

/** Reads recent records except the one on screen, the page's actions, and the loaded groups. */
export function readAtHand(
  client: QueryClient,
  linkTo: (uid: string) => LinkTarget,
  shown: string | undefined,
  config: Pick<Config, "auditLog">,
  everywhere: readonly Entry[],
): AtHand {
  const { names } = readKnown(client.getQueriesData({ queryKey: [groups.collection] }));
  const actions = actionEntries();
  return {
    // Those that the page offers itself are about what is on it.
    everywhere: everywhere.filter(({ label }) => !actions.some((of) => of.label === label)),
    recent: recentVisits()
      .filter(({ uid }) => uid !== shown)
      .map((visit) => recordEntry("recent", { ...visit, place: placeText(visit, names) })),
    actions,
    screens: SCREENS.filter(({ link }) => link === undefined || isOffered(link, config)),
    scopes: [
      {
        id: "scope",
        label: "Set scope: all groups",
        icon: FolderTreeIcon,
        link: { to: ".", search: linkOut },
      },
      ...[...names].map(([uid, name]) =>
        scopeEntry(uid, name, placeText({ collection: groups.collection, uid }, names), linkTo),
      ),
    ],
  };
}

/** How well an entry fits what was typed: 0 is best; undefined if a word is missing. */
function fitOf(typed: string): (entry: Entry) => number | undefined {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const text = words.join(" ");
  return ({ id, label, detail = "" }) => {
    const name = label.toLowerCase();
    const meant = (SYNONYMS[id] ?? "").split(" ");
    if (name === text || name === `${text}s`) return 0;
    const says = (word: string) => meant.includes(word) || meant.includes(`${word}s`);
    if (words.every((word) => ` ${name}`.includes(` ${word}`) || says(word))) return 1;
    const all = `${name} ${detail.toLowerCase()}`;
    const known = (word: string) =>
      all.includes(word) || (word.length > 2 && meant.some((one) => one.startsWith(word)));
    return words.every(known) ? 2 : undefined;
  };
}

const fits =
  (typed: string) =>
  (entry: Entry): boolean =>
    fitOf(typed)(entry) !== undefined;

/** Sections with the entries that fit, the best first; and so the sections themselves. */
function ranked(typed: string, sections: readonly Section[]): Section[] {
  const fit = fitOf(typed);
  return sections
    .map(({ heading, entries }) => ({
      heading,
      fitting: entries
        .flatMap((entry) => {
          const rank = fit(entry);
          return rank === undefined ? [] : [{ entry, rank }];
        })
        .toSorted((one, other) => one.rank - other.rank),
    }))
    .toSorted((one, other) => (one.fitting[0]?.rank ?? 9) - (other.fitting[0]?.rank ?? 9))
    .flatMap(({ heading, fitting }) =>
      section(
        heading,
        fitting.map(({ entry }) => entry),
      ),
    );
}

const section = (heading: string, entries: readonly Entry[], most = MOST): Section[] =>
  entries.length === 0 ? [] : [{ heading, entries: entries.slice(0, most) }];

/** Entries available without a request. */
export function offeredAtOnce(typed: string, pasted: Pasted, atHand: AtHand): Section[] {
  const { recent, actions, everywhere, screens } = atHand;
  if (pasted.is === "vulnerability")
    return section("Go to", [
      {
        id: "affected",
        label: `Are we affected by ${pasted.id}?`,
        icon: ShieldAlertIcon,
        link: { to: "/affected", search: { id: pasted.id } },
      },
    ]);
  if (pasted.is === "token")
    return section("Go to", [
      {
        id: "token",
        label: "Test a token",
        icon: ZapIcon,
        link: { to: "/identities", search: { drawer: "test-token" } },
      },
    ]);
  if (pasted.is === "error") {
    const helpful = [...everywhere, ...screens];
    const helps = pasted.error.helps.flatMap((label) => helpful.find((entry) => entry.label === label) ?? []);
    return section("What helps", helps);
  }
  if (pasted.is === "nothing")
    return [
      ...section("Recent", recent, 5),
      ...section("This page", actions, 12),
      ...section("Do", everywhere, everywhere.length),
      ...section("Go to", [...screens, helpEntry], screens.length + 1),
    ];
  return ranked(typed, [
    { heading: "This page", entries: actions },
    // A noun alone means the screen, even if it fits an action as well.
    { heading: "Go to", entries: [...screens, helpEntry] },
    { heading: "Do", entries: everywhere },
    { heading: "Recent", entries: recent },
  ]);
}

const moreEntry = (kind: Kind, count: number, search: object): Entry => ({
  id: `more ${kind.collection}`,
  label: `All ${formatCount(count)} ${kind.plural}`,
  detail: "View list",
  icon: CornerDownRightIcon,
  link: { to: listPath(kind.collection), search },
});

/** The service's results, followed by matching scopes. */
export function foundSections(
  typed: string,
  located: Located | undefined,
  atHand: AtHand,
  linkTo: (uid: string) => LinkTarget,
): Section[] {
  const { found = [], more = [] } = located ?? {};
  const scopes = found.filter(({ collection }) => collection === groups.collection);
  return [
    ...section(
      "Found",
      [
        ...found.map((each) => recordEntry("found", each)),
        ...more.map(({ kind, count, search }) => moreEntry(kind, count, search)),
      ],
      Infinity,
    ),
    ...section("Scope", [
      ...scopes.map(({ uid, name, place }) => scopeEntry(uid, name || shorten(uid), place, linkTo)),
      // A single letter matches most names.
      ...(typed.trim().length > 1 ? atHand.scopes.filter(fits(typed)) : []),
    ]),
  ];
}

/** Removes duplicate entries; keeps the first. */
export function withoutRepeats(sections: readonly Section[]): Section[] {
  const seen = new Set<string>();
  return sections
    .map(({ heading, entries }) => ({
      heading,
      entries: entries.filter(({ id }) => !seen.has(id) && seen.add(id)),
    }))
    .filter(({ entries }) => entries.length > 0);
}
