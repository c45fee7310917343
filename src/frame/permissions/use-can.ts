import { useQuery } from "@tanstack/react-query";

import type { Endpoint } from "platform-contract/endpoint";

import { usePerson } from "~/auth/use-session";

import { currentUserQuery } from "./read-current-user";
import { can, type PermissionVerdict } from "./rules";

/**
 * Returns whether the user can use an endpoint at a group (or at a record below it); `undefined` means anywhere, "" the
 * root level. Allowed while unknown.
 */
export function useCan(endpoint: Pick<Endpoint, "access">, group: string | undefined): PermissionVerdict {
  const person = usePerson();
  const { data } = useQuery(currentUserQuery(person));
  return can(data, endpoint, group);
}

/** The same for many places: returns the first that refuses, with what is missing there, or undefined. */
export function useRefusedAt(
  endpoint: Pick<Endpoint, "access">,
  groups: readonly (string | undefined)[],
): { readonly group: string | undefined; readonly capability: string | undefined } | undefined {
  const person = usePerson();
  const { data } = useQuery(currentUserQuery(person));
  const group = groups.findIndex((each) => can(data, endpoint, each).capability !== undefined);
  if (group < 0) return undefined;
  return { group: groups[group], capability: can(data, endpoint, groups[group]).capability };
}

/** The same for many records of a screen: returns why an endpoint is refused there, or undefined. */
export function useRefusal(): (
  endpoint: Pick<Endpoint, "access">,
  group: string | undefined,
) => string | undefined {
  const person = usePerson();
  const { data } = useQuery(currentUserQuery(person));
  return (endpoint, group) => can(data, endpoint, group).reason;
}
