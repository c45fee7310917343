import { roleWords } from "platform-contract/iam/built-in-roles";
import { capabilities } from "platform-contract/iam/capabilities";
import type { Role } from "platform-contract/iam/roles";
import { by } from "platform-contract/order";

import { REGISTRY_VERBS } from "./abilities";

interface CapabilityText {
  /** "Create repos (repo.create)". */
  readonly words: string;
  /** Everything that it can be found by, in lower case. */
  readonly text: string;
}

const verbsOf = (dotted: string): string =>
  Object.entries(REGISTRY_VERBS)
    .flatMap(([verb, names]) => (names.includes(dotted) ? [verb] : []))
    .join(" ");

const texts = new Map<string, CapabilityText>(
  capabilities.map(({ wire, dotted, meaning }) => [
    wire,
    {
      words: `${meaning} (${dotted})`,
      text: `${meaning} ${dotted} ${wire} ${verbsOf(dotted)}`.toLowerCase(),
    },
  ]),
);
const textOf = (wire: string): CapabilityText => texts.get(wire) ?? { words: wire, text: wire.toLowerCase() };

export interface FoundRole {
  readonly role: Role;
  /** The capabilities that contain the text, in words; empty if the role's own name or words do. */
  readonly capabilities: readonly string[];
}

/**
 * The roles that a text means: by name, by what they are for, or by a capability, in words or by its dotted name. Those
 * found by name come first, then the smallest: whoever looks for "push" wants no role that can do everything.
 */
export function findRoles(text: string, roles: readonly Role[]): readonly FoundRole[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return roles.map((role) => ({ role, capabilities: [] }));
  const holds = (whole: string) => words.every((word) => whole.includes(word));
  const found = roles.flatMap((role) => {
    const named = holds(role.name.toLowerCase());
    const held = (role.capabilities ?? []).map(textOf).filter((each) => holds(each.text));
    // What it is for can say what it can't do: words alone find it only if no capability decides.
    const said = holds(`${role.name} ${roleWords(role)}`.toLowerCase());
    const known = [...texts.values()].some((each) => holds(each.text));
    if (!named && held.length === 0 && !(said && !known)) return [];
    return [{ role, named, capabilities: named ? [] : held.map((each) => each.words) }];
  });
  return found.toSorted(
    by(
      ({ named }) => (named ? 0 : 1),
      ({ role }) => role.capabilities?.length ?? 0,
      ({ role }) => role.name,
    ),
  );
}
