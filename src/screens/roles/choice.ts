import type { Capability } from "./areas";

/** What is ticked of some capabilities. */
export type Ticked = "none" | "some" | "all";

/** Whether a capability may be added; what is chosen may always be taken away. */
export type MayAdd = (wire: string) => boolean;

/** How much is chosen of those that can be; what can be neither is no part of it. */
export function tickedOf(wires: readonly string[], chosen: ReadonlySet<string>, mayAdd: MayAdd): Ticked {
  const count = wires.filter((wire) => chosen.has(wire)).length;
  if (count === 0) return "none";
  return wires.every((wire) => chosen.has(wire) || !mayAdd(wire)) ? "all" : "some";
}

/** All that may be added, or nothing of them where all is chosen already. */
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

/** What changed between two sets of capabilities. */
export const differenceOf = (before: readonly string[], after: readonly string[]): Difference => ({
  added: after.filter((wire) => !before.includes(wire)),
  removed: before.filter((wire) => !after.includes(wire)),
});

/** Whether somebody who typed this means that capability: by its words or either of its names. */
export function isSought(text: string, { wire, name, meaning }: Capability): boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const all = `${meaning} ${name} ${wire}`.toLowerCase();
  return words.every((word) => all.includes(word));
}

/** A capability by its name on the wire, typed as a whole. */
export const typedName = (text: string): string | undefined => /^\s*(CAP_[A-Z0-9_]+)\s*$/.exec(text)?.[1];
