import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { Counter, Gauge, type Registry } from "prom-client";
import type { NamedTarget } from "../../audit-targets";
import { MAILS, type MailTold } from "../../mails";
import { MISSING_ENTRIES } from "../../missing-entries";
import { version } from "../../package.json";
import { SIGN_INS, type SignIn } from "../../sign-ins";
import { pendingDeliveries } from "../../domains/events/deliveries.table";
import { forwardLag } from "../store/audit-forwards";
import type { Database } from "../store/database";
import { oldestIdempotencyKey } from "../store/idempotency-keys";
import { readMailFigures, type MailFigures } from "../store/mail/outbox";
import type { Places } from "../../turns";
import { BACKGROUND, type StepTold } from "../../background";

/** Work that runs by time. Returns what ends it. */
function registerBackground(register: Registry): () => void {
  const last = new Gauge({
    name: "platform_background_last_success_timestamp_seconds",
    help: "When regular work of this process last succeeded, by step; 0 before the first time",
    labelNames: ["step"],
    registers: [register],
  });
  const failures = new Counter({
    name: "platform_background_failures_total",
    help: "Failures of regular work, by step",
    labelNames: ["step"],
    registers: [register],
  });
  const note = (message: unknown) => {
    const { step, result }: StepTold = Object(message);
    if (result === "planned") last.set({ step }, 0);
    if (result === "done") last.set({ step }, Math.floor(Date.now() / 1_000));
    failures.inc({ step }, result === "failed" ? 1 : 0);
  };
  subscribe(BACKGROUND, note);
  return () => unsubscribe(BACKGROUND, note);
}

/** What the disks of the embedded database have left. */
function registerRoom(register: Registry, { room }: Pick<Database, "room">): void {
  if (!room) return;
  const registers = [register];
  const bytes = new Gauge({
    name: "platform_disk_free_bytes",
    help: "Bytes that are free for the embedded database, of the fuller of its disks",
    registers,
    collect: async () => {
      const found = await room().catch(() => undefined);
      if (found) bytes.set(found.bytes);
    },
  });
  const inodes = new Gauge({
    name: "platform_disk_free_inodes",
    help: "Inodes that are free for it; +Inf if the file system does not limit them",
    registers,
    collect: async () => {
      const found = await room().catch(() => undefined);
      if (found) inodes.set(found.inodes);
    },
  });
}

/** What the metrics of a running service are read from. */
export interface Observed {
  readonly database: Database;
  /** The queues of calls. */
  readonly places: () => Readonly<Record<string, Places>>;
  readonly targets: readonly NamedTarget[];
}

/** Pending events that are counted: at a scrape, more would cost more than the figure is worth. */
const MOST_EVENTS = 100_000;
/** Organizations whose next entry is looked for. */
const MOST_CHAINS = 10_000;
/** Milliseconds for which a figure of the database is good enough. */
const KEPT_MS = 10_000;

interface Figures {
  readonly events: number;
  /** Seconds since the oldest pending event. */
  readonly age: number;
  /** Entries of the audit log that each target lacks. */
  readonly lags: readonly number[];
  /** Seconds since the oldest of them. */
  readonly late: readonly number[];
  readonly mails: MailFigures;
  /** Seconds since the oldest kept idempotency key. */
  readonly keyAge: number;
}

async function read({ database, targets }: Observed): Promise<Figures> {
  const pending = await pendingDeliveries(database, MOST_EVENTS);
  const copies = await Promise.all(targets.map(({ name }) => forwardLag(database, name, MOST_CHAINS)));
  const mails = await readMailFigures(database);
  return {
    ...pending,
    lags: copies.map(({ lag }) => lag),
    late: copies.map(({ age }) => age),
    mails,
    keyAge: await oldestIdempotencyKey(database),
  };
}

/** The figures of the database, for all gauges of a scrape; undefined if it does not respond. */
function figuresOf(observed: Observed): () => Promise<Figures | undefined> {
  let at = -Infinity;
  let figures: Promise<Figures | undefined> | undefined;
  return () => {
    if (figures === undefined || performance.now() - at > KEPT_MS) {
      at = performance.now();
      figures = read(observed).catch(() => undefined);
    }
    return figures;
  };
}

