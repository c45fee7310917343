import { useParams, useRouterState } from "@tanstack/react-router";

import { isUid, parentOf } from "~/contract/aip";
import { useScope } from "~/parts/scope";
import { paramToUid } from "~/parts/uid-param";

export interface ShownRecord {
  /** First part of its address: `groups`, `identities`. */
  readonly collection: string;
  readonly uid: string;
}

/** The record that the screen shows, when it shows one: `/<collection>/<uid>`. */
export function useRecord(): ShownRecord | undefined {
  const uid = useParams({ strict: false, select: (params: { uid?: string }) => params.uid });
  const collection = useRouterState({ select: ({ matches }) => matches.at(-1)?.routeId.split("/")[1] });
  if (uid === undefined || !collection || !isUid(paramToUid(uid))) return undefined;
  return { collection, uid: paramToUid(uid) };
}

/** The group that the screen is about: the scope, else the group shown or the one that the shown record lies in. */
export function useCurrentGroup(): { readonly group: string | undefined; readonly scoped: boolean } {
  const { group } = useScope();
  const record = useRecord();
  if (group !== undefined) return { group, scoped: true };
  if (!record) return { group: undefined, scoped: false };
  const shown = record.collection === "groups" ? record.uid : parentOf(record.uid);
  return { group: shown || undefined, scoped: false };
}
