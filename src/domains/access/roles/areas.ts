import { capabilities } from "platform-contract/iam/capabilities";
import { by } from "platform-contract/order";

/** A capability as shown on screens. */
export interface Capability {
  readonly wire: string;
  /** "groups.list"; the wire name if this console doesn't know it. */
  readonly name: string;
  /** "View groups". */
  readonly meaning: string;
}

export interface Area {
  readonly title: string;
  readonly capabilities: readonly Capability[];
}

/** Titles, with the first segments of the dotted names. */
const AREAS: readonly (readonly [title: string, heads: string])[] = [
  ["Groups and invites", "groups group_invites account_associations terms"],
  ["Roles and role bindings", "roles role_bindings"],
  ["Identities and identity providers", "identity identity_providers"],
  ["Repos, tags, and images", "repo tag manifest referrers"],
  ["Registry settings", "registry"],
  ["Packages and builds", "apk packages version build_report"],
  [
    "Vulnerabilities and advisories",
    "advisories vuln vuln_report vuln_reports sboms attestations record_signatures",
  ],
  ["Policies", "policies"],
  ["Libraries", "libraries"],
  ["Event subscriptions", "subscriptions"],
  ["Skills", "skills"],
  ["Guardener", "guardener"],
];
const OTHER = "Other";
const DEPRECATED = "Deprecated";
const INTERNAL = "Internal to the platform";
const UNKNOWN = "Unknown to this console";

const TITLES = [...AREAS.map(([title]) => title), OTHER, DEPRECATED, INTERNAL, UNKNOWN];
const titleOfHead = new Map(AREAS.flatMap(([title, heads]) => heads.split(" ").map((head) => [head, title])));
const isInternal = ({ wire, internal }: { wire: string; internal: boolean }): boolean =>
  internal || wire === "CAP_INTERNAL";

const known = new Map(
  capabilities.map((facts, place) => {
    const { wire, dotted, meaning, deprecated } = facts;
    const title = isInternal(facts)
      ? INTERNAL
      : deprecated
        ? DEPRECATED
        : (titleOfHead.get(dotted.split(".")[0] ?? "") ?? OTHER);
    return [wire, { place, title, capability: { wire, name: dotted, meaning } }];
  }),
);

/** Capabilities that a role can get: neither deprecated nor internal to the platform. */
export const OFFERED: readonly string[] = capabilities
  .filter((facts) => !isInternal(facts) && !facts.deprecated)
  .map(({ wire }) => wire);

export const isKnown = (wire: string): boolean => known.has(wire);

/** Capabilities that only a newer service knows are shown by their wire names. */
export const capabilityOf = (wire: string): Capability =>
  known.get(wire)?.capability ?? { wire, name: wire, meaning: "" };

/** Deduplicates and sorts in contract order, unknown ones last, so that equal sets produce equal lists. */
export const inOrder = (wires: Iterable<string>): string[] => {
  const place = (wire: string) => known.get(wire)?.place ?? Infinity;
  return [...new Set(wires)].toSorted(by(place, (wire) => wire));
};

/** Groups capabilities by area, in a fixed order. */
export function areasOf(wires: Iterable<string>): Area[] {
  const byTitle = new Map<string, Capability[]>(TITLES.map((title) => [title, []]));
  for (const wire of inOrder(wires)) byTitle.get(known.get(wire)?.title ?? UNKNOWN)?.push(capabilityOf(wire));
  return [...byTitle].flatMap(([title, held]) => (held.length > 0 ? [{ title, capabilities: held }] : []));
}
