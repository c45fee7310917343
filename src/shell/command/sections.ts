import { distance } from "fastest-levenshtein";
import { CornerDownRightIcon, ShieldAlertIcon, ZapIcon } from "lucide-react";

import { parentOf } from "platform-contract/aip";
import { groups } from "platform-contract/iam/groups";
import { listPath } from "platform-contract/kinds";
import type { Kind } from "platform-contract/kind";
import { textOf } from "~/domains/registry/references/reference-text";
import { formatCount } from "~/ui/display/numbers";
import { uidToParam } from "~/frame/scope/uid-param";
import { shorten } from "~/ui/display/shorten";
import type { LinkTarget } from "~/ui/layout/link";

import type { Located } from "./located";
import { WHY_REFUSED, type Pasted, type PastedError } from "./pasted";
import type { AtHand } from "./at-hand";
import { recordEntry, scopeEntry, type Entry } from "./entries";
import { openCommand } from "./opened";
import { ON_PAGES } from "./shortcut-list";
import { SYNONYMS } from "./synonyms";

/** What is searched of an entry, lowercase: its label, that and its detail, and other words for it. */
interface Words {
  readonly name: string;
  readonly all: string;
  readonly meant: readonly string[];
}

/** Made once for each entry, not for each letter. */
const wordsBy = new WeakMap<Entry, Words>();

function wordsOf(entry: Entry): Words {
  const known = wordsBy.get(entry);
  if (known) return known;
  const { id, label, detail = "" } = entry;
  const name = label.toLowerCase();
  const words = {
    name,
    all: `${name} ${detail.toLowerCase()}`,
    meant: (SYNONYMS[id] ?? "").split(" "),
  };
  wordsBy.set(entry, words);
  return words;
}

/** How well an entry fits what was typed: 0 is best; undefined if a word is missing. */
function fitOf(typed: string): (entry: Entry) => number | undefined {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const text = words.join(" ");
  return (entry) => {
    const { name, all, meant } = wordsOf(entry);
    if (name === text || name === `${text}s`) return 0;
    const says = (word: string) => meant.includes(word) || meant.includes(`${word}s`);
    if (words.every((word) => ` ${name}`.includes(` ${word}`) || says(word))) return 1;
    const known = (word: string) =>
      all.includes(word) || (word.length > 2 && meant.some((one) => one.startsWith(word)));
    return words.every(known) ? 2 : undefined;
  };
}

export interface Section {
  readonly heading: string;
  readonly entries: readonly Entry[];
}

/** How many entries a section shows unless it says otherwise. */
const MAX_ENTRIES = 8;

const section = (heading: string, entries: readonly Entry[], most = MAX_ENTRIES): Section[] =>
  entries.length === 0 ? [] : [{ heading, entries: entries.slice(0, most) }];

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

const helpEntry: Entry = {
  id: "shortcuts",
  label: "Keyboard shortcuts",
  icon: CornerDownRightIcon,
  keys: ON_PAGES.help.keys[1],
  run: () => openCommand("shortcuts"),
};

/** The repo that was found, or that of the tag; of several, none. */
function repoIn(located: Located | undefined): string | undefined {
  const [found, ...others] = located?.found ?? [];
  if (found === undefined || others.length > 0) return undefined;
  return found.collection === "tags" ? parentOf(found.uid) : found.uid;
}

/** Why it is refused, asked of the repo that was found. */
function whyRefused(entry: Entry, { act, reference }: PastedError, located: Located | undefined): Entry {
  const repo = repoIn(located);
  const search = {
    ...(repo !== undefined && { on: uidToParam(repo) }),
    ...(repo !== undefined && reference && { refused: textOf(reference) }),
    ...(act !== undefined && { act }),
  };
  return {
    ...entry,
    // Enter waits for the repo, if there is one to find.
    id: reference && !located ? "unsure refused" : "refused",
    label: "Why is this refused?",
    link: { ...entry.link, to: "/can", search },
  };
}

/** True for an error that the palette answers with a question, before the records that it is about. */
export const isRefusal = ({ helps }: PastedError): boolean => helps[0] === WHY_REFUSED;

