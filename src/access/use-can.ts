import { useQuery } from "@tanstack/react-query";

import type { Endpoint } from "~/contract/endpoint";

import { usePerson } from "../auth/use-session";

import { whoQuery } from "./read-who";
import { can, type Verdict } from "./rules";

/**
 * Whether the person may use an endpoint at a group (or at a record below it); `undefined` asks for anywhere, "" for
 * the root level. While it is unknown, it is allowed.
 */
export function useCan(endpoint: Pick<Endpoint, "access">, group: string | undefined): Verdict {
  const person = usePerson();
  const { data } = useQuery(whoQuery(person));
  return can(data, endpoint, group);
}
