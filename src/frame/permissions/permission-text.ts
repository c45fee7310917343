import { CAPABILITY_NAMES, type Capability } from "platform-contract/capability";
import { isKeyOf } from "~/ui/keys";

const VERBS: Readonly<Record<string, string>> = { update: "edit", list: "view" };
/** The nouns of capabilities that the screens call something else. */
const NOUNS: Readonly<Record<string, string>> = {
  group_invites: "invites",
  subscriptions: "event subscriptions",
  apk: "APK packages",
  "libraries.artifacts": "libraries",
};
/** Capabilities that are no verb and noun. An organization can be created without the one of groups. */
const WHOLE: Readonly<Partial<Record<Capability, string>>> = {
  CAP_IAM_GROUPS_CREATE: "create folders",
  CAP_IAM_SCIM_MANAGE: "manage SCIM",
};

const plural = (noun: string): string =>
  /(s|data)$/.test(noun) ? noun : noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`;

/** A capability in words, then its dotted name: "create role bindings (role_bindings.create)". */
export function permissionText(capability: Capability): string {
  const dotted = CAPABILITY_NAMES[capability];
  const [, noun = "", verb = ""] = /^(.*)\.([^.]*)$/.exec(dotted) ?? [];
  const nouns = NOUNS[noun] ?? plural(noun.replaceAll(/[._]/g, " "));
  return `${WHOLE[capability] ?? `${VERBS[verb] ?? verb} ${nouns}`} (${dotted})`;
}

const list = new Intl.ListFormat("en", { type: "conjunction" });

/** Several in one sentence; those of a refusal are joined by commas, and unknown ones stay as they are. */
export const neededText = (capabilities: string): string =>
  list.format(
    capabilities.split(/,\s*/).map((each) => (isKeyOf(CAPABILITY_NAMES, each) ? permissionText(each) : each)),
  );
