import { queryOptions, type QueryClient } from "@tanstack/react-query";

import type { QueryFacts } from "~/api/client/request-info";
import { call } from "~/api/client/client";
import { limiter } from "~/api/paging/limiter";
import { rowsOf } from "~/api/queries/queries";
import { ancestorsOf, PAGE_SIZE_MAX } from "platform-contract/aip";
import { advisories, type Advisory } from "platform-contract/vulnerabilities/advisories";
import { readId } from "~/domains/vulnerabilities/advisories/ids";
import { readItem, writeItem, type PastedItem } from "~/domains/vulnerabilities/advisories/pasted/item";
import { canHoldIn } from "~/domains/vulnerabilities/advisories/places";
import { purlTypeOf } from "~/domains/vulnerabilities/advisories/pasted/types";
import { holdingQuery, type HeldPackage, type Sought } from "~/domains/vulnerabilities/advisories/tags-here";
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
  /** What the package is built from, by the images here: advisories name that, scanners the package. */
  readonly builtFrom?: readonly string[];
}

type Names = Readonly<
  Partial<
    Record<"aliases" | "advisoryIds" | "legacyAdvisoryIds" | "artifactNames" | "componentNames", string[]>
  >
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

/** As written, and in lower case, as most ecosystems write their names. */
const spellings = (name: string): string[] => [...new Set([name, name.toLowerCase()])];

/** What a package is built from, by the first tags whose images hold it. */
async function originsOf(name: string, group: string | undefined, client: QueryClient): Promise<string[]> {
  const found = await Promise.all(
    spellings(name).map((packageName) =>
      client.fetchInfiniteQuery({ ...holdingQuery({ packageName }, group, undefined), staleTime: 30_000 }),
    ),
  );
  const packages = found.flatMap((data) => rowsOf(data).rows.flatMap((tag) => tag.packages ?? []));
  return [
    ...new Set(
      packages.flatMap((one) =>
        spellings(name).includes(one.packageName ?? "") ? (one.packageOrigin ?? []) : [],
      ),
    ),
  ];
}

/**
 * Reads every advisory that a question is about and that applies to the scope: all pages, since the verdict needs them.
 * @param untold why the packages of images can't be asked about; undefined if they can
 */
export function answerQuery(scope: Scope, item: PastedItem, untold: string | undefined, client: QueryClient) {
  const { id, version, word, type, name = word } = item;
  const order = { order_by: "name", page_size: PAGE_SIZE_MAX, ...(version !== undefined && { version }) };
  const byId = id ?? word;
  const ids = byId === undefined ? [] : fieldsOf(byId);
  const namedBy = (all: string[]): Names[] => [{ artifactNames: all }, { componentNames: all }];
  const names = name === undefined ? [] : namedBy(spellings(name));
  const asked = [...ids, ...(id === undefined ? names : [])];
  return queryOptions({
    queryKey: [advisories.collection, "answer", { scope, item, untold }] as const,
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
      const canBeBuilt = name !== undefined && untold === undefined && (type === undefined || type === "apk");
      const origins = () => (canBeBuilt ? originsOf(name, scope.group, client) : []);
      const found = await read(ids);
      // A word is a package where it is no id.
      if (byId === undefined || (id === undefined && found.size === 0)) {
        const builtFrom = await origins();
        const own = await read([...names, ...(builtFrom.length > 0 ? [{ artifactNames: builtFrom }] : [])]);
        return { advisories: [...own.values()], alsoCalled: [], partial, builtFrom };
      }
      const alsoCalled = otherNames(byId, [...found.values()]);
      if (alsoCalled.length > 0) await read([{ aliases: alsoCalled }], found);
      const answer = { advisories: about(byId, [...found.values()]), alsoCalled, partial, id: byId };
      // One that names the package itself needs no detour.
      return name === undefined || ofPackage(item, answer).length > 0
        ? answer
        : { ...answer, builtFrom: await origins() };
    },
    staleTime: 30_000,
  });
}

