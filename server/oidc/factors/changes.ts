import type { Queries } from "../../store/database";
import type { FactorChange } from "../../store/mail/outbox";
import { newRootUid } from "../../store/uids";
import type { Desk } from "../desk";
import { endSessions, type Kept } from "../sessions";
import { tellOwner, type Notifying } from "./notices";
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
async function add(
  { database, now, mail }: Pick<Desk, "database" | "now" | "mail">,
  subject: string,
  { name, firstOnly, from, change }: New & { readonly change: FactorChange },
  insert: (queries: Queries, uid: string, at: Date) => Promise<void>,
  kept: Kept | undefined,
): Promise<Added> {
  const added = await database.transaction(async (queries) => {
    await lockAccount(queries, subject);
    const before = await factorsOf(queries, subject, undefined);
    if (firstOnly && before.length > 0)
      throw new CannotChange("Your account has a second factor meanwhile. Sign in again.");
    if (before.length >= MOST_FACTORS)
      throw new CannotChange(`You have ${MOST_FACTORS} second factors. Remove one first.`);
    await insert(queries, newRootUid(), now());
    await tellOwner(queries, { mail, from }, subject, { change, name });
    if (before.length > 0) return { codes: undefined };
    await endSessions(queries, subject, kept);
    return { codes: await makeRecoveryCodes(queries, subject, now()) };
  });
  mail?.wake();
  return added;
}

interface New extends Pick<Notifying, "from"> {
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
  desk: Pick<Desk, "database" | "now" | "texts" | "mail">,
  subject: string,
  { secret, step, ...made }: NewApp,
  kept?: Kept,
): Promise<Added> =>
  add(
    desk,
    subject,
    { ...made, change: "appAdded" },
    async (queries, uid, at) => {
      await queries.query(
        `insert into authenticator_apps (uid, subject, name, sealed, last_step, created_at)
         values ($1, $2, $3, $4, $5, $6)`,
        [uid, subject, made.name, await desk.texts.seal(uid, secret), step, at],
      );
    },
    kept,
  );

export const addPasskey = (
  desk: Pick<Desk, "database" | "now" | "mail">,
  subject: string,
  {
    made: { host, credentialId, publicKey, counter, transports, synced },
    ...more
  }: New & { readonly made: NewPasskey },
  kept?: Kept,
): Promise<Added> =>
  add(
    desk,
    subject,
    { ...more, change: "passkeyAdded" },
    async (queries, uid, at) => {
      const inserted = await queries.query(
        `insert into passkeys
           (uid, subject, name, host, credential_id, public_key, counter, transports, synced, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict (credential_id) do nothing returning 1`,
        [uid, subject, more.name, host, credentialId, publicKey, counter, transports, synced, at],
      );
      if (inserted.length === 0) throw new CannotChange("This passkey is registered already.");
    },
    kept,
  );

/** Removes a factor, and the recovery codes with the last one. Throws CannotChange where one is required. */
export async function removeFactor(
  { database, config, site, mail }: Pick<Desk, "database" | "config" | "site" | "mail">,
  { subject, factor, from }: { subject: string; factor: Factor } & Pick<Notifying, "from">,
): Promise<void> {
  await database.transaction(async (queries) => {
    await lockAccount(queries, subject);
    await deleteFactor(queries, subject, factor);
    const left = await factorsOf(queries, subject, site.passkeys?.host);
    if (config.secondFactor === "required" && !left.some(({ usable }) => usable))
      throw new CannotChange("A second factor is required here. Add another one before you remove this one.");
    if (left.length === 0) await queries.query("delete from recovery_codes where subject = $1", [subject]);
    const { name } = factor;
    await tellOwner(queries, { mail, from }, subject, { change: "removed", name, left: left.length });
  });
  mail?.wake();
}
