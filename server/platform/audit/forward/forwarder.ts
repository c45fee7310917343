import { randomUUID } from "node:crypto";

import type { NamedTarget } from "../../../audit-targets";
import type { Log } from "../../../log";
import { reasonOf } from "../../../reason";
import { readDraft } from "../../store/audit";
import { toEntry } from "../../store/audit";
import {
  forwarded,
  holdForward,
  releaseForward,
  waitingFor,
  type StoredRow,
} from "../../store/audit-forwards";
import { grownHeads, headsDue, headsSent, signHeads, toHead } from "../../store/audit-heads";
import { now } from "../../store/clock";
import type { Database } from "../../store/database";
import { lineOf } from "../line";
import { toHttps, toOtlp } from "./https";
import { toFile, toStdout } from "./streams";
import { toSyslog } from "./syslog";
import type { Outgoing, Writer } from "./writer";

/** Milliseconds between two looks for new entries, and after failures. */
const LOOK = 1_000;
const WAIT_MOST = 60_000;

/** Seconds that a process keeps a target without a sign of life: longer than any write takes. */
const LEASE = 30;

/** Bytes of a batch; a single entry can be larger. */
const BYTES = 1_000_000;

function writerFor({ target }: NamedTarget, token: string | undefined): Writer {
  switch (target.kind) {
    case "stdout":
      return toStdout();
    case "file":
      return toFile(target.path);
    case "syslog":
      return toSyslog(target);
    case "otlp":
      return toOtlp({ url: target.url, token });
    default:
      return toHttps({ url: target.url, token });
  }
}

function outgoing(row: StoredRow): Outgoing {
  const { action, outcome } = readDraft(row.entry);
  const line = lineOf(toEntry({ ...row }));
  return { line, time: row.created_at, action, done: outcome === "OUTCOME_DONE" };
}

interface Batch {
  readonly rows: readonly StoredRow[];
  readonly entries: readonly Outgoing[];
}

/** In parts that are small enough for one write. */
function* batchesOf(rows: readonly StoredRow[]): Generator<Batch> {
  let [from, bytes] = [0, 0];
  const entries = rows.map(outgoing);
  for (const [index, { line }] of entries.entries()) {
    if (index > from && bytes + line.length > BYTES) {
      yield { rows: rows.slice(from, index), entries: entries.slice(from, index) };
      [from, bytes] = [index, 0];
    }
    bytes += line.length;
  }
  if (from < rows.length) yield { rows: rows.slice(from), entries: entries.slice(from) };
}

interface Options {
  readonly database: Database;
  readonly log: Log;
  readonly targets: readonly NamedTarget[];
  readonly token: string | undefined;
  /** Who signs the heads. */
  readonly publicUrl: string;
  /** Replaces the writers in tests. */
  readonly writer?: typeof writerFor;
}

export interface Forwarder {
  /** Ends after the batch that is being written. */
  stop(): Promise<void>;
}

/**
 * Forwards the audit log to every target: each entry at least once, those of an organization in order. What a target has
 * is in the database, so that a restart goes on where it stopped; a new target gets the whole log.
 */
export function startForwarder({
  database,
  log,
  targets,
  token,
  publicUrl,
  writer = writerFor,
}: Options): Forwarder {
  const holder = randomUUID();
  const over = new AbortController();
  const pause = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      if (over.signal.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        over.signal.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      over.signal.addEventListener("abort", done);
    });

  const hold = (name: string) => holdForward(database, name, holder, LEASE);

  /** Writes what waits. @returns the last chain that was read */
  async function round(name: string, to: Writer, after: string | undefined): Promise<string | undefined> {
    const { rows, gone, last } = await waitingFor(database, name, after);
    if (gone.length > 0) await forwarded(database, name, gone);
    for (const { rows: some, entries } of batchesOf(rows)) {
      if (over.signal.aborted || !(await hold(name))) return undefined;
      await to.write(entries);
      await forwarded(database, name, some);
    }
    return last;
  }

  /** Writes the signed heads of the chains that grew, once an hour; the entries went before them. */
  async function heads(name: string, to: Writer): Promise<void> {
    const since = await headsDue(database, name);
    if (!since) return;
    const at = now();
    let after: string | undefined;
    for (;;) {
      const grown = await grownHeads(database, { since, after });
      if (grown.length === 0) break;
      const signed = await signHeads(database, publicUrl, grown);
      if (over.signal.aborted || !(await hold(name))) return;
      await to.write(
        signed.map((head) => ({
          line: lineOf({ auditHead: toHead(head) }),
          time: head.time,
          action: "audit.head",
          done: true,
        })),
      );
      after = grown.at(-1)?.chain;
    }
    await headsSent(database, name, at);
  }

  async function run(target: NamedTarget): Promise<void> {
    const { name } = target;
    const to = writer(target, token);
    let failures = 0;
    let chain: string | undefined;
    while (!over.signal.aborted) {
      try {
        const held = await hold(name);
        chain = held ? await round(name, to, chain) : undefined;
        if (held && chain === undefined) await heads(name, to);
        if (failures > 0) log.info({ target: name }, "the audit log is forwarded again");
        failures = 0;
        if (chain === undefined) await pause(LOOK);
      } catch (error) {
        const wait = Math.min(WAIT_MOST, LOOK * 2 ** failures);
        failures += 1;
        log.warn({ target: name, reason: reasonOf(error), wait }, "the audit log could not be forwarded");
        await pause(wait);
      }
    }
    await to.close().catch(() => {});
    await releaseForward(database, name, holder).catch(() => {});
  }

  const running = targets.map(run);
  return {
    async stop() {
      over.abort();
      await Promise.all(running);
    },
  };
}
