import type { Arrival } from "../../store/database";
import type { FactorChange } from "../../store/mail/outbox";
import type { Recorded } from "../../store/recorded";
import { newRootUid } from "../../store/uids";
import type { PageContext } from "../page-context";
import { endSessions, type Kept } from "../sessions";
import { requireStillIn } from "../signed-in";
import { recordAct, type Act } from "../sign-in-log";
import { tellOwner } from "./notices";
import type { NewPasskey } from "./passkeys";
import { makeRecoveryCodes } from "./recovery-codes";
import { deleteFactor, deleteRecoveryCodes, factorsOf, MOST_FACTORS, type Factor } from "./factors.table";

/** A factor that was added; the codes are set, this once, if it is the first one. */
export interface Added {
  readonly codes: readonly string[] | undefined;
}

/** Why nothing was changed, as a sentence for the person. */
export class CannotChange extends Error {}

/**
 * Adds a factor. With the first one come recovery codes, and every session but `kept` ends: those were opened with the
 * password alone.
 */
async function add(
  context: Changing & Pick<PageContext, "now">,
  subject: string,
  { name, firstOnly, arrival, ...made }: New & { readonly act: Act; readonly change: FactorChange },
  insert: (queries: Recorded, uid: string, at: Date) => Promise<void>,
  kept: Kept,
): Promise<Added> {
  const { now, mail } = context;
  const { act, change } = made;
  const added = await recordAct(context, arrival, { act, subject }, async (queries) => {
    await requireStillIn(queries, subject, kept);
    const before = await factorsOf(queries, subject, undefined);
    if (firstOnly && before.length > 0)
      throw new CannotChange("Your account has a second factor meanwhile. Sign in again.");
    if (before.length >= MOST_FACTORS)
      throw new CannotChange(`You have ${MOST_FACTORS} second factors. Remove one first.`);
    await insert(queries, newRootUid(), now());
    await tellOwner(queries, { mail, from: arrival.address }, subject, { change, name });
    if (before.length > 0) return { codes: undefined };
    await endSessions(queries, subject, kept);
    return { codes: await makeRecoveryCodes(queries, subject, now()) };
  });
  mail?.wake();
  return added;
}

type Changing = Pick<PageContext, "config" | "database" | "log" | "mail">;

interface New {
  readonly arrival: Arrival;
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
  context: Changing & Pick<PageContext, "now" | "texts">,
  subject: string,
  { secret, step, ...made }: NewApp,
  kept: Kept,
): Promise<Added> =>
  add(
    context,
    subject,
    { ...made, act: "secondFactor.addApp", change: "appAdded" },
    async (queries, uid, at) => {
      await queries.query(
        `insert into authenticator_apps (uid, subject, name, sealed, last_step, created_at)
         values ($1, $2, $3, $4, $5, $6)`,
        [uid, subject, made.name, await context.texts.seal(uid, secret), step, at],
      );
    },
    kept,
  );

export const addPasskey = (
  context: Changing & Pick<PageContext, "now">,
  subject: string,
  {
    made: { host, credentialId, publicKey, counter, transports, synced },
    ...more
  }: New & { readonly made: NewPasskey },
  kept: Kept,
): Promise<Added> =>
  add(
    context,
    subject,
    { ...more, act: "secondFactor.addPasskey", change: "passkeyAdded" },
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
  context: Changing & Pick<PageContext, "site">,
  { subject, factor, arrival, kept }: { subject: string; factor: Factor; arrival: Arrival; kept: Kept },
): Promise<void> {
  const { config, site, mail } = context;
  await recordAct(context, arrival, { act: "secondFactor.remove", subject }, async (queries) => {
    await requireStillIn(queries, subject, kept);
    await deleteFactor(queries, subject, factor);
    const left = await factorsOf(queries, subject, site.passkeys?.host);
    if (config.secondFactor === "required" && !left.some(({ usable }) => usable))
      throw new CannotChange("A second factor is required here. Add another one before you remove this one.");
    if (left.length === 0) await deleteRecoveryCodes(queries, subject);
    const { name } = factor;
    const notifying = { mail, from: arrival.address };
    await tellOwner(queries, notifying, subject, { change: "removed", name, left: left.length });
  });
  mail?.wake();
}
