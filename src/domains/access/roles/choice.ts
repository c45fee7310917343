import { REGISTRY_VERBS } from "./abilities";

import type { Capability } from "./areas";

/** How many capabilities of a set are chosen. */
export type Ticked = "none" | "some" | "all";

/** True if the caller can add a capability. Chosen ones can always be removed. */
export type MayAdd = (wire: string) => boolean;

/** Returns how many are chosen. Ignores capabilities that are not chosen and can't be added. */
export function tickedOf(wires: readonly string[], chosen: ReadonlySet<string>, mayAdd: MayAdd): Ticked {
  const count = wires.filter((wire) => chosen.has(wire)).length;
  if (count === 0) return "none";
  return wires.every((wire) => chosen.has(wire) || !mayAdd(wire)) ? "all" : "some";
}

/** Adds all that can be added, or removes all if everything is already chosen. */
export function toggled(
  wires: readonly string[],
  chosen: ReadonlySet<string>,
  mayAdd: MayAdd,
): ReadonlySet<string> {
  if (tickedOf(wires, chosen, mayAdd) === "all")
    return new Set([...chosen].filter((wire) => !wires.includes(wire)));
  return new Set([...chosen, ...wires.filter(mayAdd)]);
}

export interface Difference {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Differences between two sets of capabilities. */
export const differenceOf = (before: readonly string[], after: readonly string[]): Difference => ({
  added: after.filter((wire) => !before.includes(wire)),
  removed: before.filter((wire) => !after.includes(wire)),
});

/** True if all words of the query occur in the capability's meaning or names, or it is part of a pull or push. */
export function isSought(text: string, { wire, name, meaning }: Capability): boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const verbs = Object.entries(REGISTRY_VERBS).flatMap(([verb, names]) =>
    names.includes(name) ? [verb] : [],
  );
  const all = `${meaning} ${name} ${wire} ${verbs.join(" ")}`.toLowerCase();
  return words.every((word) => all.includes(word));
}

/** Returns the text if it is a complete wire name of a capability. */
export const typedName = (text: string): string | undefined => /^\s*(CAP_[A-Z0-9_]+)\s*$/.exec(text)?.[1];
