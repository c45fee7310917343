import { formatCount, formatQuantity } from "~/ui/display/numbers";

import { vulnerabilityOf } from "~/domains/vulnerabilities/vulnerability-reports/distinct";

import type { ImageVerdicts, PackageVerdict } from "./image-advisories";
import { answerOf, ANSWERS, type VersionAnswer } from "./installed";

/** What is known of the vulnerabilities of an image. "None" is said only of packages that are known, and all read. */
export type ImageState = "affected" | "not_affected" | "none" | "unknown";

/** The vulnerabilities of which the advisories give this answer about an image, each once. */
export const vulnerabilitiesOf = (
  verdicts: readonly PackageVerdict[],
  answer: VersionAnswer,
): readonly string[] => [
  ...new Set(
    verdicts.flatMap(({ advisory: { uid, advisoryId, aliases }, installed }) =>
      answerOf(installed) === answer ? [vulnerabilityOf({ id: advisoryId || uid, aliases })] : [],
    ),
  ),
];

/** The state of what was counted by answer: images of tags, or packages; "none" if nothing was. The worst wins. */
export const stateOf = (counts: Readonly<Record<VersionAnswer, number>>): ImageState =>
  ANSWERS.find((one) => counts[one] > 0) ?? "none";

export interface ImageAnswer {
  readonly state: ImageState;
  /** How many vulnerabilities affect it; the least, if not all were read. */
  readonly affected: number;
  readonly text: string;
}

export const UNKNOWN_PACKAGES = "Unknown: the packages of this image aren't known";

/**
 * The one answer of every screen to "is this image affected?".
 * @param hidden why advisories that say so can be hidden; undefined if they can't
 */
export function answerImage(
  { verdicts, about, whole }: ImageVerdicts,
  hidden: string | undefined,
): ImageAnswer {
  const { known = false, count = 0, unknownArchitectures = [] } = about ?? {};
  const [affected, open] = [
    vulnerabilitiesOf(verdicts, "affected").length,
    vulnerabilitiesOf(verdicts, "unknown").length,
  ];
  const of = (state: ImageState, text: string): ImageAnswer => ({ state, affected, text });
  if (affected > 0) return of("affected", `${whole ? "" : "At least "}${formatCount(affected)}`);
  if (!known) return of("unknown", UNKNOWN_PACKAGES);
  if (!whole) return of("unknown", "Unknown: it has more advisories than were read");
  if (open > 0)
    return of("unknown", `Unknown: ${formatQuantity(open, "vulnerability", "vulnerabilities")} undecided`);
  if (unknownArchitectures.length > 0)
    return of("unknown", `Unknown for ${unknownArchitectures.join(", ")}: the packages aren't known`);
  if (hidden !== undefined) return of("unknown", `Unknown: ${hidden}`);
  return stateOf({ affected, unknown: open, not_affected: verdicts.length }) === "none"
    ? of("none", `None known of ${formatQuantity(count, "package")}`)
    : of("not_affected", "Not affected by any advisory about its packages");
}
