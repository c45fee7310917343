import { useParams, useRouterState, useSearch } from "@tanstack/react-router";

import { isUid } from "platform-contract/aip";
import { groupOf } from "platform-contract/holders";
import { kindOf, everyKind, listPath } from "platform-contract/kinds";
import { useScope } from "~/frame/scope/scope";
import { paramToUid } from "~/frame/scope/uid-param";

import { holderParameter } from "./links";
import { screensOf } from "./screens";

export interface ShownRecord {
  /** `groups`, `roleBindings`; the first path segment if there is no such kind. */
  readonly collection: string;
  readonly uid: string;
}

/** The collection in the URL: "" for the overview, undefined if there is no screen. */
function useAddressed(): string | undefined {
  const first = useRouterState({ select: ({ matches }) => matches.at(-1)?.routeId.split("/")[1] });
  return everyKind.find(({ collection }) => listPath(collection) === `/${first}`)?.collection ?? first;
}

/** The record on screen, if any: `/<collection>/<uid>`, or the repo of `/tags?repo=<uid>`. */
export function useRecord(): ShownRecord | undefined {
  const uid = useParams({ strict: false, select: (params: { uid?: string }) => params.uid });
  const collection = useAddressed();
  const parameter = holderParameter(collection ?? "") ?? "";
  const holder = useSearch({
    strict: false,
    select: (search): string | undefined => {
      const value = search[parameter];
      return typeof value === "string" ? value : undefined;
    },
  });
  if (holder !== undefined && isUid(paramToUid(holder)))
    return { collection: kindOf(collection ?? "")?.parent ?? "", uid: paramToUid(holder) };
  if (uid === undefined || !collection || !isUid(paramToUid(uid))) return undefined;
  return { collection, uid: paramToUid(uid) };
}

/** The list that the screen belongs to: `groups`, `people`; "" for the overview, undefined if there is no screen. */
export function useCollection(): string | undefined {
  const record = useRecord();
  const collection = useAddressed();
  return (record && screensOf(record)?.collection) ?? record?.collection ?? collection;
}

/** The group that the screen is about: the scope, else the group shown or the one that contains the record. */
export function useCurrentGroup(): { readonly group: string | undefined; readonly scoped: boolean } {
  const { group } = useScope();
  const record = useRecord();
  if (group !== undefined) return { group, scoped: true };
  if (!record) return { group: undefined, scoped: false };
  return { group: groupOf(record) || undefined, scoped: false };
}
