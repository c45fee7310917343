import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

import type { Config } from "../../config";
import type { Log } from "../../log";
import { tellMissingEntry } from "../../missing-entries";
import { tellSignIn } from "../../sign-ins";
import { appendEntries, requestOf, type PlacedDraft } from "../store/audit";
import type { Arrival, Database, Queries } from "../store/database";
import type { Recorded } from "../store/recorded";
import { personUid } from "../store/uids";
import { clientIn } from "./requests";

/** What people do at the provider; each is an entry in the logs of their organizations. */
export type Act =
  | "signIn.password"
  | "signIn.passwordApp"
  | "signIn.passwordPasskey"
  | "signIn.passwordRecovery"
  | "signIn.passkey"
  | "signIn.provider"
  | "signIn.client"
  | "signUp"
  | "signOut"
  | "password.change"
  | "password.reset"
  | "email.confirm"
  | "email.change"
  | "secondFactor.confirm"
  | "secondFactor.addApp"
  | "secondFactor.addPasskey"
  | "secondFactor.rename"
  | "secondFactor.remove"
  | "secondFactor.makeCodes"
  | "secondFactor.reset";

export interface Recorder {
  readonly config: Pick<Config, "issuer">;
  readonly database: Pick<Database, "transaction">;
  /** The service's own log; commands have none. */
  readonly log?: Log;
}

export interface Done {
  readonly act: Act;
  /** Undefined if nobody has the account. */
  readonly subject: string | undefined;
  /** Why it was refused; undefined if it was not. */
  readonly reason?: string;
  /** An operator or the service did it: the entry has no actor. */
  readonly byOperator?: true;
  /** Organizations whose logs know already. */
  readonly except?: readonly string[];
  /** Where it failed before anybody was known: the entry is about this identity provider, in its group. */
  readonly provider?: { readonly uid: string; readonly name: string; readonly parent: string };
}

/** Organizations of one person that learn of a sign-in. */
const ORGANIZATIONS = 20;

export function arrivalIn(config: Config, request: IncomingMessage, requestId?: unknown): Arrival {
  const { address, userAgent } = clientIn(config, request);
  return {
    requestId: typeof requestId === "string" ? requestId : randomUUID(),
    address,
    transport: "http",
    ...(userAgent !== undefined && { userAgent }),
  };
}

/**
 * The organizations in which a person has a role and that know them: by something they did there, or since they sign in
 * with its provider. A role alone is not enough: anybody can give one, and would learn the person's addresses. For a
 * client, those with a machine identity that its tokens match; never so for a person, whom a stranger could name in a
 * machine's claims.
 */
async function organizationsOf(
  queries: Queries,
  identity: string,
  provider: string | undefined,
  client?: readonly string[],
) {
  const rows = await queries.query<{ uid: string }>(
    `select distinct left(b.parent, 40) as uid from role_bindings b
     where (b.identity_uid = $1
         and (left(b.parent, 40) = left($5, 40)
           or exists (select 1 from audit_entries e where e.actor_uid = $1 and e.chain = left(b.parent, 40))))
       or b.identity_uid in (select uid from identities where issuer = $3 and subject = $4)
     order by 1 limit $2`,
    [identity, ORGANIZATIONS, ...(client ?? [null, null]), provider ?? null],
  );
  return rows.map(({ uid }) => uid);
}

/** Tells the service's own log and metrics what a person did here. */
function tell({ config, log }: Recorder, arrival: Arrival | undefined, { act, subject, reason }: Done): void {
  tellSignIn({ act, refused: reason !== undefined });
  const uid = subject === undefined ? undefined : personUid(config.issuer, subject);
  log?.info(
    {
      requestId: arrival?.requestId,
      action: act,
      ...(uid !== undefined && { record: uid }),
      ...(uid !== undefined && reason === undefined && { actor: uid }),
      address: arrival?.address,
      ...(reason !== undefined && { reason }),
    },
    reason === undefined ? "sign-in" : "a sign-in failed",
  );
}

/** The entries of an act, one for each organization that knows the person; without any, one in the log of the service. */
async function entriesOf(
  queries: Queries,
  issuer: string,
  arrival: Arrival | undefined,
  { act, subject, reason, byOperator, except = [], provider: at }: Done,
): Promise<PlacedDraft[]> {
  const uid = subject === undefined ? undefined : personUid(issuer, subject);
  const [facts] = await queries.query<{ name: string | null; provider: string | null }>(
    `select (select name from identities where uid = $1) as name,
       (select provider from upstream_accounts where subject = $2) as provider`,
    [uid ?? null, subject ?? null],
  );
  const name = facts?.name ?? undefined;
  const provider = facts?.provider ?? undefined;
  const person = { uid, ...(name !== undefined && { name }), issuer, subject };
  const client = act === "signIn.client" && subject !== undefined ? [issuer, subject] : undefined;
  const all = uid === undefined ? [] : await organizationsOf(queries, uid, provider, client);
  const told = all.filter((one) => !except.includes(one));
  if (told.length === 0 && except.length > 0) return [];
  const groups = at ? [at.parent] : told.length === 0 ? [undefined] : told;
  return groups.map((group) => ({
    group,
    draft: {
      outcome: reason === undefined ? "OUTCOME_DONE" : "OUTCOME_REFUSED",
      action: act,
      ...(uid !== undefined &&
        reason === undefined &&
        !byOperator && { actor: { ...person, ...(provider && { provider }) } }),
      ...(uid !== undefined && {
        record: { kind: "identities", uid, ...(name !== undefined && { name }), ...(group && { group }) },
      }),
      ...(at && {
        record: { kind: "identityProviders", uid: at.uid, name: at.name, group: at.parent },
      }),
      ...(reason !== undefined && { reason }),
      request: requestOf(arrival),
    },
  }));
}

/**
 * Does what a person does at the provider and logs it, in one transaction, in the organizations that know them; without
 * any, in the log of the service. What they typed is never part of it: people type passwords into the wrong field.
 * `work` throws if there is nothing to do: then nothing is logged either. Without an arrival, the service does it.
 */
export async function recordAct<T>(
  recorder: Recorder,
  arrival: Arrival | undefined,
  done: Done,
  work: (queries: Recorded) => Promise<T>,
): Promise<T> {
  const result = await recorder.database.transaction(async (queries) => {
    // The only place that makes one of a transaction.
    const worked = await work(queries as Recorded);
    const entries = await entriesOf(queries, recorder.config.issuer, arrival, done);
    if (entries.length > 0) await appendEntries(queries, entries);
    return worked;
  });
  if (!done.byOperator) tell(recorder, arrival, done);
  return result;
}

/** Logs what changes nothing else: a refusal, or a sign-in. */
export async function logAct(recorder: Recorder, arrival: Arrival, done: Done): Promise<void> {
  try {
    await recordAct(recorder, arrival, done, async () => {});
  } catch (error) {
    if (done.reason !== undefined) tellMissingEntry();
    throw error;
  }
}
