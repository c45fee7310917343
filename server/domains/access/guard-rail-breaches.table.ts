import { fitsPattern } from "platform-contract/iam/guard-rail-rules";
import { type GuardRailKind } from "platform-contract/iam/guard-rails";
import type { IdentityInput } from "platform-contract/iam/identities";
import { trimEndOf } from "platform-contract/trim";

import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";
import type { Rail } from "./guard-rails.table";

/** SQL: the identity `i` is a workload: in a group, or the client of the operator. */
export const IS_MACHINE = "(i.parent is not null or i.subject = 'automation')";

const inDays = (days: number): Date => new Date(now().getTime() + days * 86_400_000);

export const endsTooLate = ({ values: { maxDays = 0 } }: Rail, until: Date | null): boolean =>
  until === null || until > inDays(maxDays);

/** The field because of which an identity breaks a guard rail about issuers and claims; undefined if it does not. */
export function distrusted(
  { values: { issuers = [], exactSubject = false, claims = [] } }: Rail,
  identity: Readonly<Record<string, unknown>>,
): string | undefined {
  const { claimMatch, staticKeys, awsIdentity } = identity as Partial<IdentityInput>;
  if (claimMatch) {
    const { issuer = "", subject, claims: required = {} } = claimMatch;
    const slashless = trimEndOf(issuer, "/");
    if (issuers.length > 0 && !issuers.some((one) => fitsPattern(slashless, trimEndOf(one, "/"))))
      return claimMatch.issuerPattern === undefined ? "claimMatch.issuer" : "claimMatch.issuerPattern";
    if (exactSubject && !subject) return "claimMatch.subjectPattern";
    return claims.every((name) => Object.hasOwn(required, name) && required[name] !== "")
      ? undefined
      : "claimMatch.claims";
  }
  // Keys given here are no issuer's, and neither they nor AWS require claims.
  if (staticKeys) return issuers.length > 0 || claims.length > 0 ? "staticKeys.issuer" : undefined;
  if (!awsIdentity) return undefined;
  if (issuers.length > 0 || claims.length > 0) return "awsIdentity.awsAccount";
  if (!exactSubject) return undefined;
  if (awsIdentity.arnPattern !== undefined) return "awsIdentity.arnPattern";
  return awsIdentity.userIdPattern === undefined ? undefined : "awsIdentity.userIdPattern";
}

/** The collection of the records whose names a guard rail is about. */
export const namedCollection = ({ values: { names } }: Rail): "groups" | "identities" | "repos" | undefined =>
  names === "GUARD_RAIL_NAMES_GROUPS"
    ? "groups"
    : names === "GUARD_RAIL_NAMES_IDENTITIES"
      ? "identities"
      : names === "GUARD_RAIL_NAMES_REPOS"
        ? "repos"
        : undefined;

export const isMisnamed = ({ values: { patterns = [] } }: Rail, name: string): boolean =>
  !patterns.some((pattern) => fitsPattern(name, pattern));

interface BoundRow {
  readonly uid: string;
  readonly identity: string;
  readonly identity_name: string;
  readonly group: string;
  readonly group_name: string;
  readonly role: string;
  readonly role_name: string;
  readonly expires_at: Date | null;
}

/**
 * Role bindings at the group of a guard rail and below that break it, by uid. How access came about that exists is not
 * recorded: what asks for a second person counts all only if `unknown`.
 * @param roles uids of the roles that it is about
 */
export async function bindingsBreaking(
  queries: Queries,
  rail: Rail,
  {
    roles,
    after = "",
    limit,
    unknown = false,
  }: {
    readonly roles: readonly string[];
    readonly after?: string;
    readonly limit: number;
    readonly unknown?: boolean;
  },
): Promise<BoundRow[]> {
  const conditions: Partial<Record<GuardRailKind, string>> = {
    GUARD_RAIL_KIND_NO_MACHINES: IS_MACHINE,
    GUARD_RAIL_KIND_END_REQUIRED: "(b.expires_at is null or b.expires_at > $6)",
    ...(unknown && { GUARD_RAIL_KIND_SECOND_PERSON: "true" }),
  };
  const breaks = conditions[rail.kind];
  if (breaks === undefined || roles.length === 0) return [];
  return queries.query<BoundRow>(
    `select b.uid, b.identity_uid as identity, i.name as identity_name, b.parent as "group", g.name as group_name,
       b.role_uid as role, r.name as role_name, b.expires_at
     from role_bindings b join identities i on i.uid = b.identity_uid join groups g on g.uid = b.parent
       join roles r on r.uid = b.role_uid
     where b.role_uid = any($1::text[]) and b.uid > $2 || '/' and b.uid < $2 || '0' and b.uid > $3
       and (b.expires_at is null or b.expires_at > $5) and ($6::timestamptz is null or true) and ${breaks}
     order by b.uid limit $4`,
    [[...roles], rail.parent, after, limit, now(), inDays(rail.values.maxDays ?? 0)],
  );
}
