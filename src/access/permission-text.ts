import { CAPABILITY_NAMES, type Capability } from "~/contract/capability";

const VERBS: Readonly<Record<string, string>> = { update: "edit", list: "view" };

const plural = (noun: string): string =>
  /(s|data)$/.test(noun) ? noun : noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`;

/** A capability in words, then its dotted name: "create role bindings (role_bindings.create)". */
export function permissionText(capability: Capability): string {
  const dotted = CAPABILITY_NAMES[capability];
  const words = dotted.split(/[._]/);
  const verb = words.pop() ?? "";
  return `${VERBS[verb] ?? verb} ${plural(words.join(" "))} (${dotted})`;
}

/** The same for what a refusal names: one capability or several, joined by commas; unknown ones as they are. */
export const neededText = (capabilities: string): string =>
  capabilities
    .split(/,\s*/)
    .map((each) => (each in CAPABILITY_NAMES ? permissionText(each as Capability) : each))
    .join(" and ");
