import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from "node:fs";
import { dirname } from "node:path";

import { newRun, type Run, type StepReport } from "platform-client/plan/apply";
import type { StepDone } from "platform-client/plan/apply/carry-out";

import { UsageError } from "../cli/errors";

/** How a run began. */
interface Begin {
  readonly run: string;
  /** The digest of the plan file. */
  readonly plan: string;
  readonly reason?: string | undefined;
}
type Line = { readonly time: string } & (
  | { readonly begin: Begin }
  | { readonly step: string; readonly what: StepReport }
  | { readonly end: "done" | "stopped" }
);

/** What a plan file's journal says of its last run. */
interface Read {
  readonly run: Run;
  readonly begin: Begin;
  /** Everything was done. */
  readonly isOver: boolean;
}

function linesOf(path: string): Line[] {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw new UsageError(`${path} can't be read: ${(error as Error).message}`);
  }
  // Whoever was killed while writing has left a part of a line.
  const whole = bytes.lastIndexOf("\n") + 1;
  if (whole < bytes.length) truncateSync(path, whole);
  const texts = bytes.subarray(0, whole).toString().split("\n").filter(Boolean);
  return texts.map((text, index) => {
    try {
      return JSON.parse(text) as Line;
    } catch {
      throw new UsageError(`${path} is damaged at line ${index + 1}: it is no journal of this command.`);
    }
  });
}

/** Reads the last run of a journal; undefined if there is none. Throws a UsageError. */
export function readJournal(path: string): Read | undefined {
  const lines = linesOf(path);
  const first = lines.findLastIndex((line) => "begin" in line);
  const head = lines[first];
  if (!head || !("begin" in head)) return undefined;
  const begun = new Map<string, number>();
  const done = new Map<string, StepDone>();
  for (const line of lines.slice(first)) {
    if (!("step" in line)) continue;
    const { step, what, time } = line;
    if (what.as === "begun" && !begun.has(step)) begun.set(step, Date.parse(time));
    if (what.as === "done") done.set(step, { uid: what.uid, ...(what.found && { found: true }) });
  }
  const last = lines.at(-1);
  const isOver = last !== undefined && "end" in last && last.end === "done";
  return { run: { id: head.begin.run, begun, done }, begin: head.begin, isOver };
}

function openJournal(path: string, isNew: boolean): number {
  let file: number;
  try {
    file = openSync(path, isNew ? "ax" : "a", 0o600);
  } catch (error) {
    throw new UsageError(
      (error as NodeJS.ErrnoException).code === "EEXIST"
        ? `${path} was just begun by another command: this one did nothing.`
        : `${path} can't be written: ${(error as Error).message}`,
    );
  }
  try {
    const directory = openSync(dirname(path), "r");
    fsyncSync(directory);
    closeSync(directory);
  } catch {
    // Windows opens no directories.
  }
  return file;
}

/** Appends to a journal; each line is on the disk before `add` returns. */
export class Journal {
  #file: number | undefined;
  /** Two commands that begin at once don't both write one. */
  readonly #isNew: boolean;

  constructor(
    private readonly path: string,
    private readonly begin: Begin,
    private isBegun: boolean,
  ) {
    this.#isNew = !existsSync(path);
  }

  #write(line: Omit<Line, "time"> & object): void {
    this.#file ??= openJournal(this.path, this.#isNew);
    writeSync(this.#file, `${JSON.stringify({ time: new Date().toISOString(), ...line })}\n`);
    fsyncSync(this.#file);
  }

  add(step: string, what: StepReport): void {
    if (!this.isBegun) this.#write({ begin: this.begin });
    this.isBegun = true;
    this.#write({ step, what });
  }

  end(how: "done" | "stopped"): void {
    if (this.isBegun) this.#write({ end: how });
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}

/** The run to go on with, or a new one. Throws a UsageError if the journal is of another plan that isn't over. */
export function runOf(path: string, plan: string, reason: string | undefined) {
  const read = readJournal(path);
  if (!read || read.isOver) {
    const run = newRun();
    return {
      run,
      reason,
      before: read,
      journal: new Journal(path, { run: run.id, plan, reason }, false),
    };
  }
  if (read.begin.plan !== plan)
    throw new UsageError(
      `The plan is not the one that ${path} tells of, which isn't carried out to its end. ` +
        "Go on with that plan, or delete the journal to give it up, and make a new plan.",
    );
  if (reason !== undefined && reason !== read.begin.reason)
    throw new UsageError("This run was begun with another --reason: leave it out to go on.");
  const journal = new Journal(path, read.begin, true);
  return { run: read.run, reason: read.begin.reason, before: read, journal };
}
