import { readId } from "../ids";

const FOURS = "(?:-[23456789cfghjmpqrvwx]{4}){3}";
/** Ids of vulnerabilities and of notices about them. Every repetition is bounded, so that each place is looked at once. */
const ID = [
  "CVE-\\d{4}-\\d{1,19}",
  `[a-z]{3,5}${FOURS}`,
  "(?:GO|PYSEC|RUSTSEC|OSV|MAL|GSD|EUVD)-\\d{4}-\\d{1,12}",
  "(?:DSA|DLA|USN)-\\d{1,8}(?:-\\d{1,4})?",
  "(?:RHSA|RHBA|RHEA|ELSA|ALSA|RLSA|ALAS2?(?:[a-z0-9.-]{0,24}-)?)-?\\d{4}[:-]\\d{1,8}",
  "SUSE-SU-\\d{4}:\\d{1,8}-\\d{1,4}",
  "SNYK-[a-z0-9-]{1,80}",
].join("|");
const WITHIN = new RegExp(`(?<![a-z0-9])(?:${ID})(?![a-z0-9])`, "gi");
const WHOLE = new RegExp(`^(?:${ID})$`, "i");
const ENDS_IN_FOURS = new RegExp(`${FOURS}$`);

const asListed = (id: string): string => {
  const read = readId(id);
  return ENDS_IN_FOURS.test(read) ? read : read.toUpperCase();
};

export const isVulnerabilityId = (text: string): boolean => WHOLE.test(text);

/** The ids that a text names, each once, in their order. */
export const idsWithin = (text: string): string[] => [
  ...new Set([...text.matchAll(WITHIN)].map(([id]) => asListed(id))),
];
