import { useSearch } from "@tanstack/react-router";

import { isUid } from "platform-contract/aip";

import { paramToUid } from "./uid-param";

/** The scope in a console URL: `?group=<uid with _>&reach=here`. */
export interface ScopeSearch {
  group?: string | undefined;
  reach?: "here" | undefined;
  /** The moment of the past on display. */
  asOf?: string | undefined;
  /** The moment that it is compared with. */
  compareWith?: string | undefined;
}

/** The records that a screen covers: those of a group, and (`below`) of all its descendants. */
export interface Scope {
  /** uid; undefined: all visible groups. */
  readonly group: string | undefined;
  readonly reach: "below" | "here";
}

/** All records that the user can see. */
export const EVERYWHERE: Scope = { group: undefined, reach: "below" };

/** Reads the search parameters; drops anything but a uid, since no list can be limited to it. */
export function readScopeSearch(search: Readonly<Record<string, unknown>>): ScopeSearch {
  const { group, reach, asOf, compareWith } = search;
  return {
    ...(typeof group === "string" && isUid(paramToUid(group)) && { group }),
    ...(reach === "here" && { reach }),
    ...(typeof asOf === "string" && { asOf }),
    ...(typeof compareWith === "string" && { compareWith }),
  };
}

/**
 * The search parameters of a screen: the scope, and the result of `read`. Sets all others to undefined, because the
 * router keeps every parameter of the URL that is absent from the result.
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

/** The scope of the current URL, on any screen. */
export function useScope(): Scope {
  const group = useSearch({ strict: false, select: (search) => readScopeSearch(search).group });
  const reach = useSearch({ strict: false, select: (search) => readScopeSearch(search).reach });
  return scopeOf({ ...(group !== undefined && { group }), ...(reach && { reach }) });
}

/** The list filter for a scope: scope is a filter in this API. */
export const scopeQuery = ({
  group,
  reach,
}: Scope): { "uidp.descendants_of"?: string; "uidp.children_of"?: string } => {
  if (group === undefined) return {};
  return reach === "here" ? { "uidp.children_of": group } : { "uidp.descendants_of": group };
};
