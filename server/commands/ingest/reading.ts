import { z } from "zod";

import type {
  AdvisoryDraft,
  MetadataDraft,
  PackageDraft,
} from "../../domains/vulnerabilities/advisory-drafts.table";
import type { VersionDraft } from "../../domains/registry/artifact-writes.table";
import type { EpssDraft, KevDraft } from "../../domains/vulnerabilities/exploitation-writes.table";
import { FORMAT_NAMES, formatOf, type Format, type Taken } from "./formats";
import { BadInput } from "./json-values";

export interface IngestTarget {
  /** The group to write advisories into. */
  readonly group: string | undefined;
  /** The image that packages belong to. */
  readonly digest: string | undefined;
}

/** The result of one or more files. */
export interface ReadingOutcome {
  readonly advisories: number;
  readonly metadata: number;
  readonly packages: number;
  /** Library versions. */
  readonly versions: number;
  /** Scores of EPSS, and entries of KEV. */
  readonly exploitation: number;
  /** What was skipped and why; only the first if there are many. */
  readonly skipped: readonly string[];
  readonly skippedCount: number;
}

const TOLD = 20;

/** What was read from a file. */
export class Reading {
  advisories: AdvisoryDraft[] = [];
  metadata: MetadataDraft[] = [];
  versions: VersionDraft[] = [];
  epss: EpssDraft[] = [];
  kev: KevDraft[] = [];
  readonly packages: PackageDraft[] = [];
  #counts = { advisories: 0, metadata: 0, packages: 0, versions: 0, exploitation: 0 };
  #skipped: string[] = [];
  #skippedCount = 0;
  #used = 0;
  #refused: string | undefined;

  constructor(readonly target: IngestTarget) {}

  get outcome(): ReadingOutcome {
    return { ...this.#counts, skipped: this.#skipped, skippedCount: this.#skippedCount };
  }

  /**
   * Adds a record. One that cannot be used is skipped, with the reason; `finish()` throws if that was all. Throws a
   * BadInput if an option is missing that all such records need.
   */
  take(value: unknown, where: string): void {
    const at = where === "" ? "" : `${where}: `;
    const format = formatOf(value);
    if (format?.needs !== undefined && this.target[format.needs] === undefined)
      throw new BadInput(`${at}is ${format.name}, which needs --${format.needs}`);
    const taken = format
      ? read(format, value)
      : { refused: `is not in a supported format (${FORMAT_NAMES})` };
    const { advisories = [], metadata = [], packages = [], versions = [], epss = [], kev = [] } = taken;
    const { skipped = [], refused } = taken;
    if (refused === undefined) this.#used += 1;
    else this.#refused ??= `${at}${refused}`;
    for (const one of advisories) this.advisories.push(one);
    for (const one of metadata) this.metadata.push(one);
    for (const one of packages) this.packages.push(one);
    for (const one of versions) this.versions.push(one);
    for (const one of epss) this.epss.push(one);
    for (const one of kev) this.kev.push(one);
    this.#counts.advisories += advisories.length;
    this.#counts.metadata += metadata.length;
    this.#counts.packages += packages.length;
    this.#counts.versions += versions.length;
    this.#counts.exploitation += epss.length + kev.length;
    const reasons = refused === undefined ? skipped : [refused];
    this.#skippedCount += reasons.length;
    for (const one of reasons) if (this.#skipped.length < TOLD) this.#skipped.push(`${at}${one}`);
  }

  /** Throws a BadInput if no record could be used. */
  finish(): void {
    if (this.#used === 0 && this.#refused !== undefined) throw new BadInput(this.#refused);
  }

  /** Drops what was already written, while the file continues. */
  clear(): void {
    this.advisories = [];
    this.metadata = [];
    this.versions = [];
    this.epss = [];
    this.kev = [];
  }
}

function read(format: Format, value: unknown): Taken {
  try {
    return format.read(value as Readonly<Record<string, unknown>>);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const [issue] = error.issues;
    return { refused: `is not valid ${format.name}: ${issue?.path.join(".")}: ${issue?.message}` };
  }
}
