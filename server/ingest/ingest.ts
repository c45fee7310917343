import { z } from "zod";

import type { Database, Queries } from "../store/database";
import {
  writeAdvisories,
  writeMetadata,
  writePackages,
  type AdvisoryDraft,
  type MetadataDraft,
  type PackageDraft,
} from "../store/advisory-writes";
import { writeVersions, type VersionDraft } from "../store/artifact-writes";
import { FORMAT_NAMES, formatOf, type Taken } from "./formats";
import { BadInput, jsonValues } from "./json-values";

export interface Target {
  /** The group that advisories are written into. */
  readonly group: string | undefined;
  /** The image that packages are written of. */
  readonly digest: string | undefined;
}

export interface Outcome {
  readonly advisories: number;
  readonly metadata: number;
  readonly packages: number;
  /** Of libraries. */
  readonly versions: number;
  /** What was left out and why; the first of very many. */
  readonly skipped: readonly string[];
  readonly skippedCount: number;
}

/** Advisories of one round of statements. */
const BATCH = 500;
const TOLD = 20;

/**
 * Writes all that a file holds into the database, or nothing of it: it is one transaction. The same file again changes nothing.
 * Throws a BadInput that says where it stopped.
 */
export const ingest = (
  database: Database,
  chunks: AsyncIterable<Buffer>,
  target: Target,
  progress: (records: number) => void = () => {},
): Promise<Outcome> => database.transaction((queries) => new Ingest(queries, target).run(chunks, progress));

class Ingest {
  #advisories: AdvisoryDraft[] = [];
  #metadata: MetadataDraft[] = [];
  #packages: PackageDraft[] = [];
  #versions: VersionDraft[] = [];
  #counts = { advisories: 0, metadata: 0, packages: 0, versions: 0 };
  #skipped: string[] = [];
  #skippedCount = 0;

  constructor(
    readonly queries: Queries,
    readonly target: Target,
  ) {}

  async run(chunks: AsyncIterable<Buffer>, progress: (records: number) => void): Promise<Outcome> {
    let records = 0;
    for await (const { value, where } of jsonValues(chunks)) {
      this.#take(value, where);
      progress((records += 1));
      if (this.#advisories.length + this.#metadata.length + this.#versions.length >= BATCH)
        await this.#flush();
    }
    await this.#flush();
    if (this.#packages.length > 0)
      await writePackages(this.queries, this.target.digest ?? "", this.#packages);
    return { ...this.#counts, skipped: this.#skipped, skippedCount: this.#skippedCount };
  }

  #take(value: unknown, where: string): void {
    const at = where === "" ? "" : `${where}: `;
    const format = formatOf(value);
    if (!format) throw new BadInput(`${at}is none of the formats that are read (${FORMAT_NAMES})`);
    if (format.needs !== undefined && this.target[format.needs] === undefined)
      throw new BadInput(`${at}is ${format.name}, which needs --${format.needs}`);
    const {
      advisories = [],
      metadata = [],
      packages = [],
      versions = [],
      skipped = [],
    } = read(format, value, at);
    this.#advisories.push(...advisories);
    this.#metadata.push(...metadata);
    this.#packages.push(...packages);
    this.#versions.push(...versions);
    this.#counts.versions += versions.length;
    this.#counts.advisories += advisories.length;
    this.#counts.metadata += metadata.length;
    this.#counts.packages += packages.length;
    this.#skippedCount += skipped.length;
    for (const one of skipped) if (this.#skipped.length < TOLD) this.#skipped.push(`${at}${one}`);
  }

  async #flush(): Promise<void> {
    if (this.#metadata.length > 0) await writeMetadata(this.queries, this.#metadata);
    // A database of a whole distribution is one record.
    for (let from = 0; from < this.#advisories.length; from += BATCH)
      await writeAdvisories(
        this.queries,
        this.target.group ?? "",
        this.#advisories.slice(from, from + BATCH),
      );
    if (this.#versions.length > 0) await writeVersions(this.queries, this.#versions);
    this.#advisories = [];
    this.#metadata = [];
    this.#versions = [];
  }
}

function read(format: NonNullable<ReturnType<typeof formatOf>>, value: unknown, at: string): Taken {
  try {
    return format.read(value as Readonly<Record<string, unknown>>);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const [issue] = error.issues;
    throw new BadInput(`${at}is no valid ${format.name}: ${issue?.path.join(".")}: ${issue?.message}`);
  }
}
