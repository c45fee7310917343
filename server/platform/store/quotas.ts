import { Failure } from "../../status";
import type { Queries } from "./database";
import { sqlState } from "./retry";

const MB = 1_000_000;

/** Bytes of each kind that one organization can have. A trigger counts them, and refuses what is beyond. */
export const QUOTAS = {
  groups: 64 * MB,
  identities: 256 * MB,
  roles: 64 * MB,
  roleBindings: 128 * MB,
  groupInvites: 64 * MB,
  identityProviders: 16 * MB,
  externalGroupRoleMappings: 64 * MB,
  guardRails: 16 * MB,
  eligibleGrants: 64 * MB,
  repos: 1_024 * MB,
  tags: 2_048 * MB,
  accountAssociations: 64 * MB,
  terms: 64 * MB,
  subscriptions: 16 * MB,
  advisories: 1_024 * MB,
  accessRequests: 64 * MB,
  retention: 256 * MB,
  accessReviews: 512 * MB,
  directoryUsers: 256 * MB,
  directoryGroups: 256 * MB,
} as const;

/** Writes the quotas of this program where the trigger finds them. */
export const ensureQuotas = async (
  queries: Queries,
  quotas: Readonly<Record<string, number>> = QUOTAS,
): Promise<void> => {
  await queries.query(
    `insert into quotas (kind, bytes) select * from unnest($1::text[], $2::bigint[])
     on conflict (kind) do update set bytes = excluded.bytes where quotas.bytes <> excluded.bytes`,
    [Object.keys(quotas), Object.values(quotas)],
  );
};

/** What to tell a caller whose write a quota refused; undefined for any other error. */
export function overQuota(error: unknown): Failure | undefined {
  if (sqlState(error) !== "QUOTA") return undefined;
  const [, kind = "", bytes = ""] = /(\w{1,30}) (\d{1,20})$/.exec(String(Object(error).message)) ?? [];
  return new Failure(
    "RESOURCE_EXHAUSTED",
    `Resource exhausted: the organization would have more than ${Number(bytes) / MB} MB of ${kind}, the most that it can have: delete some`,
    [],
    { metadata: { quota: kind, limit: bytes } },
  );
}

/** True for a failure of a quota, after which nothing was written. */
export const isOverQuota = (error: unknown): error is Failure =>
  error instanceof Failure && error.options.metadata?.["quota"] !== undefined;

/** Adds what has changed since the last time. */
export async function foldStoredBytes(queries: Queries): Promise<void> {
  await queries.query(
    `with gone as (delete from stored_changes returning organization, kind, bytes),
       sums as (select organization, kind, sum(bytes) as bytes from gone group by organization, kind)
     insert into stored_bytes as s select organization, kind, greatest(0, bytes) from sums
     on conflict (organization, kind) do update set bytes = greatest(0, s.bytes + (select sums.bytes from sums
       where sums.organization = s.organization and sums.kind = s.kind))`,
  );
  await queries.query("delete from stored_bytes where bytes = 0");
}
