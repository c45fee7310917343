import { createSteps, type RunStep } from "../../background";
import type { Log } from "../../log";
import { tellMail } from "../../mails";
import { now } from "../store/clock";
import type { Database } from "../store/database";
import { claimMails, endMail, nextMailAt, putOffMail, type Mail } from "../store/mail/outbox";
import { LostCode, type Compose } from "./compose";
import { factsOf, isRefused, isUnusable, type Transport } from "./transport";

/** All in milliseconds. */
export const TIMES = {
  /** How long a process owns a mail that it took: longer than it can take to send it. */
  lease: 120_000,
  /** How often to look for what other processes stored; the embedded database has no others. */
  look: { postgres: 1_000, embedded: 60_000 },
  /** The first delay of a mail after a failure, which doubles with each attempt, and the longest. */
  first: 2_000,
  longest: 15 * 60_000,
  /** The same for all mails, while the server itself fails. */
  rest: { first: 500, longest: 60_000 },
  /** How long stop() waits for what is being sent. */
  stop: 5_000,
};

/** Mails that a process sends at the same time. */
const AT_ONCE = 4;
/** Milliseconds between two looks. */
const LEAST = 20;

export interface Sender {
  /** Looks now. */
  wake(): void;
  /** Starts no more; what is being sent gets a moment. */
  stop(): Promise<void>;
}

interface Options {
  readonly database: Database;
  readonly transport: Transport;
  readonly compose: Compose;
  readonly log: Log;
  readonly times?: typeof TIMES;
}

/**
 * Sends the mails of the outbox, each at least once and by one of the processes that share the database. A mail that the
 * server refuses for good is given up; any other failure is tried again, until the mail is of no use.
 */
export function startSender({ database, transport, compose, log, times = TIMES }: Options): Sender {
  const steps = createSteps(log, ["mail-queue"]);
  // What fails because the database was closed is no failure.
  const run: RunStep = (step, work) =>
    steps(step, () => work().catch((error: unknown) => (closed ? undefined : Promise.reject(error))));
  const sending = new Set<Promise<void>>();
  let [stopped, closed] = [false, false];
  let looking: Promise<void> | undefined;
  let again = false;
  let timer: NodeJS.Timeout | undefined;
  /** Failures of the server in a row, and until when it is left alone. */
  let [failures, restUntil] = [0, 0];

  function lookIn(milliseconds: number): void {
    if (stopped) return;
    clearTimeout(timer);
    timer = setTimeout(look, Math.max(0, milliseconds)).unref();
  }

  async function giveUp(mail: Mail, why: string, error: unknown): Promise<void> {
    const { kind, attempts, uid } = mail;
    log.warn({ mail: uid, kind, attempts, ...factsOf(error) }, why);
    tellMail({ kind, result: "failed" });
    await endMail(database, mail, "failed");
  }

  async function failed(mail: Mail, error: unknown): Promise<void> {
    const { kind, attempts, uid, expires } = mail;
    if (isRefused(error)) return giveUp(mail, "the mail server refused a mail", error);
    const jitter = 0.5 + Math.random() / 2;
    const wait = Math.min(times.first * 2 ** Math.min(attempts - 1, 30), times.longest) * jitter;
    const next = new Date(now().getTime() + wait);
    if (next >= expires) return giveUp(mail, "a mail was given up: it could not be sent in time", error);
    tellMail({ kind, result: "delayed" });
    if (isUnusable(error)) {
      const rest = Math.min(times.rest.first * 2 ** Math.min(failures, 30), times.rest.longest);
      failures += 1;
      restUntil = Date.now() + rest;
      if (failures === 1) log.warn(factsOf(error), "the mail server cannot be used; mails wait");
    } else log.info({ mail: uid, kind, attempts, ...factsOf(error) }, "a mail is tried again later");
    await putOffMail(database, mail, next);
  }

  async function deliver(mail: Mail): Promise<void> {
    const { kind, uid, address, expires } = mail;
    if (expires <= now()) return giveUp(mail, "a mail was given up: it could not be sent in time", {});
    let letter;
    try {
      letter = await compose(mail);
    } catch (error) {
      if (!(error instanceof LostCode)) throw error;
      return giveUp(mail, `a mail was given up: ${error.message}`, {});
    }
    try {
      if (letter) await transport.send(address, letter, uid);
    } catch (error) {
      if (!closed) await failed(mail, error);
      return;
    }
    // Stored or not, it was sent: without this the lease ends, and it is sent once more.
    if (closed) return;
    if (letter) {
      tellMail({ kind, result: "sent" });
      if (failures > 0) log.info({ failures }, "the mail server works again");
      [failures, restUntil] = [0, 0];
    }
    await endMail(database, mail, letter ? "sent" : "dropped");
  }

  /** Takes as many as it can send. While the server fails, one tells whether it still does. */
  async function takeSome(): Promise<number> {
    const most = (failures > 0 ? 1 : AT_ONCE) - sending.size;
    if (most <= 0 || Date.now() < restUntil) return 0;
    const mails = await claimMails(database, { most, lease: times.lease });
    for (const mail of mails) {
      // If the database is not available, the lease ends, and it is sent once more.
      const sent = run("mail-results", () => deliver(mail)).then(() => {
        sending.delete(sent);
        look();
      });
      sending.add(sent);
    }
    return mails.length;
  }

  async function lookOnce(): Promise<void> {
    let wait = times.look[database.kind];
    const looked = await run("mail-queue", async () => {
      await takeSome();
      const next = await nextMailAt(database);
      if (next && sending.size === 0)
        wait = Math.min(wait, Math.max(LEAST, next.getTime() - now().getTime(), restUntil - Date.now()));
    });
    if (!looked) wait = times.look.postgres;
    looking = undefined;
    if (again) {
      again = false;
      look();
    } else lookIn(wait);
  }

  function look(): void {
    if (stopped) return;
    if (looking) again = true;
    else looking = lookOnce();
  }

  look();
  return {
    wake: look,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      const patience = new Promise((resolve) => setTimeout(resolve, times.stop).unref());
      await Promise.race([Promise.all([looking, ...sending]), patience]);
      closed = true;
    },
  };
}
