import { queryOptions } from "@tanstack/react-query";

import type { QueryFacts } from "~/api/client/request-info";
import { call } from "~/api/client/client";
import { ancestorsOf, PAGE_SIZE_MAX } from "~/contract/aip";
import { advisories, type Advisory } from "~/contract/vulnerabilities/advisories";
import { readId } from "~/features/advisories/ids";
import { scopeQuery, type Scope } from "~/features/scope/scope";
import type { Address } from "~/features/scope/address";

export interface AffectedSearch {
  readonly id?: string | undefined;
  /** The installed version to decide about. */
  readonly version?: string | undefined;
}
export const readAffected = ({ id, version }: Address): AffectedSearch => {
  const read = typeof id === "string" ? readId(id) : "";
  const installed = typeof version === "string" || typeof version === "number" ? String(version).trim() : "";
  return read === "" ? {} : { id: read, ...(installed !== "" && { version: installed }) };
};

/** Maximum number of pages to read per list; no vulnerability has more advisories than that. */
const PAGES = 10;

export interface Answer {
  readonly advisories: readonly Advisory[];
  /** Aliases of the vulnerability, which were also searched for. */
  readonly alsoCalled: readonly string[];
  /** True if there are more advisories than were read. */
  readonly partial: boolean;
}

type Names = Readonly<Partial<Record<"aliases" | "advisoryIds" | "legacyAdvisoryIds", string[]>>>;

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

/** Reads every advisory about a vulnerability that applies to the scope: all pages, since the verdict needs them. */
export function answerQuery(scope: Scope, id: string, version?: string) {
  const order = { order_by: "name", page_size: PAGE_SIZE_MAX, ...(version !== undefined && { version }) };
  return queryOptions({
    queryKey: [advisories.collection, "answer", { scope, id, version }] as const,
    meta: {
      requests: () =>
        placesOf(scope).flatMap((place) =>
          fieldsOf(id).map((names) => ({
            endpoint: advisories.list,
            query: { ...place, ...names, ...order },
          })),
        ),
    } satisfies QueryFacts,
    queryFn: async ({ signal }): Promise<Answer> => {
      const found = new Map<string, Advisory>();
      let partial = false;
      async function read(query: object): Promise<void> {
        let token: string | undefined;
        for (let page = 0; page < PAGES; page += 1) {
          const asked = { ...query, ...order, ...(token !== undefined && { page_token: token }) };
          // oxlint-disable-next-line no-await-in-loop -- each page needs the token of the page before
          const { items, nextPageToken } = await call(advisories.list, { query: asked, signal });
          for (const advisory of items) found.set(advisory.uid, advisory);
          if (!nextPageToken) return;
          token = nextPageToken;
        }
        partial = true;
      }
      const everywhere = (fields: readonly Names[]) =>
        Promise.all(placesOf(scope).flatMap((place) => fields.map((names) => read({ ...place, ...names }))));
      await everywhere(fieldsOf(id));
      const alsoCalled = otherNames(id, [...found.values()]);
      if (alsoCalled.length > 0) await everywhere([{ aliases: alsoCalled }]);
      return { advisories: about(id, [...found.values()]), alsoCalled, partial };
    },
    staleTime: 30_000,
  });
}

/** Returns its other names. For a CVE, skips other CVEs: an advisory can name several distinct vulnerabilities. */
export const otherNames = (id: string, found: readonly Advisory[]): string[] => {
  const names = new Set(found.flatMap(({ aliases = [] }) => aliases));
  return [...names].filter((name) => name !== id && !(isCve(id) && isCve(name))).toSorted();
};

/** For a CVE, without those of other CVEs: a notice is another name of each CVE that it is about. */
export const about = (id: string, found: readonly Advisory[]): Advisory[] =>
  found.filter(({ aliases = [] }) => !isCve(id) || aliases.includes(id) || !aliases.some(isCve));