/** Version, and sign-ins and mails of this process by what they were and how they ended. Returns what ends it. */
export function registerProcess(register: Registry): () => void {
  new Gauge({
    name: "platform_build_info",
    help: "1, with the version of the program and of Node",
    labelNames: ["version", "node"],
    registers: [register],
  }).set({ version, node: process.versions.node }, 1);
  const signIns = new Counter({
    name: "platform_sign_ins_total",
    help: "Sign-ins, sign-ups, sign-outs and changes of passwords and second factors, by whether they were refused",
    labelNames: ["act", "result"],
    registers: [register],
  });
  const count = (message: unknown) => {
    const { act, refused }: SignIn = Object(message);
    signIns.inc({ act, result: refused ? "refused" : "done" });
  };
  subscribe(SIGN_INS, count);
  const mails = new Counter({
    name: "platform_mails_total",
    help: "Attempts to send a mail, by what it is about and how it ended: sent, delayed, failed for good",
    labelNames: ["kind", "result"],
    registers: [register],
  });
  const countMail = (message: unknown) => {
    const { kind, result }: MailTold = Object(message);
    mails.inc({ kind, result });
  };
  subscribe(MAILS, countMail);
  const missing = new Counter({
    name: "platform_audit_refusals_missing_total",
    help: "Refusals that could not be logged: their callers got UNAVAILABLE instead, or only their number is lost",
    registers: [register],
  });
  const countMissing = () => missing.inc();
  subscribe(MISSING_ENTRIES, countMissing);
  const endBackground = registerBackground(register);
  return () => {
    endBackground();
    unsubscribe(MISSING_ENTRIES, countMissing);
    unsubscribe(SIGN_INS, count);
    unsubscribe(MAILS, countMail);
  };
}

/** Queues of calls, pending events, and how far the copies of the audit log are behind. */
export function registerService(register: Registry, observed: Observed): void {
  const figures = figuresOf(observed);
  const registers = [register];
  const places: Gauge<"queue" | "state"> = new Gauge({
    name: "platform_queue_calls",
    help: "Calls by the queue they are in: running, waiting for their turn, or not yet read by their client",
    labelNames: ["queue", "state"],
    registers,
    collect: () => {
      for (const [queue, found] of Object.entries(observed.places()))
        for (const [state, calls] of Object.entries(found)) places.set({ queue, state }, calls);
    },
  });
  const pending = new Gauge({
    name: "platform_events_pending",
    help: `Events that wait for their delivery, of all processes; at most ${MOST_EVENTS} are counted`,
    registers,
    collect: async () => {
      const found = await figures();
      if (found) pending.set(found.events);
    },
  });
  const oldest = new Gauge({
    name: "platform_events_oldest_seconds",
    help: "Seconds since the oldest of these was stored; 0 without any",
    registers,
    collect: async () => {
      const found = await figures();
      if (found) oldest.set(found.age);
    },
  });
  const mails = new Gauge({
    name: "platform_mails_waiting",
    help: "Mails that wait to be sent, of all processes",
    registers,
    collect: async () => {
      const found = await figures();
      if (found) mails.set(found.mails.waiting);
    },
  });
  const oldestMail = new Gauge({
    name: "platform_mails_oldest_seconds",
    help: "Seconds since the oldest of these was stored; 0 without any",
    registers,
    collect: async () => {
      const found = await figures();
      if (found) oldestMail.set(found.mails.age);
    },
  });
  const oldestKey = new Gauge({
    name: "platform_idempotency_keys_oldest_seconds",
    help: "Seconds since the oldest kept idempotency key was stored; 0 without any",
    registers,
    collect: async () => {
      const found = await figures();
      if (found) oldestKey.set(found.keyAge);
    },
  });
  registerRoom(register, observed.database);
  if (observed.targets.length === 0) return;
  const late: Gauge<"target" | "kind"> = new Gauge({
    name: "platform_audit_forward_oldest_seconds",
    help: "Seconds since the oldest entry that a target of AUDIT_FORWARD lacks; 0 without any",
    labelNames: ["target", "kind"],
    registers,
    collect: async () => {
      const found = await figures();
      for (const [index, { target }] of observed.targets.entries())
        if (found) late.set({ target: String(index + 1), kind: target.kind }, found.late[index] ?? 0);
    },
  });
  const lag: Gauge<"target" | "kind"> = new Gauge({
    name: "platform_audit_forward_lag_entries",
    help: "Entries of the audit log that a target of AUDIT_FORWARD lacks, by its position there",
    labelNames: ["target", "kind"],
    registers,
    collect: async () => {
      const found = await figures();
      for (const [index, { target }] of observed.targets.entries())
        if (found) lag.set({ target: String(index + 1), kind: target.kind }, found.lags[index] ?? 0);
    },
  });
}
