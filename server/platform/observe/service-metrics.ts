import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Meter } from "@opentelemetry/api";
import { gauge, type Values } from "./gauge";
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
function registerBackground(meter: Meter): () => void {
  const last = meter.createGauge("platform_background_last_success_timestamp_seconds", {
    description: "When regular work of this process last succeeded, by step; 0 before the first time",
  });
  const failures = meter.createCounter("platform_background_failures_total", {
    description: "Failures of regular work, by step",
  });
  const note = (message: unknown) => {
    const { step, result }: StepTold = Object(message);
    if (result === "planned") last.record(0, { step });
    if (result === "done") last.record(Math.floor(Date.now() / 1_000), { step });
    failures.add(result === "failed" ? 1 : 0, { step });
  };
  subscribe(BACKGROUND, note);
  return () => unsubscribe(BACKGROUND, note);
}

/** What the disks of the embedded database have left. */
function registerRoom(meter: Meter, { room }: Pick<Database, "room">): void {
  if (!room) return;
  const left = (of: "bytes" | "inodes") => async (): Promise<Values> => {
    const found = await room().catch(() => undefined);
    return found ? [[found[of]]] : [];
  };
  gauge(
    meter,
    "platform_disk_free_bytes",
    "Bytes that are free for the embedded database, of the fuller of its disks",
    left("bytes"),
  );
  gauge(
    meter,
    "platform_disk_free_inodes",
    "Inodes that are free for it; +Inf if the file system does not limit them",
    left("inodes"),
  );
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
export function registerProcess(meter: Meter): () => void {
  meter
    .createGauge("platform_build_info", { description: "1, with the version of the program and of Node" })
    .record(1, { version, node: process.versions.node });
  const signIns = meter.createCounter("platform_sign_ins_total", {
    description:
      "Sign-ins, sign-ups, sign-outs and changes of passwords and second factors, by whether they were refused",
  });
  const count = (message: unknown) => {
    const { act, refused }: SignIn = Object(message);
    signIns.add(1, { act, result: refused ? "refused" : "done" });
  };
  subscribe(SIGN_INS, count);
  const mails = meter.createCounter("platform_mails_total", {
    description:
      "Attempts to send a mail, by what it is about and how it ended: sent, delayed, failed for good",
  });
  const countMail = (message: unknown) => {
    const { kind, result }: MailTold = Object(message);
    mails.add(1, { kind, result });
  };
  subscribe(MAILS, countMail);
  const missing = meter.createCounter("platform_audit_refusals_missing_total", {
    description:
      "Refusals that could not be logged: their callers got UNAVAILABLE instead, or only their number is lost",
  });
  // Without labels it is there before the first one.
  missing.add(0);
  const countMissing = () => missing.add(1);
  subscribe(MISSING_ENTRIES, countMissing);
  const endBackground = registerBackground(meter);
  return () => {
    endBackground();
    unsubscribe(MISSING_ENTRIES, countMissing);
    unsubscribe(SIGN_INS, count);
    unsubscribe(MAILS, countMail);
  };
}

/** Queues of calls, pending events, and how far the copies of the audit log are behind. */
export function registerService(meter: Meter, observed: Observed): void {
  const figures = figuresOf(observed);
  const ofDatabase = (pick: (found: Figures) => Values) => async (): Promise<Values> => {
    const found = await figures();
    return found ? pick(found) : [];
  };
  gauge(
    meter,
    "platform_queue_calls",
    "Calls by the queue they are in: running, waiting for their turn, or not yet read by their client",
    () =>
      Object.entries(observed.places()).flatMap(([queue, found]) =>
        Object.entries(found).map(([state, calls]) => [calls, { queue, state }] as const),
      ),
  );
  const plain: readonly (readonly [name: string, help: string, pick: (found: Figures) => number])[] = [
    [
      "events_pending",
      `Events that wait for their delivery, of all processes; at most ${MOST_EVENTS} are counted`,
      ({ events }) => events,
    ],
    [
      "events_oldest_seconds",
      "Seconds since the oldest of these was stored; 0 without any",
      ({ age }) => age,
    ],
    ["mails_waiting", "Mails that wait to be sent, of all processes", ({ mails }) => mails.waiting],
    [
      "mails_oldest_seconds",
      "Seconds since the oldest of these was stored; 0 without any",
      ({ mails }) => mails.age,
    ],
    [
      "idempotency_keys_oldest_seconds",
      "Seconds since the oldest kept idempotency key was stored; 0 without any",
      ({ keyAge }) => keyAge,
    ],
  ];
  for (const [name, help, pick] of plain)
    gauge(
      meter,
      `platform_${name}`,
      help,
      ofDatabase((found) => [[pick(found)]]),
    );
  registerRoom(meter, observed.database);
  if (observed.targets.length === 0) return;
  const byTarget = (pick: (found: Figures) => readonly number[]) =>
    ofDatabase((found) =>
      observed.targets.map(({ target: { kind } }, index) => [
        pick(found)[index] ?? 0,
        { target: String(index + 1), kind },
      ]),
    );
  gauge(
    meter,
    "platform_audit_forward_oldest_seconds",
    "Seconds since the oldest entry that a target of AUDIT_FORWARD lacks; 0 without any",
    byTarget(({ late }) => late),
  );
  gauge(
    meter,
    "platform_audit_forward_lag_entries",
    "Entries of the audit log that a target of AUDIT_FORWARD lacks, by its position there",
    byTarget(({ lags }) => lags),
  );
}
