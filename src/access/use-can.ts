import { useQuery } from "@tanstack/react-query";

import type { Endpoint } from "~/contract/endpoint";

import { usePerson } from "../auth/use-session";

import { currentUserQuery } from "./read-current-user";
import { can, type Verdict } from "./rules";

/**
 * Whether the person may use an endpoint at a group (or at a record below it); `undefined` asks for anywhere, "" for
 * the root level. While it is unknown, it is allowed.
 */
export function useCan(endpoint: Pick<Endpoint, "access">, group: string | undefined): Verdict {
  const person = usePerson();
  const { data } = useQuery(currentUserQuery(person));
  return can(data, endpoint, group);
}

/** The same for a screen that asks about many records: why an endpoint may not be used there, or nothing. */
export function useRefusal(): (
  endpoint: Pick<Endpoint, "access">,
  group: string | undefined,
) => string | undefined {
  const person = usePerson();
  const { data } = useQuery(currentUserQuery(person));
  return (endpoint, group) => can(data, endpoint, group).reason;
}
