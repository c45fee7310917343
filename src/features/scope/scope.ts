import { useSearch } from "@tanstack/react-router";

import { isUid } from "~/contract/aip";

import { paramToUid } from "./uid-param";

/** The scope as it stands in a console address: `?group=<uid with _>&reach=here`. */
export interface ScopeSearch {
  group?: string | undefined;
  reach?: "here" | undefined;
}

/** Which records a screen is about: those of a group, and (`below`) of every group under it. */
export interface Scope {
  /** uid; undefined: all visible groups. */
  readonly group: string | undefined;
  readonly reach: "below" | "here";
}

/** Reads the search parameters; text that is no uid is left out, since no list could be limited to it. */
export function readScopeSearch(search: Readonly<Record<string, unknown>>): ScopeSearch {
  const { group, reach } = search as { group?: unknown; reach?: unknown };
  return {
    ...(typeof group === "string" && isUid(paramToUid(group)) && { group }),
    ...(reach === "here" && { reach }),
  };
}

/**
 * The search parameters of a screen: the scope, and what `read` makes of the others. Named for the router, which would
 * hand on every parameter as it stands in the address unless it is said to be nothing.
 */
export const screenSearch =
  <T extends object>(read: (search: Readonly<Record<string, unknown>>) => T) =>
  (search: Record<string, unknown>): T => ({
    ...Object.fromEntries(Object.keys(search).map((name) => [name, undefined])),
    ...readScopeSearch(search),
    ...read(search),
  });

export const scopeOf = ({ group, reach }: ScopeSearch): Scope => ({
  group: group === undefined ? undefined : paramToUid(group),
  reach: reach ?? "below",
});

/** The scope of the current address, on any screen. */
export function useScope(): Scope {
  const group = useSearch({ strict: false, select: (search) => readScopeSearch(search).group });
  const reach = useSearch({ strict: false, select: (search) => readScopeSearch(search).reach });
  return scopeOf({ ...(group !== undefined && { group }), ...(reach && { reach }) });
}

/** The list filter of a scope: scope is a filter in this API (contract 0.4). */
export const scopeQuery = ({
  group,
  reach,
}: Scope): { "uidp.descendants_of"?: string; "uidp.children_of"?: string } => {
  if (group === undefined) return {};
  return reach === "here" ? { "uidp.children_of": group } : { "uidp.descendants_of": group };
};
