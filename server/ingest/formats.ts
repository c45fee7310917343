import type { AdvisoryDraft, MetadataDraft, PackageDraft } from "../store/advisory-writes";
import type { VersionDraft } from "../store/artifact-writes";
import { libraries } from "./libraries";
import { openVex } from "./openvex";
import { osv } from "./osv";
import { cycloneDx, spdx } from "./sbom";
import { secdb } from "./secdb";

/** What a record of a file comes to. */
export interface Taken {
  readonly advisories?: readonly AdvisoryDraft[];
  readonly metadata?: readonly MetadataDraft[];
  readonly packages?: readonly PackageDraft[];
  readonly versions?: readonly VersionDraft[];
  /** What was left out, each in a sentence. */
  readonly skipped?: readonly string[];
}

/** One format of records, told by what they hold. A further one is a further entry of FORMATS. */
export interface Format {
  readonly name: string;
  /** What it cannot be written without. */
  readonly needs?: "group" | "digest";
  readonly fits: (record: Readonly<Record<string, unknown>>) => boolean;
  /** Throws a ZodError where a record is not what it seemed to be. */
  readonly read: (record: Readonly<Record<string, unknown>>) => Taken;
}

const FORMATS: readonly Format[] = [osv, openVex, secdb, spdx, cycloneDx, libraries];

export const formatOf = (value: unknown): Format | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? FORMATS.find(({ fits }) => fits(value as Readonly<Record<string, unknown>>))
    : undefined;

export const FORMAT_NAMES = FORMATS.map(({ name }) => name).join(", ");
