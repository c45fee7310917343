import type { Advisory } from "platform-contract/vulnerabilities/advisories";
import { placeOf } from "platform-contract/vulnerabilities/places";

/** What two advisories have to share to be about the same thing, apart from where it holds. */
const subjectOf = (advisory: Advisory): string =>
  JSON.stringify([
    advisory.artifactType,
    advisory.artifactName,
    advisory.artifactArchitecture,
    advisory.componentName,
    advisory.componentLocation,
    // Advisories of one vulnerability share its CVE; without one, all of its names.
    advisory.aliases?.filter((id) => id.startsWith("CVE-")).toSorted(),
  ]);

/** True if `one` holds wherever `other` does, and in more places. */
function isMoreGeneral(one: string, other: string): boolean {
  const { distribution, version } = placeOf(other);
  return one !== other && (one === "" || (version !== undefined && distribution === one));
}

/**
 * Where more particular advisories about the same thing answer in the place of each one, by uid: for what they name, it
 * does not count.
 */
export function exceptionsIn(all: readonly Advisory[]): ReadonlyMap<string, readonly string[]> {
  const bySubject = new Map<string, Advisory[]>();
  for (const one of all) {
    const subject = subjectOf(one);
    bySubject.set(subject, [...(bySubject.get(subject) ?? []), one]);
  }
  const found = new Map<string, readonly string[]>();
  for (const same of bySubject.values())
    for (const { uid, appliesTo = "" } of same) {
      const others = same
        .flatMap((other) => other.appliesTo ?? "")
        .filter((other) => isMoreGeneral(appliesTo, other));
      if (others.length > 0) found.set(uid, [...new Set(others)].toSorted());
    }
  return found;
}

/**
 * True unless the advisory is known to be about another distribution, or another release of it, than a package URL names.
 * @param distro as package URLs write it: `alpine-3.20.1`, `wolfi-20230201`
 */
export function canHoldIn(appliesTo: string, distro: string): boolean {
  const [own, asked] = [readDistro(placeOf(appliesTo).distribution), readDistro(distro)];
  if (own.name === "" || asked.name === "") return true;
  return (
    own.name === asked.name &&
    (own.release === "" || asked.release === "" || isPart(own.release, asked.release))
  );
}
const readDistro = (text: string): { readonly name: string; readonly release: string } => {
  const [, name = "", release = ""] = /^([a-z]+)(?:[-:]v?(\d[\d.]*))?$/.exec(text.toLowerCase()) ?? [];
  return { name, release };
};
const isPart = (one: string, other: string): boolean =>
  `${one}.`.startsWith(`${other}.`) || `${other}.`.startsWith(`${one}.`);

/** How many places to name. */
const NAMED = 6;

/** Where an advisory holds, in words; undefined if everywhere. */
export function placeText(
  { appliesTo = "" }: Advisory,
  exceptions: readonly string[] = [],
): string | undefined {
  if (exceptions.length === 0) return appliesTo || undefined;
  const more = exceptions.length - NAMED;
  const named = exceptions.slice(0, NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
  return `${appliesTo || "Everywhere"} except ${named}, which ${exceptions.length === 1 ? "has its" : "have their"} own advisory`;
}
