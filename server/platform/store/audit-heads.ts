import { importJWK, SignJWT } from "jose";

import { HEAD_TYPE } from "platform-contract/audit/heads";

import { now } from "./clock";
import type { Queries } from "./database";
import { auditHeadKey } from "./keys/audit-head-key";
import type { Table } from "./table";

/** The last entry of a chain. */
export interface Head {
  /** Uid of the organization; "" for the log of the service. */
  readonly chain: string;
  readonly sequence: number;
  readonly hash: string;
}

export interface SignedHead extends Head {
  readonly time: Date;
  /** A JWS in compact form. */
  readonly signature: string;
}

/** Chains whose heads are read at once. */
export const HEADS_AT_ONCE = 1_000;

/** The heads of organizations, to be listed by their uids. */
export const auditHeads: Table = {
  name: "(select chain as uid, sequence, hash from audit_heads)",
  joins: "",
  columns: "t.uid, t.sequence, t.hash",
  sort: {},
  filters: {},
  toItem: ({ uid, sequence, hash }) => ({ chain: uid, sequence, hash }),
};

/** The heads of chains that grew since a time, after this chain. */
export const grownHeads = (
  queries: Queries,
  { since, after }: { readonly since: Date; readonly after: string | undefined },
): Promise<Head[]> =>
  queries.query<Head & Record<string, unknown>>(
    `select h.chain, h.sequence, h.hash from audit_heads h
       join audit_entries e on e.chain = h.chain and e.sequence = h.sequence
     where e.created_at > $1 and ($2::text is null or h.chain > $2) order by h.chain limit $3`,
    [since, after ?? null, HEADS_AT_ONCE],
  );

/** Signs heads. They have no names: whoever keeps one learns only how long a log is. */
export async function signHeads(
  queries: Queries,
  publicUrl: string,
  heads: readonly Head[],
): Promise<SignedHead[]> {
  const jwk = await auditHeadKey(queries);
  const { alg = "ES256", kid = "" } = jwk;
  const key = await importJWK(jwk, alg);
  const time = now();
  return Promise.all(
    heads.map(async ({ chain, sequence, hash }) => ({
      chain,
      sequence,
      hash,
      time,
      signature: await new SignJWT({ organization: chain, sequence: String(sequence), hash })
        .setProtectedHeader({ alg, kid, typ: HEAD_TYPE })
        .setIssuer(publicUrl)
        .setIssuedAt(Math.floor(time.getTime() / 1000))
        .sign(key),
    })),
  );
}

/** A signed head in its API form. */
export const toHead = ({ chain, sequence, hash, time, signature }: SignedHead) => ({
  organization: chain,
  sequence: String(sequence),
  hash,
  time: time.toISOString(),
  signature,
});

/** Milliseconds between two heads of a chain that grows. */
const EVERY_MS = 3_600_000;

/**
 * When a target last got the heads, if that is long enough ago; undefined if not yet. The first call only begins the hour.
 */
export async function headsDue(
  queries: Queries,
  target: string,
  everyMs = EVERY_MS,
): Promise<Date | undefined> {
  const at = now();
  const [row] = await queries.query<{ at: Date }>(
    "select sent_at as at from audit_heads_sent where target = $1",
    [target],
  );
  if (row) return at.getTime() - row.at.getTime() >= everyMs ? row.at : undefined;
  await headsSent(queries, target, at);
  return undefined;
}

export const headsSent = (queries: Queries, target: string, at: Date): Promise<unknown> =>
  queries.query(
    "insert into audit_heads_sent values ($1, $2) on conflict (target) do update set sent_at = excluded.sent_at",
    [target, at],
  );
