import { useQuery } from "@tanstack/react-query";

import type { Person } from "~/auth/session";
import { usePerson } from "~/auth/use-session";

import { UNKNOWN, currentUserQuery, type CurrentUserState } from "./read-current-user";

export interface CurrentUser extends Omit<CurrentUserState, "state"> {
  readonly person: Person;
  /** `loading`: not known yet, treated like unknown. */
  readonly state: CurrentUserState["state"] | "loading";
}

/** The signed-in user and their role bindings. */
export function useCurrentUser(): CurrentUser {
  const person = usePerson();
  const { data, isPending } = useQuery(currentUserQuery(person));
  const who = data ?? UNKNOWN;
  return { ...who, person, state: isPending ? "loading" : who.state };
}

/** True if the user certainly has no access yet. */
export const isWithoutAccess = ({ state }: Pick<CurrentUser, "state">): boolean => state === "nobody";
