import { planByKeys } from "../../platform/store/batches";
import type { Queries } from "../../platform/store/database";
import type { AdvisoryDraft, EventDraft } from "../../domains/vulnerabilities/advisory-drafts.table";
import { writeAdvisories, writeMetadata } from "../../domains/vulnerabilities/advisory-writes.table";
import { each, inBatches } from "./batches";
import { chance } from "./demo-chance";
import { FLAWS } from "./demo-security-data";
import type { SeedProgress } from "./progress";

export interface AdvisorySize {
  /** All of them belong to the organization, like those of a feed. */
  readonly advisories: number;
}

const START = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;
/** Packages, and vulnerabilities that several of them share. */
const PACKAGES = 4_000;
const SHARED = 4;
const TYPES = ["go-module", "python", "java-archive", "apk"];

/** The advisory number `index`, always the same. */
function planAdvisory(index: number): AdvisoryDraft {
  const artifactName = `package-${index % PACKAGES}`;
  const author = `scanner-${index % 3}`;
  const at = new Date(START - index * HOUR * 0.1);
  const event = (type: EventDraft["type"], data: Record<string, unknown>, step: number): EventDraft => ({
    type,
    data,
    at: new Date(at.getTime() + step * HOUR),
    author: step === 0 ? author : `person-${chance(`person ${index}`, 40)}`,
    reviewState: step > 0 && index % 20 === 0 ? "REVIEW_STATE_PENDING" : "REVIEW_STATE_APPROVED",
  });
  const judged =
    index % 5 === 0
      ? event("falsePositiveDetermination", { type: "TYPE_VULNERABLE_CODE_NOT_INCLUDED_IN_PACKAGE" }, 5)
      : event("fixed", { fixedVersion: `1.${index % 30}.${index % 7}-r${index % 4}` }, 9);
  return {
    vulnerability: vulnerabilityOf(index),
    aliases: index % 3 === 0 ? [`GHSA-${(index + 0x10000).toString(16)}`] : [],
    author,
    artifactName,
    artifactType: "apk",
    artifactArchitecture: index % 8 === 0 ? "aarch64" : "x86_64",
    componentName: `component-${chance(`component ${index}`, 900)}`,
    componentType: TYPES[index % TYPES.length] ?? "apk",
    componentLocation: `/usr/lib/${index % 50}`,
    origin: `package-${(index % PACKAGES) - (index % 3)}`,
    namespace: "scale",
    createdAt: at,
    events: [event("detection", { manual: {} }, 0), ...(index % 7 === 0 ? [] : [judged])],
  };
}

const vulnerabilityOf = (index: number): string => {
  const serial = Math.floor(index / SHARED);
  return `CVE-${2_015 + (serial % 12)}-${100_000 + serial}`;
};

/** Writes advisories into a group, with the metadata of their vulnerabilities. */
export async function insertAdvisories(
  queries: Queries,
  { advisories }: AdvisorySize,
  group: string,
  progress: SeedProgress,
): Promise<void> {
  await planByKeys(queries);
  const known = Math.ceil(advisories / SHARED);
  const metadata = each(known, (index) => {
    const id = vulnerabilityOf(index * SHARED);
    const [summary = "", score = ""] = FLAWS[index % FLAWS.length] ?? [];
    return {
      id,
      toldBy: id,
      summary,
      details: "",
      references: [],
      severities: [{ type: "TYPE_CVSS_V3", score }],
    };
  });
  await inBatches("vulnerabilities", known, metadata, progress, (rows) => writeMetadata(queries, rows));
  await inBatches("advisories", advisories, each(advisories, planAdvisory), progress, (rows) =>
    writeAdvisories(queries, group, rows),
  );
}
