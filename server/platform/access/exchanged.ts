import { createHash } from "node:crypto";

import { isWithin, topmost } from "platform-contract/aip";

import type { Grant } from "./caller";

/** What a token of ours says if it was exchanged for the token of a workload. */
export interface Exchanged extends Limits {
  /** Uid of the identity. */
  readonly identity: string;
  /** Its sign-in rule when the token was exchanged (`ruleOf`). */
  readonly rule: string;
  /** Of the workload's own token. */
  readonly issuer: string;
  readonly subject: string;
}

/** What limits a token; undefined if nothing does. */
export interface Limits {
  /** Wire names of capabilities. */
  readonly cap?: readonly string[] | undefined;
  /** Uids of groups. */
  readonly scopes?: readonly string[] | undefined;
}

/** The claim that only tokens from an exchange have. The claims are verified, and nobody else signs with our key. */
export const exchangedIn = (claims: Readonly<Record<string, unknown>>): Exchanged | undefined =>
  claims["exchanged"] as Exchanged | undefined;

/** Identifies a sign-in rule; `definition` is the text of the column, which the database writes in one way. */
export const ruleOf = ({ relationship, definition }: { relationship: string; definition: string }): string =>
  createHash("sha256").update(`${relationship}\n${definition}`).digest("base64url");

/** The part of these grants that the limits leave: a role given above a scope counts in the scope. */
export function limitTo(grants: readonly Grant[], { cap, scopes }: Limits): readonly Grant[] {
  const tops = scopes && topmost(scopes);
  // Once for each role, of which many grants have the same.
  const byRole = new Map<string, ReadonlySet<string>>();
  const limited = ({ role, capabilities }: Grant): ReadonlySet<string> => {
    const known = byRole.get(role) ?? new Set(cap?.filter((name) => capabilities.has(name)));
    byRole.set(role, known);
    return known;
  };
  return grants.flatMap((grant) => {
    const capabilities = cap ? limited(grant) : grant.capabilities;
    if (!tops) return [{ ...grant, capabilities }];
    return tops.flatMap((scope) => {
      if (isWithin(scope, grant.group)) return [{ ...grant, capabilities, group: scope }];
      return isWithin(grant.group, scope) ? [{ ...grant, capabilities }] : [];
    });
  });
}
