import { queryOptions } from "@tanstack/react-query";

import type { QueryFacts } from "~/api/client/request-info";
import { call } from "~/api/client/client";
import { limiter } from "~/api/paging/limiter";
import { ancestorsOf, PAGE_SIZE_MAX } from "platform-contract/aip";
import { advisories, type Advisory } from "platform-contract/vulnerabilities/advisories";
import { readId } from "~/domains/vulnerabilities/advisories/ids";
import { readItem, writeItem, type PastedItem } from "~/domains/vulnerabilities/advisories/pasted/item";
import { canHoldIn } from "~/domains/vulnerabilities/advisories/places";
import { purlTypeOf } from "~/domains/vulnerabilities/advisories/pasted/types";
import type { HeldPackage, Sought } from "~/domains/vulnerabilities/advisories/tags-here";
import { scopeQuery, type Scope } from "~/frame/scope/scope";
import type { Address } from "~/frame/scope/address";

export interface AffectedSearch {
  readonly id?: string | undefined;
  /** The installed version to decide about. */
  readonly version?: string | undefined;
  /** In place of an id: what was read from a text, as `writeItem` writes each, with spaces between. */
  readonly ask?: string | undefined;
  /** How many things the text asks about, if not all are in the address. */
  readonly of?: string | undefined;
  /** Which of several is shown, as `writeItem` writes it. */
  readonly pick?: string | undefined;
}

/** What the address asks about, each once. */
export const itemsOf = ({ id, ask, version }: AffectedSearch): PastedItem[] => {
  if (id !== undefined) return [{ id, ...(version !== undefined && { version }) }];
  return [...new Set((ask ?? "").split(" "))].flatMap((text) => readItem(text) ?? []);
};

export const readAffected = ({ id, version, ask, of, pick }: Address): AffectedSearch => {
  const read = typeof id === "string" ? readId(id) : "";
  const installed = typeof version === "string" || typeof version === "number" ? String(version).trim() : "";
  if (read !== "") return { id: read, ...(installed !== "" && { version: installed }) };
  const asked = itemsOf({ ask: typeof ask === "string" ? ask : "" }).map(writeItem);
  if (asked.length === 0) return {};
  return {
    ask: asked.join(" "),
    ...(Number(of) > asked.length && { of: String(of) }),
    ...(typeof pick === "string" && asked.includes(pick) && { pick }),
  };
};

/** Maximum number of pages to read per list; no vulnerability has more advisories than that. */
const PAGES = 10;

export interface AffectedAnswer {
  readonly advisories: readonly Advisory[];
  /** Aliases of the vulnerability, which were also searched for. */
  readonly alsoCalled: readonly string[];
  /** True if there are more advisories than were read. */
  readonly partial: boolean;
  /** The vulnerability that they are about; undefined if they are those of a package. */
  readonly id?: string | undefined;
}

type Names = Readonly<
  Partial<Record<"aliases" | "advisoryIds" | "legacyAdvisoryIds" | "artifactNames", string[]>>
>;

const isCve = (id: string): boolean => id.startsWith("CVE-");
/** Filters to search an id with. An id that is neither CVE nor GHSA can also be an advisory's own. */
const fieldsOf = (id: string): Names[] =>
  /^(?:CVE|GHSA)-/.test(id)
    ? [{ aliases: [id] }]
    : [{ aliases: [id] }, { advisoryIds: [id] }, { legacyAdvisoryIds: [id] }];

/**
 * Returns a query for each place whose advisories apply to a scope: the scope, and each group above it, since an
 * organization's advisories apply to its folders.
 */
export const placesOf = (scope: Scope): object[] => [
  scopeQuery(scope),
  ...(scope.group === undefined
    ? []
    : ancestorsOf(scope.group).map((group) => ({ "uidp.children_of": group }))),
];

/** Several questions are asked at once. */
const limited = limiter(4);