type Found = Pick<AffectedAnswer, "advisories" | "builtFrom">;

/** True for an advisory about the package itself, or about what it is built from. */
const isAbout = (
  { word, name = word ?? "", type }: PastedItem,
  { artifactName = "", artifactType }: Advisory,
  builtFrom: readonly string[] = [],
): boolean =>
  (builtFrom.includes(artifactName) && isOfType(artifactType, "apk")) ||
  (spellings(name).includes(artifactName) && isOfType(artifactType, type));

/**
 * The advisories of an answer that are about the package which the question names, or about what contains it: those
 * decide by the versions of that, so they say nothing of the version that is asked about.
 */
export const ofPackage = (item: PastedItem, { advisories: found, builtFrom }: Found): Advisory[] => {
  const { name, type, architecture, distro } = item;
  if (name === undefined) return [...found];
  return found.flatMap((advisory) => {
    const { artifactArchitecture, componentName = "", componentType, appliesTo = "" } = advisory;
    const isOfBuild =
      (!artifactArchitecture || architecture === undefined || artifactArchitecture === architecture) &&
      (distro === undefined || canHoldIn(appliesTo, distro));
    if (!isOfBuild) return [];
    if (isAbout(item, advisory, builtFrom)) return advisory;
    return spellings(name).includes(componentName) && isOfType(componentType, type)
      ? { ...advisory, installedVersions: undefined }
      : [];
  });
};

/** The name of the package, if every advisory is about what contains it. */
export function containedIn(
  item: PastedItem,
  { advisories: found, builtFrom, id }: AffectedAnswer,
): string | undefined {
  const name = item.name ?? (id === undefined ? item.word : undefined);
  const own = ofPackage(item, { advisories: found, ...(builtFrom && { builtFrom }) });
  return name !== undefined && own.length > 0 && !own.some((one) => isAbout(item, one, builtFrom))
    ? name
    : undefined;
}

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

/** Which advisories' packages to look for in images; undefined if there are none, or too many to compare. */
export function soughtBy(item: PastedItem, answer: AffectedAnswer): Sought | undefined {
  const { advisories: found, alsoCalled, id: of } = answer;
  const { id, name } = item;
  const own = ofPackage(item, answer);
  if (own.length === 0) return undefined;
  const ownIds = own.flatMap(({ advisoryId }) => advisoryId || []);
  // Those of one package and build only: an id can be about several.
  if (name !== undefined && own.length < found.length && ownIds.length === own.length) {
    const advisoryIds = [...new Set(ownIds)];
    if (of !== undefined || advisoryIds.length <= MOST_NAMES)
      return { advisoryIds: advisoryIds.slice(0, MOST_NAMES) };
  }
  if (of === undefined) {
    const artifacts = own.filter((one) => isAbout(item, one, answer.builtFrom));
    if (artifacts.length > 0)
      return { artifactNames: [...new Set(artifacts.flatMap(({ artifactName }) => artifactName ?? []))] };
    // By their ids: what contains a package can have other advisories.
    const advisoryIds = [...new Set(ownIds)];
    return ownIds.length === own.length && advisoryIds.length <= MOST_NAMES ? { advisoryIds } : undefined;
  }
  const ids = [of, ...alsoCalled].slice(0, MOST_NAMES);
  return id === undefined || /^(?:CVE|GHSA)-/.test(id)
    ? { aliases: ids }
    : { aliases: ids, advisoryIds: ids };
}

/** The package to look for in images, as advisories spell it; undefined if the question names none. */
export function heldBy(item: PastedItem, { id, advisories: found }: AffectedAnswer): HeldPackage | undefined {
  const { word, version, name = id === undefined ? word : undefined } = item;
  if (name === undefined) return undefined;
  const spelled = found
    .map(({ artifactName }) => artifactName)
    .filter((one) => one && spellings(name).includes(one));
  const packageName = spelled.includes(name) ? name : (spelled[0] ?? name);
  return { packageName, ...(version !== undefined && { packageVersion: version }) };
}
