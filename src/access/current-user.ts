import { useQuery } from "@tanstack/react-query";

import type { Person } from "~/auth/session";
import { usePerson } from "~/auth/use-session";

import { UNKNOWN, currentUserQuery, type CurrentUserState } from "./read-current-user";

export interface CurrentUser extends Omit<CurrentUserState, "state"> {
  readonly person: Person;
  /** `loading`: not known yet, which counts as unknown. */
  readonly state: CurrentUserState["state"] | "loading";
}

/** Who the signed-in person is, and what they are bound to. */
export function useCurrentUser(): CurrentUser {
  const person = usePerson();
  const { data, isPending } = useQuery(currentUserQuery(person));
  const who = data ?? UNKNOWN;
  return { ...who, person, state: isPending ? "loading" : who.state };
}

/** Whether it is certain that nobody has given this person any access yet. */
export const isWithoutAccess = ({ state }: Pick<CurrentUser, "state">): boolean => state === "nobody";
