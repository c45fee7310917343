import { randomUUID } from "node:crypto";

import type { Log } from "../../log";
import { TooManyMails, type Post } from "../mail/post";
import { holdForward, releaseForward } from "../store/audit-forwards";
import { grownHeads, headsDue, headsSent, signHeads, type SignedHead } from "../store/audit-heads";
import { now } from "../store/clock";
import type { Database } from "../store/database";
import { confirmedOwners } from "../../domains/access/people.table";

/** The name under which the database remembers when the mails were last stored, and which process does it. */
const TARGET = "mail:owners";
const DAY_MS = 86_400_000;
const LOOK_MS = 600_000;
const LEASE_S = 60;
const DAY_S = DAY_MS / 1000;

interface Options {
  readonly config: { readonly issuer: string; readonly publicUrl: string };
  readonly database: Database;
  readonly post: Post;
  readonly log: Log;
}

/** Stores a mail to each owner with the signed head of their organization's log, if it grew in the last day. */
export async function mailHeads(
  { config, database, post }: Omit<Options, "log">,
  since: Date,
): Promise<void> {
  const at = now();
  let after: string | undefined = "";
  while (after !== undefined) {
    const grown = await grownHeads(database, { since, after });
    for (const head of await signHeads(database, config.publicUrl, grown))
      await mailHead(config, database, post, head);
    after = grown.at(-1)?.chain;
  }
  await headsSent(database, TARGET, at);
  post.wake();
}

async function mailHead(
  { issuer }: Options["config"],
  database: Database,
  post: Post,
  { chain: organization, sequence, signature }: SignedHead,
): Promise<void> {
  const facts = { organization, sequence: String(sequence), signature };
  await database
    .transaction(async (queries) => {
      for (const { email: address } of await confirmedOwners(queries, issuer, organization))
        await post.store(queries, { kind: "auditHead", address, facts, usefulS: DAY_S }, []);
    })
    .catch((error: unknown) => {
      // Too many wait: what people asked for comes first, and tomorrow there is another head.
      if (!(error instanceof TooManyMails)) throw error;
    });
}

/** Mails heads once a day, by one process, until it is stopped. */
export function startHeadMails(options: Options): { stop(): Promise<void> } {
  const { database, log } = options;
  const holder = randomUUID();
  const look = async (): Promise<void> => {
    if (!(await holdForward(database, TARGET, holder, LEASE_S))) return;
    const since = await headsDue(database, TARGET, DAY_MS);
    if (since) await mailHeads(options, since);
  };
  const safely = () =>
    look().catch((err: unknown) => log.warn({ err }, "heads of the audit log were not mailed"));
  let running = safely();
  const timer = setInterval(() => (running = running.then(safely)), LOOK_MS).unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
      await releaseForward(database, TARGET, holder).catch(() => {});
    },
  };
}
