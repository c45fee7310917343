import { isWithin } from "../aip";
import type { GuardRailException, GuardRailInput } from "./guard-rails";

type Values = Readonly<Partial<GuardRailInput>>;

/** True if a text fits a pattern, in which * stands for any text and ? for one character. Takes linear time for each *. */
export function fitsPattern(given: string, pattern: string): boolean {
  const [name, sought] = [[...given], [...pattern]];
  let [at, to] = [0, 0];
  let star = -1;
  let resumed = 0;
  while (at < name.length) {
    if (sought[to] === "*") {
      star = to;
      resumed = at;
      to += 1;
    } else if (to < sought.length && (sought[to] === "?" || sought[to] === name[at])) {
      at += 1;
      to += 1;
    } else if (star >= 0) {
      to = star + 1;
      resumed += 1;
      at = resumed;
    } else return false;
  }
  return sought.slice(to).every((character) => character === "*");
}

/** True if an exception covers one of these: the identity itself, or records and groups within the subject. */
export const isExcepted = (
  exceptions: readonly GuardRailException[],
  { identity, within = [] }: { readonly identity?: string | undefined; readonly within?: readonly string[] },
  now: number,
): boolean =>
  exceptions.some(
    ({ subject, expirationTime }) =>
      Date.parse(expirationTime) > now &&
      (subject === identity || within.some((uid) => isWithin(uid, subject))),
  );

const or = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;

export interface Names {
  /** The name of a role by its uid; undefined if it is gone. */
  role(uid: string): string | undefined;
  /** The dotted name of a capability. */
  capability(name: string): string;
}

function rolesInWords({ roles = [], capabilities = [] }: Values, names: Names): string {
  const named = roles.map((uid) => names.role(uid) ?? "a deleted role");
  return or([
    ...(named.length > 0 ? [...named, "a role that can do as much"] : []),
    ...(capabilities.length > 0
      ? [`a role with ${or(capabilities.map((one) => names.capability(one)))}`]
      : []),
  ]);
}

const RECORDS: Readonly<Record<string, string>> = {
  GUARD_RAIL_NAMES_GROUPS: "folders",
  GUARD_RAIL_NAMES_IDENTITIES: "identities",
  GUARD_RAIL_NAMES_REPOS: "repos",
};

/** A guard rail in words, as one sentence without its full stop. */
export function guardRailSentence(values: Values, names: Names): string {
  const { kind, maxDays = 0, issuers = [], exactSubject = false, claims = [], patterns = [] } = values;
  switch (kind) {
    case "GUARD_RAIL_KIND_NO_MACHINES":
      return `Machines can't have ${rolesInWords(values, names)}`;
    case "GUARD_RAIL_KIND_END_REQUIRED":
      return `Grants of ${rolesInWords(values, names)} must end within ${maxDays === 1 ? "1 day" : `${maxDays} days`}`;
    case "GUARD_RAIL_KIND_SECOND_PERSON":
      return `Only people who asked for access get ${rolesInWords(values, names)}, and only from another person`;
    case "GUARD_RAIL_KIND_ALLOWED_ISSUERS": {
      const must = [
        ...(issuers.length > 0 ? [`trust only tokens of ${or(issuers)}`] : []),
        ...(exactSubject ? ["name one subject instead of a pattern"] : []),
        ...(claims.length > 0
          ? [`require one value for the ${claims.length === 1 ? "claim" : "claims"} ${claims.join(", ")}`]
          : []),
      ];
      return `Identities must ${must.join(", and ")}`;
    }
    case "GUARD_RAIL_KIND_NAME_PATTERN":
      return `Names of ${RECORDS[values.names ?? ""] ?? "records"} must be like ${or(patterns)}`;
    case "GUARD_RAIL_KIND_REASON_REQUIRED":
      return "Changes that give access need a reason";
    default:
      return "A guard rail of a kind that is not known here";
  }
}
