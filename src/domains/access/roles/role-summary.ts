import { parentOf } from "platform-contract/aip";
import { roleWords } from "platform-contract/iam/built-in-roles";
import type { Role } from "platform-contract/iam/roles";

import { abilities, countOf } from "./abilities";

/** What a role is for and can do, in words: its own, or what follows from its capabilities, never the same twice. */
export function roleSummary(role: Pick<Role, "uid" | "name" | "description" | "capabilities">): string {
  const { uid, capabilities: wires = [] } = role;
  const says = roleWords(role);
  // The words of a built-in role say what it can do; those of a custom one can say anything.
  const can = parentOf(uid) === "" && says !== "" ? countOf(wires) : abilities(wires);
  return [says, can].filter(Boolean).join(". ");
}
