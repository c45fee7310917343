import { parentOf } from "~/contract/aip";
import type { Identity } from "~/contract/iam/identities";
import { shorten } from "~/ui/display/shorten";
import { readTime } from "~/ui/display/time-text";

import { githubLine, readGitHub } from "./github";

/** The members of the oneof `relationship` that this console knows (contract 1.2). */
export const RELATIONSHIPS = ["claimMatch", "staticKeys", "awsIdentity", "servicePrincipal"] as const;
export type Relationship = (typeof RELATIONSHIPS)[number];

/** How an identity is recognised; undefined for a member that a newer service has. */
export const relationshipOf = (identity: Identity): Relationship | undefined =>
  RELATIONSHIPS.find((member) => identity[member] !== undefined);

/** What an identity is called; its uid where a service gives no name. */
export const nameOf = ({ uid, name }: Pick<Identity, "uid" | "name">): string => name || shorten(uid);

/** People lie at the root level, one for each issuer and subject. */
export const isPerson = (identity: Pick<Identity, "uid">): boolean => parentOf(identity.uid) === "";

/** Why nothing of a person can be changed here; undefined for a machine. */
export const fixedReason = (identity: Pick<Identity, "uid">): string | undefined =>
  isPerson(identity)
    ? "People come from their sign-in provider. What they may do is changed by their role bindings."
    : undefined;

const KINDS: Record<Relationship, string> = {
  claimMatch: "OIDC claims",
  staticKeys: "Static keys",
  awsIdentity: "AWS",
  servicePrincipal: "Platform service",
};

export const kindWord = (identity: Identity): string => {
  if (isPerson(identity)) return "Person";
  const relationship = relationshipOf(identity);
  return relationship ? KINDS[relationship] : "Another kind";
};

/** What the platform's services do (contract 1.2). */
const SERVICES: Readonly<Record<string, string>> = {
  SERVICE_PRINCIPAL_COSIGNED: "image signing",
  SERVICE_PRINCIPAL_INGESTER: "data ingestion",
  SERVICE_PRINCIPAL_CATALOG_SYNCER: "catalog copying",
  SERVICE_PRINCIPAL_APKO_BUILDER: "image building",
  SERVICE_PRINCIPAL_ENTITLEMENT_SYNCER: "entitlement copying",
  SERVICE_PRINCIPAL_TENANT_SCANNER: "tenant scanning",
  SERVICE_PRINCIPAL_SEDIMENTOLOGY: "data analysis",
  SERVICE_PRINCIPAL_SKILLUP: "repository skill fixing",
  SERVICE_PRINCIPAL_MATERIALIZER: "solution materialising",
  SERVICE_PRINCIPAL_MICROFLOW: "CI workflows in micro-VMs",
  SERVICE_PRINCIPAL_GUARDENER: "GitHub automation",
  SERVICE_PRINCIPAL_MICROVM: "ephemeral sandboxes",
  SERVICE_PRINCIPAL_SKILLS: "skill hardening",
};

/** What a platform service is for; nothing for one that only a newer service knows. */
export const servicePurpose = (principal: string): string | undefined => SERVICES[principal];

/** `SERVICE_PRINCIPAL_CATALOG_SYNCER` as "catalog syncer"; a value from a newer service likewise. */
export const serviceWord = (principal: string): string =>
  principal
    .replace(/^SERVICE_PRINCIPAL_/, "")
    .toLowerCase()
    .replaceAll("_", " ");

export interface Matches {
  /** The text that tells this identity from others of its kind. */
  readonly text: string;
  /** The same in full, where `text` is only its gist. */
  readonly whole?: string;
  /** How the text is to be read, when it is not compared as it is. */
  readonly note?: string;
}

const NOTHING: Matches = { text: "" };

/** What recognises an identity, in one line. */
export function matchesOf(identity: Identity): Matches {
  const { claimMatch, staticKeys, awsIdentity, servicePrincipal } = identity;
  if (claimMatch) return claims(claimMatch);
  if (staticKeys) return { text: staticKeys.subject };
  if (awsIdentity) {
    const { arn, arnPattern, awsAccount } = awsIdentity;
    if (arn !== undefined) return { text: arn };
    return arnPattern === undefined ? { text: awsAccount } : { text: arnPattern, note: "pattern" };
  }
  return servicePrincipal === undefined ? NOTHING : { text: serviceWord(servicePrincipal) };
}

function claims(match: NonNullable<Identity["claimMatch"]>): Matches {
  const { subject, subjectPattern, claims: exact, claimPatterns } = match;
  const github = readGitHub(match);
  const whole = subject ?? subjectPattern ?? "";
  // A name can change hands, an id cannot: that is worth a word in a list.
  if (github) return { text: githubLine(github), whole, ...(github.withoutIds && { note: "without ids" }) };
  const more = Object.keys({ ...exact, ...claimPatterns }).length;
  const notes = [
    subject === undefined && subjectPattern !== undefined ? "pattern" : "",
    more === 0 ? "" : more === 1 ? "and a claim" : `and ${more} claims`,
  ];
  const note = notes.filter(Boolean).join(", ");
  return { text: whole, ...(note && { note }) };
}

/** What tells one person from another: an email where there is one, else the subject. */
export const emailOrSubject = ({ email, emailUnverified, claimMatch }: Identity): string =>
  email || emailUnverified || claimMatch?.subject || "";

/** Milliseconds between the two times that creating a machine sets "at once": a few, in either order. */
const AT_ONCE = 5_000;

/**
 * When an identity was last seen; undefined for one that never was. The service sets the time of a machine when it is
 * made (contract 1.2), which is no use of it; a person is made by signing in, which is one.
 */
export function lastSeen(identity: Identity): string | undefined {
  const { lastSeenTime, createTime } = identity;
  const seen = readTime(lastSeenTime);
  if (!seen) return undefined;
  const created = isPerson(identity) ? undefined : readTime(createTime);
  return created && Math.abs(seen.getTime() - created.getTime()) <= AT_ONCE ? undefined : lastSeenTime;
}
