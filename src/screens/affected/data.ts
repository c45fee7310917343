import { queryOptions } from "@tanstack/react-query";

import type { QueryFacts } from "~/api/client/request-info";
import { call } from "~/api/client/client";
import { ancestorsOf, PAGE_SIZE_MAX } from "~/contract/aip";
import { advisories, type Advisory } from "~/contract/vulnerabilities/advisories";
import { readId } from "~/features/advisories/ids";
import { scopeQuery, type Scope } from "~/features/scope/scope";
import type { Address } from "~/resource/list-search";

export interface AffectedSearch {
  readonly id?: string | undefined;
}
export const readAffected = ({ id }: Address): AffectedSearch => {
  const read = typeof id === "string" ? readId(id) : "";
  return read === "" ? {} : { id: read };
};

/** Pages of one list; more advisories than that nobody has of one vulnerability. */
const PAGES = 10;

export interface Answer {
  readonly advisories: readonly Advisory[];
  /** Other names that the vulnerability goes by, which were looked for as well. */
  readonly alsoCalled: readonly string[];
  /** There are more than were read. */
  readonly partial: boolean;
}

type Names = Readonly<Partial<Record<"aliases" | "advisoryIds" | "legacyAdvisoryIds", string[]>>>;

const isCve = (id: string): boolean => id.startsWith("CVE-");
/** An advisory says where something stands: its id may be what is asked about. */
const fieldsOf = (id: string): Names[] =>
  /^(?:CVE|GHSA)-/.test(id)
    ? [{ aliases: [id] }]
    : [{ aliases: [id] }, { advisoryIds: [id] }, { legacyAdvisoryIds: [id] }];

/**
 * Where advisories lie that hold in a scope: in it, and in each group above, since what holds for an organization holds for its
 * folders.
 */
export const placesOf = (scope: Scope): object[] => [
  scopeQuery(scope),
  ...(scope.group === undefined
    ? []
    : ancestorsOf(scope.group).map((group) => ({ "uidp.children_of": group }))),
];

/** What is told of a vulnerability by any advisory that holds in the scope: read to the end, since it is an answer. */
export function answerQuery(scope: Scope, id: string) {
  const order = { order_by: "name", page_size: PAGE_SIZE_MAX };
  return queryOptions({
    queryKey: [advisories.collection, "answer", { scope, id }] as const,
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
          // oxlint-disable-next-line no-await-in-loop -- a page is asked for by the token of the one before
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
      return { advisories: [...found.values()], alsoCalled, partial };
    },
    staleTime: 30_000,
  });
}

/** What else it is called. An advisory may name several CVEs, of which each is a vulnerability of its own. */
export const otherNames = (id: string, found: readonly Advisory[]): string[] => {
  const names = new Set(found.flatMap(({ aliases = [] }) => aliases));
  return [...names].filter((name) => name !== id && !(isCve(id) && isCve(name))).toSorted();
};
