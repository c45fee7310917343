import type { SeedProgress } from "../seed/progress";
import { sentence } from "../transfer/command";
import type { IngestReporter } from "./files";
import { BadInput } from "./json-values";
import type { ReadingOutcome } from "./reading";

const count = (n: number) => n.toLocaleString("en");
const counted = (n: number, one: string, more: string) => `${count(n)} ${n === 1 ? one : more}`;
const nameOf = (file: string) => (file === "-" ? "standard input" : file);

/** The outcome in words. */
function words(outcome: Omit<ReadingOutcome, "skipped" | "skippedCount">) {
  const { advisories, metadata, packages, versions, exploitation } = outcome;
  const ofImages = [
    counted(advisories, "advisory", "advisories"),
    counted(metadata, "metadata entry", "metadata entries"),
    counted(packages, "package", "packages"),
  ];
  return [
    ...(versions > 0 ? [counted(versions, "library version", "library versions")] : []),
    ...(exploitation > 0 ? [counted(exploitation, "exploitation entry", "exploitation entries")] : []),
    ...(advisories + metadata + packages > 0 || versions + exploitation === 0 ? ofImages : []),
  ].join(", ");
}

/** With more files than this, reports them together, except those with skipped records. */
const EACH = 20;
/** Records between two progress lines for standard input. */
const LINES = 5_000;

/** Reports what happens to files, and keeps the totals. */
export class ConsoleReporter implements IngestReporter {
  readonly sums = { advisories: 0, metadata: 0, packages: 0, versions: 0, exploitation: 0 };
  done = 0;
  broken = 0;
  last = "";

  constructor(
    readonly progress: SeedProgress,
    readonly of: number,
  ) {}

  written(file: string, outcome: ReadingOutcome): void {
    this.done += 1;
    this.last = nameOf(file);
    for (const what of ["advisories", "metadata", "packages", "versions", "exploitation"] as const)
      this.sums[what] += outcome[what];
    const { skipped, skippedCount } = outcome;
    if (this.of <= EACH) this.progress.say(`${this.last}: ${words(outcome)}`);
    else if (skippedCount > 0) this.progress.say(`${this.last}:`);
    for (const what of skipped) this.progress.say(`  skipped: ${what}`);
    if (skippedCount > skipped.length)
      this.progress.say(`  skipped: ${count(skippedCount - skipped.length)} more`);
    if (this.of > EACH) this.progress.step("files", this.done + this.broken, this.of);
  }

  refused(file: string, error: unknown): void {
    this.broken += 1;
    const why = error instanceof BadInput ? `${error.message}.` : sentence(error, file);
    const name = nameOf(file);
    this.progress.say(`${why.startsWith(file) ? why : `${name}: ${why}`} Nothing from it was written.`);
  }

  reading(file: string, { bytes, size, records }: Parameters<IngestReporter["reading"]>[1]): void {
    if (size < Infinity) this.progress.step(`bytes of ${file}`, bytes, size);
    else if (records > 0 && records % LINES === 0)
      this.progress.say(`${count(records)} records from standard input`);
  }

  /** Reports the end of a complete run. */
  end(): void {
    if (this.of > EACH) this.progress.say(`${count(this.done)} files: ${words(this.sums)}`);
    if (this.broken > 0)
      this.progress.say(
        `${counted(this.done, "file was", "files were")} written, ${counted(this.broken, "was", "were")} rejected.`,
      );
  }

  /** Reports how far an incomplete run got. */
  stopped(why: string): void {
    const all = `${count(this.done)} of ${count(this.of)} files`;
    const last = this.last === "" ? "" : `, the last one ${this.last}`;
    this.progress.say(
      `${why} ${all} were written${last}; nothing from the others. To continue, run the same command again: what is already written does not change.`,
    );
  }
}