/** Reads every advisory that a question is about and that applies to the scope: all pages, since the verdict needs them. */
export function answerQuery(scope: Scope, item: PastedItem) {
  const { id, version, word, name = word } = item;
  const order = { order_by: "name", page_size: PAGE_SIZE_MAX, ...(version !== undefined && { version }) };
  const byId = id ?? word;
  const ids = byId === undefined ? [] : fieldsOf(byId);
  const names: Names[] = name === undefined ? [] : [{ artifactNames: [name] }];
  const asked = [...ids, ...(id === undefined ? names : [])];
  return queryOptions({
    queryKey: [advisories.collection, "answer", { scope, item }] as const,
    meta: {
      requests: () =>
        placesOf(scope).flatMap((place) =>
          asked.map((fields) => ({
            endpoint: advisories.list,
            query: { ...place, ...fields, ...order },
          })),
        ),
    } satisfies QueryFacts,
    queryFn: async ({ signal }): Promise<AffectedAnswer> => {
      let partial = false;
      async function readPlace(query: object, found: Map<string, Advisory>): Promise<void> {
        let token: string | undefined;
        for (let page = 0; page < PAGES; page += 1) {
          const next = { ...query, ...order, ...(token !== undefined && { page_token: token }) };
          // oxlint-disable-next-line no-await-in-loop -- each page needs the token of the page before
          const { items, nextPageToken } = await limited(
            () => call(advisories.list, { query: next, signal }),
            signal,
          );
          for (const advisory of items) found.set(advisory.uid, advisory);
          if (!nextPageToken) return;
          token = nextPageToken;
        }
        partial = true;
      }
      const read = async (fields: readonly Names[], found = new Map<string, Advisory>()) => {
        await Promise.all(
          placesOf(scope).flatMap((place) => fields.map((one) => readPlace({ ...place, ...one }, found))),
        );
        return found;
      };
      const found = await read(ids);
      // A word is a package where it is no id.
      if (byId === undefined || (id === undefined && found.size === 0))
        return { advisories: [...(await read(names)).values()], alsoCalled: [], partial };
      const alsoCalled = otherNames(byId, [...found.values()]);
      if (alsoCalled.length > 0) await read([{ aliases: alsoCalled }], found);
      return { advisories: about(byId, [...found.values()]), alsoCalled, partial, id: byId };
    },
    staleTime: 30_000,
  });
}

/** The advisories of an answer that are about the package which the question names. */
export const ofPackage = (
  { name, type, architecture, distro }: PastedItem,
  found: readonly Advisory[],
): Advisory[] =>
  found.filter(
    ({ artifactName, artifactType, artifactArchitecture, componentName, componentType, appliesTo = "" }) =>
      name === undefined ||
      (((artifactName === name && isOfType(artifactType, type)) ||
        (componentName === name && isOfType(componentType, type))) &&
        (!artifactArchitecture || architecture === undefined || artifactArchitecture === architecture) &&
        (distro === undefined || canHoldIn(appliesTo, distro))),
  );

/** Advisories and package URLs call some types differently; what has none can be of any. */
const isOfType = (own: string | undefined, asked: string | undefined): boolean =>
  !own || asked === undefined || (purlTypeOf(own) ?? own) === asked;

/** Returns its other names. For a CVE, skips other CVEs: an advisory can name several distinct vulnerabilities. */
export const otherNames = (id: string, found: readonly Advisory[]): string[] => {
  const names = new Set(found.flatMap(({ aliases = [] }) => aliases));
  return [...names].filter((name) => name !== id && !(isCve(id) && isCve(name))).toSorted();
};

/** For a CVE, without those of other CVEs: a notice is another name of each CVE that it is about. */
export const about = (id: string, found: readonly Advisory[]): Advisory[] =>
  found.filter(({ aliases = [] }) => !isCve(id) || aliases.includes(id) || !aliases.some(isCve));

/** Of one filter. */
const MOST_NAMES = 100;

/** Which advisories' packages to look for in images; undefined if there are none. */
export function soughtBy(
  item: PastedItem,
  { advisories: found, alsoCalled, id: of }: AffectedAnswer,
): Sought | undefined {
  const { id, name, word } = item;
  const own = ofPackage(item, found);
  if (own.length === 0) return undefined;
  const ownIds = own.flatMap(({ advisoryId }) => advisoryId || []);
  // Those of one package and build only: an id can be about several.
  if (name !== undefined && own.length < found.length && ownIds.length === own.length) {
    const advisoryIds = [...new Set(ownIds)];
    if (of !== undefined || advisoryIds.length <= MOST_NAMES)
      return { advisoryIds: advisoryIds.slice(0, MOST_NAMES) };
  }
  if (of === undefined) return { artifactNames: [name ?? word ?? ""] };
  const ids = [of, ...alsoCalled].slice(0, MOST_NAMES);
  return id === undefined || /^(?:CVE|GHSA)-/.test(id)
    ? { aliases: ids }
    : { aliases: ids, advisoryIds: ids };
}

/** The package to look for in images; undefined if the question names none. */
export function heldBy({ name, word, version }: PastedItem, { id }: AffectedAnswer): HeldPackage | undefined {
  const packageName = name ?? (id === undefined ? word : undefined);
  return packageName === undefined
    ? undefined
    : { packageName, ...(version !== undefined && { packageVersion: version }) };
}
