import { useParams, useRouterState, useSearch } from "@tanstack/react-router";

import { isUid, parentOf } from "~/contract/aip";
import { useScope } from "~/features/scope/scope";
import { paramToUid } from "~/features/scope/uid-param";

export interface ShownRecord {
  /** First part of the address of its list: `groups`, `people`. */
  readonly collection: string;
  readonly uid: string;
}

/** The record that the screen shows, when it shows one: `/<collection>/<uid>`, or the repo of `/tags?repo=<uid>`. */
export function useRecord(): ShownRecord | undefined {
  const uid = useParams({ strict: false, select: (params: { uid?: string }) => params.uid });
  const repo = useSearch({ strict: false, select: (search: { repo?: string | undefined }) => search.repo });
  const collection = useRouterState({ select: ({ matches }) => matches.at(-1)?.routeId.split("/")[1] });
  if (collection === "tags" && repo !== undefined && isUid(paramToUid(repo)))
    return { collection: "repos", uid: paramToUid(repo) };
  if (uid === undefined || !collection || !isUid(paramToUid(uid))) return undefined;
  const shown = paramToUid(uid);
  // An identity at the root level is a person, of whom there is a list of its own.
  return {
    collection: collection === "identities" && parentOf(shown) === "" ? "people" : collection,
    uid: shown,
  };
}

/** The collection that the screen is about: `groups`, `identities`; "" for the overview, undefined where there is no screen. */
export function useCollection(): string | undefined {
  const record = useRecord();
  const collection = useRouterState({ select: ({ matches }) => matches.at(-1)?.routeId.split("/")[1] });
  return record?.collection ?? collection;
}

/** The group that the screen is about: the scope, else the group shown or the one that the shown record lies in. */
export function useCurrentGroup(): { readonly group: string | undefined; readonly scoped: boolean } {
  const { group } = useScope();
  const record = useRecord();
  if (group !== undefined) return { group, scoped: true };
  if (!record) return { group: undefined, scoped: false };
  const home = record.collection === "tags" ? parentOf(record.uid) : record.uid;
  const shown = record.collection === "groups" ? home : parentOf(home);
  return { group: shown || undefined, scoped: false };
}
