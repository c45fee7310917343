import { isObject } from "platform-contract/values";

import type {
  AdvisoryDraft,
  MetadataDraft,
  PackageDraft,
} from "../../domains/vulnerabilities/advisory-drafts.table";
import type { VersionDraft } from "../../domains/registry/artifact-writes.table";
import type { EpssDraft, KevDraft } from "../../domains/vulnerabilities/exploitation-writes.table";
import { csaf } from "./csaf";
import { epss, kev } from "./exploitation";
import { libraries } from "./libraries";
import { openVex } from "./openvex";
import { osv } from "./osv";
import { attestation, cycloneDx, spdx } from "./sbom";
import { secdb } from "./secdb";

/** The contents of one record. */
export interface Taken {
  readonly advisories?: readonly AdvisoryDraft[];
  readonly metadata?: readonly MetadataDraft[];
  readonly packages?: readonly PackageDraft[];
  readonly versions?: readonly VersionDraft[];
  readonly epss?: readonly EpssDraft[];
  readonly kev?: readonly KevDraft[];
  /** Why nothing of it can be used, continuing a sentence that starts with the file name. */
  readonly refused?: string;
  /** What was skipped, one sentence each. */
  readonly skipped?: readonly string[];
}

/** A record format, recognized by its contents. Add further formats to FORMATS. */
export interface Format {
  readonly name: string;
  /** The option that it requires. */
  readonly needs?: "group" | "digest";
  readonly fits: (record: Readonly<Record<string, unknown>>) => boolean;
  /** Throws a ZodError if the record is malformed; an entry of it that is costs only itself. */
  readonly read: (record: Readonly<Record<string, unknown>>) => Taken;
}

const FORMATS: readonly Format[] = [
  osv,
  openVex,
  csaf,
  secdb,
  spdx,
  cycloneDx,
  attestation,
  libraries,
  epss,
  kev,
];

export const formatOf = (value: unknown): Format | undefined =>
  isObject(value) ? FORMATS.find(({ fits }) => fits(value)) : undefined;

export const FORMAT_NAMES = FORMATS.map(({ name }) => name).join(", ");
