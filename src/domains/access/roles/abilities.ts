import { capabilities, effectOf } from "platform-contract/iam/capabilities";
import { formatCount, formatQuantity } from "~/ui/display/numbers";

/** What people call doing these things with a registry: the dotted capabilities that it takes. */
export const REGISTRY_VERBS: Readonly<Record<"pull" | "push", readonly string[]>> = {
  pull: ["manifest.list", "repo.blobs.get"],
  push: ["manifest.create", "tag.create"],
};

const MANAGES = ["role_bindings.create", "role_bindings.update", "group_invites.create"];
const dottedOf = new Map(capabilities.map(({ wire, dotted }) => [wire, dotted]));

/** What a role of these capabilities (wire names, or dotted) can do at most: manage access, change something, or read. */
export function mostOf(wires: readonly string[]): "manages" | "changes" | "reads" {
  const held = wires.map((wire) => dottedOf.get(wire) ?? wire);
  if (MANAGES.some((name) => held.includes(name))) return "manages";
  return held.some((name) => effectOf(name) === "changes") ? "changes" : "reads";
}

/** "9 capabilities" */
export const countOf = (wires: readonly string[]): string =>
  formatQuantity(wires.length, "capability", "capabilities");

const PURPOSES = { reads: "to read", runs: "to run jobs of other services", changes: "to change things" };

/** What capabilities (wire names) are for: "5 capabilities: 3 to read, 2 to change things". */
export function purposesOf(wires: readonly string[]): string {
  const counts = (["reads", "runs", "changes"] as const)
    .map((effect) => ({ effect, count: wires.filter((wire) => effectOf(wire) === effect).length }))
    .filter(({ count }) => count > 0);
  const [sole, second] = counts;
  return sole && !second
    ? `${countOf(wires)}, only ${PURPOSES[sole.effect]}`
    : `${countOf(wires)}: ${counts.map(({ effect, count }) => `${formatCount(count)} ${PURPOSES[effect]}`).join(", ")}`;
}

/** What a role of these capabilities (wire names) can do, in words: "9 capabilities: can pull and push images". */
export function abilities(wires: readonly string[]): string {
  const held = new Set(wires.map((wire) => dottedOf.get(wire) ?? wire));
  const hasAll = (names: readonly string[]) => names.every((name) => held.has(name));
  const verbs = (["pull", "push"] as const).filter((verb) => hasAll(REGISTRY_VERBS[verb]));
  const most = mostOf(wires);
  const can = [
    ...(verbs.length > 0 ? [`can ${verbs.join(" and ")} images`] : []),
    ...(most === "manages" ? ["can manage access"] : []),
    ...(wires.some((wire) => effectOf(wire) === "runs") ? ["can run jobs of other services"] : []),
    ...(most === "reads" ? ["changes nothing"] : []),
  ];
  const count = countOf(wires);
  return can.length > 0 ? `${count}: ${can.join(", ")}` : count;
}

/** What a machine does with a registry, by the first part of the dotted name. */
const OF_REGISTRY = /^(?:manifest|tag|repo\.blobs|apk|libraries|sbom|signatures?)\b/;

/**
 * The capabilities (wire names) of a role that change something other than images: more than a machine needs to pull
 * and push.
 */
export const beyondRegistry = (wires: readonly string[]): readonly string[] =>
  wires.filter((wire) => {
    const dotted = dottedOf.get(wire) ?? wire;
    return effectOf(dotted) !== "reads" && !OF_REGISTRY.test(dotted);
  });