/** How many lines the palette has before anything is typed: one look, without scrolling. */
const MAX_AT_FIRST = 11;
const MAX_RECENT = 5;
const MAX_OF_PAGE = 4;

/** Where one was, then what can be done here, then what can be done anywhere; the rest is found by typing. */
function beforeTyping({ recent, actions, everywhere }: AtHand): Section[] {
  const shown = [...section("Recent", recent, MAX_RECENT), ...section("This page", actions, MAX_OF_PAGE)];
  const left = MAX_AT_FIRST - 1 - shown.reduce((sum, { entries }) => sum + entries.length, 0);
  const possible = everywhere.filter(({ link, run }) => link ?? run);
  return [...shown, ...section("Do", [...possible.slice(0, left), helpEntry], left + 1)];
}

/** Entries available without a request; with what was found, those about it. */
export function offeredAtOnce(
  typed: string,
  pasted: Pasted,
  atHand: AtHand,
  located?: Located | undefined,
): Section[] {
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
  if (pasted.is === "question") {
    const { act, repo } = pasted;
    const on = repoIn(located);
    return section(
      "Go to",
      screens
        .filter(({ label }) => label === WHY_REFUSED)
        .map((entry) => ({
          ...entry,
          // Enter waits for the repo, if there is one to find.
          id: repo !== undefined && !located ? "unsure who" : "who",
          label: `Who can ${act} images${repo === undefined ? "" : ` in ${repo}`}?`,
          link: {
            ...entry.link,
            to: "/can",
            search: { act, ...(on !== undefined && { on: uidToParam(on) }) },
          },
        })),
    );
  }
  if (pasted.is === "error") {
    const helpful = [...everywhere, ...screens];
    const helps = pasted.error.helps.flatMap((label) => helpful.find((entry) => entry.label === label) ?? []);
    return section(
      "What helps",
      helps.map((entry) => (entry.label === WHY_REFUSED ? whyRefused(entry, pasted.error, located) : entry)),
    );
  }
  if (pasted.is === "nothing") return beforeTyping(atHand);
  return ranked(typed, [
    { heading: "This page", entries: actions },
    // A noun alone means the screen, even if it fits an action as well.
    { heading: "Go to", entries: [...screens, helpEntry] },
    { heading: "Do", entries: everywhere },
    { heading: "Recent", entries: recent },
  ]);
}

/** Letters that may be wrong, missing or too many in a word. */
const mistakesIn = (word: string): number => Math.min(2, Math.max(0, word.length - 3));

/** How far a word is from a known one; the first letter is seldom wrong: "unlock" doesn't mean "clock". */
const mistakesTo = (word: string, known: string): number =>
  known.startsWith(word) ? 0 : distance(word, known) + (known[0] === word[0] ? 0 : 1);

/** Screens and actions by words that are nearly what was typed, the nearest first. */
export function meantSection(typed: string, { screens, everywhere }: AtHand): Section[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const entries = [...screens, ...everywhere].flatMap((entry) => {
    const { name, meant } = wordsOf(entry);
    const known = [...name.split(/\W+/), ...meant];
    const mistakes = words.map((word) => ({
      of: Math.min(...known.map((one) => mistakesTo(word, one))),
      most: mistakesIn(word),
    }));
    if (words.length === 0 || mistakes.some(({ of, most }) => of > most)) return [];
    // "Identities" comes before "Import identities".
    return [{ entry, far: mistakes.reduce((sum, { of }) => sum + of, name.length / 100) }];
  });
  const nearest = entries.toSorted((one, other) => one.far - other.far).map(({ entry }) => entry);
  // Ids of their own: Enter that was pressed before the answer opens none of them.
  return section(
    "Did you mean",
    nearest.map((entry) => ({ ...entry, id: `meant ${entry.id}` })),
    3,
  );
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
  const fit = fitOf(typed);
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
      ...(typed.trim().length > 1 ? atHand.scopes.filter((entry) => fit(entry) !== undefined) : []),
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
