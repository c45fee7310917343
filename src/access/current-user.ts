import { useQuery } from "@tanstack/react-query";

import type { Person } from "~/auth/session";
import { usePerson } from "~/auth/use-session";

import { UNKNOWN, whoQuery, type Who } from "./read-current-user";

export interface WhoAmI extends Omit<Who, "state"> {
  readonly person: Person;
  /** `loading`: not known yet, which counts as unknown. */
  readonly state: Who["state"] | "loading";
}

/** Who the signed-in person is, and what they are bound to. */
export function useWho(): WhoAmI {
  const person = usePerson();
  const { data, isPending } = useQuery(whoQuery(person));
  const who = data ?? UNKNOWN;
  return { ...who, person, state: isPending ? "loading" : who.state };
}

/** Whether it is certain that nobody has given this person any access yet. */
export const whoIsEmpty = ({ state }: Pick<WhoAmI, "state">): boolean => state === "nobody";
