import type { AffectedRange } from "platform-contract/vulnerabilities/events";
import { placeText } from "platform-contract/vulnerabilities/places";

import type {
  AdvisoryDraft,
  EventDraft,
  SourceDraft,
} from "../../domains/vulnerabilities/advisory-drafts.table";
import { orderOf } from "../../platform/store/versions/version-order";
import type { Purl } from "./purl";
import { eventOfRanges, newestFix } from "./ranges";
import { namesOf } from "./vulnerability-ids";

/** What OpenVEX and CSAF have in common: documents of statements about products. */
export const VEX_STATUSES = ["not_affected", "affected", "fixed", "under_investigation"] as const;
export type VexStatus = (typeof VEX_STATUSES)[number];

/** The pair of artifact and component that a statement is about. */
export interface About {
  readonly artifact: Purl;
  readonly component: Purl;
}

/** Which versions of a package a statement is about, where the versions of its products do not say it. */
export interface Extent {
  readonly ranges: readonly AffectedRange[];
  /** Beside the ranges; also words of the source that nobody can read as a range. */
  readonly versions: readonly string[];
  /** Versions that fix it. */
  readonly fixes: readonly string[];
}

export interface VexStatement {
  /** Ids of one vulnerability. */
  readonly ids: readonly string[];
  readonly status: VexStatus;
  readonly justification?: string | undefined;
  readonly note?: string | undefined;
  readonly at: Date;
  readonly place: number;
  readonly about: readonly About[];
  readonly extent?: Extent | undefined;
}

export interface VexDocument {
  readonly author: string;
  readonly source?: SourceDraft | undefined;
  readonly statements: readonly VexStatement[];
}

/** The API's names for the justifications, which CSAF calls flags. */
const JUSTIFIED: Readonly<Record<string, string>> = {
  component_not_present: "TYPE_COMPONENT_VULNERABILITY_MISMATCH",
  vulnerable_code_not_present: "TYPE_VULNERABLE_CODE_NOT_INCLUDED_IN_PACKAGE",
  vulnerable_code_not_in_execute_path: "TYPE_VULNERABLE_CODE_NOT_IN_EXECUTION_PATH",
  vulnerable_code_cannot_be_controlled_by_adversary: "TYPE_VULNERABLE_CODE_CANNOT_BE_CONTROLLED_BY_ADVERSARY",
  inline_mitigations_already_exist: "TYPE_INLINE_MITIGATIONS_EXIST",
};

/** @param versions those that fix it; empty if the statement is about one image, which is fixed as it is */
function eventOf(
  { status, justification, note: text }: VexStatement,
  versions: readonly string[],
): Pick<EventDraft, "type" | "data"> {
  const note = text && { note: text };
  const type = JUSTIFIED[justification ?? ""];
  if (status === "not_affected")
    return { type: "falsePositiveDetermination", data: { ...(type && { type }), ...note } };
  if (status === "fixed" && versions.length > 1)
    return { type: "patched", data: { patchedVersions: versions, ...note } };
  if (status === "fixed")
    return { type: "fixed", data: { ...(versions[0] && { fixedVersion: versions[0] }), ...note } };
  if (status === "affected") return { type: "truePositiveDetermination", data: { ...note } };
  return { type: "detection", data: { manual: {} } };
}

/** The same of a statement about a range of versions; undefined if it says of none. */
function eventOfExtent(
  { note: text }: VexStatement,
  { ranges, versions, fixes }: Extent,
  type: string,
): Pick<EventDraft, "type" | "data" | "ranges" | "versions"> | undefined {
  const note = text && { note: text };
  const stated = { ...(ranges.length > 0 && { ranges }), ...(versions.length > 0 && { versions }) };
  if (ranges.length === 0 && versions.length === 0) {
    const fixedVersion = newestFix(
      fixes.map((fixed) => ({ fixed })),
      orderOf(type),
    );
    return fixedVersion === undefined ? undefined : { type: "fixed", data: { fixedVersion, ...note } };
  }
  const event = eventOfRanges(ranges, versions, orderOf(type));
  return { ...stated, type: event.type, data: { ...event.data, ...note } };
}

/** A fix names the version from which on it holds; an image is what it is, and its packages can have versions. */
const fixIn = ({ artifact, component }: About): string => {
  if (component.type === "image") return "";
  return artifact.type === "image" ? component.version : artifact.version || component.version;
};

/** Where a statement holds: a release, one image, and one version unless that is the fix. */
const appliesTo = ({ artifact }: About, isFix: boolean): string => {
  const version = artifact.type === "image" || !isFix ? artifact.version : "";
  return placeText(artifact.distribution, version);
};

export function advisoriesOf(
  { author, source, statements }: VexDocument,
  skipped: string[],
): AdvisoryDraft[] {
  return statements.flatMap((statement) => {
    const { status, at, place, ids, about, extent } = statement;
    // What ranges say holds for all versions.
    const isFix = status === "fixed" || extent !== undefined;
    // Versions of one package that fix the same thing are one event.
    const packages = new Map<string, { one: About; versions: Set<string> }>();
    for (const one of about) {
      const { artifact, component } = one;
      const fix = status === "fixed" && !extent ? fixIn(one) : "";
      if (status === "fixed" && !extent && fix === "" && artifact.type !== "image") {
        skipped.push(`${ids[0]}: ${artifact.name} has no fixed version`);
        continue;
      }
      const key = JSON.stringify([
        [artifact.type, artifact.name, artifact.qualifiers["arch"], appliesTo(one, isFix)],
        [component.type, component.name, component.location],
      ]);
      const known = packages.get(key) ?? { one, versions: new Set() };
      if (fix !== "") known.versions.add(fix);
      packages.set(key, known);
    }
    return [...packages.values()].flatMap(({ one, versions }): AdvisoryDraft[] => {
      const { artifact, component } = one;
      const event = extent
        ? eventOfExtent(statement, extent, component.type)
        : eventOf(statement, [...versions]);
      if (!event) {
        skipped.push(`${ids[0]}: ${artifact.name} has no fixed version`);
        return [];
      }
      const draft = {
        ...namesOf(ids),
        author,
        artifactName: artifact.name,
        artifactType: artifact.type,
        artifactArchitecture: artifact.qualifiers["arch"] ?? "",
        componentName: component.name,
        componentLocation: component.location,
        componentType: component.type,
        origin: artifact.qualifiers["origin"],
        namespace: artifact.namespace,
        appliesTo: appliesTo(one, isFix),
        createdAt: at,
        ...(source && { source }),
        events: [{ ...event, at, place, stamp: at.toISOString(), author }],
      };
      return [draft];
    });
  });
}
