import { CAPABILITY_NAMES, PULL, PUSH } from "platform-contract/capability";
import { capabilities } from "platform-contract/iam/capabilities";

const facts = new Map(capabilities.map((each) => [each.wire, each]));

/** Describes a capability, with its name: "Create repos (repo.create)". */
export function capabilityWords(wire: string): string {
  const known = facts.get(wire);
  return known ? `${known.meaning} (${known.dotted})` : wire;
}

/** "repo.create" */
export const dottedName = (wire: string): string => facts.get(wire)?.dotted ?? wire;

/** What it allows, within a sentence: "create repos". */
export function capabilityAct(wire: string): string {
  const meaning = facts.get(wire)?.meaning ?? wire;
  return `${meaning.charAt(0).toLowerCase()}${meaning.slice(1)}`;
}

/** The most common questions about a repo. */
const OF_REPOS = [
  { value: PULL, label: "pull images (repo.blobs.get)" },
  { value: PUSH, label: "push images (manifest.create)" },
];

/** Capabilities that operations of this API require, with labels. */
export const CAPABILITY_CHOICES = [
  { value: "", label: "Anyone with access" },
  ...Object.keys(CAPABILITY_NAMES)
    .map((wire) => ({ value: wire, label: capabilityWords(wire) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, "en")),
];
const others = CAPABILITY_CHOICES.slice(1);
/** Of what one identity can do. */
export const IDENTITY_CHOICES = [{ value: "", label: "anything: all its roles" }, ...OF_REPOS, ...others];
export const REPO_CHOICES: readonly (typeof CAPABILITY_CHOICES)[number][] = [
  { value: "", label: "Anyone who can see or change repos" },
  ...OF_REPOS,
  ...others,
];

/** Capabilities for repos, their tags and images. */
export const REPO_CAPABILITIES: readonly string[] = capabilities
  .filter(({ dotted }) => /^(?:repo|tag|manifest)\./u.test(dotted))
  .map(({ wire }) => wire);
