import type { Config } from "../../config";
import type { Database, Queries } from "../../store/database";
import { newRootUid } from "../../store/uids";
import type { Desk } from "../desk";
import { endSessions, type Kept } from "../sessions";
import type { NewPasskey } from "./passkeys";
import { makeRecoveryCodes } from "./recovery-codes";
import { deleteFactor, factorsOf, MOST_FACTORS, type Factor } from "./stored";

/** A factor that was added; the codes are set, this once, if it is the first one. */
export interface Added {
  readonly codes: readonly string[] | undefined;
}

/** Why nothing was changed, as a sentence for the person. */
export class CannotChange extends Error {}

/** One change of an account's factors at a time. */
async function lockAccount(queries: Queries, subject: string): Promise<void> {
  await queries.query("select 1 from accounts where subject = $1 for update", [subject]);
  await queries.query("select 1 from pending_accounts where subject = $1 for update", [subject]);
}

/**
 * Adds a factor. With the first one come recovery codes, and every session but `kept` ends: those were opened with the
 * password alone.
 */
function add(
  { database, now }: Pick<Desk, "database" | "now">,
  subject: string,
  firstOnly: boolean,
  insert: (queries: Queries, uid: string, at: Date) => Promise<void>,
  kept: Kept | undefined,
): Promise<Added> {
  return database.transaction(async (queries) => {
    await lockAccount(queries, subject);
    const before = await factorsOf(queries, subject, undefined);
    if (firstOnly && before.length > 0)
      throw new CannotChange("Your account has a second factor meanwhile. Sign in again.");
    if (before.length >= MOST_FACTORS)
      throw new CannotChange(`You have ${MOST_FACTORS} second factors. Remove one first.`);
    await insert(queries, newRootUid(), now());
    if (before.length > 0) return { codes: undefined };
    await endSessions(queries, subject, kept);
    return { codes: await makeRecoveryCodes(queries, subject, now()) };
  });
}

interface New {
  readonly name: string;
  /** Refuses if there is a factor already. */
  readonly firstOnly: boolean;
}

interface NewApp extends New {
  readonly secret: string;
  /** Of the code that confirmed it, which does not work again. */
  readonly step: number;
}

export const addApp = (
  desk: Pick<Desk, "database" | "now" | "texts">,
  subject: string,
  { name, secret, step, firstOnly }: NewApp,
  kept?: Kept,
): Promise<Added> =>
  add(
    desk,
    subject,
    firstOnly,
    async (queries, uid, at) => {
      await queries.query(
        `insert into authenticator_apps (uid, subject, name, sealed, last_step, created_at)
         values ($1, $2, $3, $4, $5, $6)`,
        [uid, subject, name, await desk.texts.seal(uid, secret), step, at],
      );
    },
    kept,
  );

export const addPasskey = (
  desk: Pick<Desk, "database" | "now">,
  subject: string,
  {
    name,
    firstOnly,
    made: { host, credentialId, publicKey, counter, transports, synced },
  }: New & { readonly made: NewPasskey },
  kept?: Kept,
): Promise<Added> =>
  add(
    desk,
    subject,
    firstOnly,
    async (queries, uid, at) => {
      const inserted = await queries.query(
        `insert into passkeys
           (uid, subject, name, host, credential_id, public_key, counter, transports, synced, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict (credential_id) do nothing returning 1`,
        [uid, subject, name, host, credentialId, publicKey, counter, transports, synced, at],
      );
      if (inserted.length === 0) throw new CannotChange("This passkey is registered already.");
    },
    kept,
  );

/** Removes a factor, and the recovery codes with the last one. Throws CannotChange where one is required. */
export const removeFactor = (
  database: Database,
  { secondFactor }: Config,
  { subject, factor, host }: { subject: string; factor: Factor; host: string | undefined },
): Promise<void> =>
  database.transaction(async (queries) => {
    await lockAccount(queries, subject);
    await deleteFactor(queries, subject, factor);
    const left = await factorsOf(queries, subject, host);
    if (secondFactor === "required" && !left.some(({ usable }) => usable))
      throw new CannotChange("A second factor is required here. Add another one before you remove this one.");
    if (left.length === 0) await queries.query("delete from recovery_codes where subject = $1", [subject]);
  });
