import type { Identity } from "platform-contract/iam/identities";
import { isClient, isMachineClient, isPerson } from "~/frame/scope/people";

import { githubLine, readGitHub } from "./github";

/** The members of the oneof `relationship` that this console knows. */
export const RELATIONSHIPS = ["claimMatch", "staticKeys", "awsIdentity", "servicePrincipal"] as const;
export type Relationship = (typeof RELATIONSHIPS)[number];

/** How an identity signs in; undefined if only a newer service knows the member. */
export const relationshipOf = (identity: Identity): Relationship | undefined =>
  RELATIONSHIPS.find((member) => identity[member] !== undefined);

const TYPES: Record<Relationship, string> = {
  claimMatch: "OIDC claims",
  staticKeys: "Static keys",
  awsIdentity: "AWS",
  servicePrincipal: "Platform service",
};

export const typeWord = (identity: Identity): string => {
  if (isPerson(identity.uid)) return "Person";
  const { claimMatch } = identity;
  if (isClient(identity) || (claimMatch && isMachineClient(claimMatch.issuer, claimMatch.subject)))
    return "Client credentials";
  if (claimMatch && readGitHub(claimMatch)) return "GitHub Actions";
  const relationship = relationshipOf(identity);
  return relationship ? TYPES[relationship] : "Other";
};

/** What the platform's services do. */
const SERVICES: Readonly<Record<string, string>> = {
  SERVICE_PRINCIPAL_COSIGNED: "image signing",
  SERVICE_PRINCIPAL_INGESTER: "data ingestion",
  SERVICE_PRINCIPAL_CATALOG_SYNCER: "catalog syncing",
  SERVICE_PRINCIPAL_APKO_BUILDER: "image building",
  SERVICE_PRINCIPAL_ENTITLEMENT_SYNCER: "entitlement syncing",
  SERVICE_PRINCIPAL_TENANT_SCANNER: "tenant scanning",
  SERVICE_PRINCIPAL_SEDIMENTOLOGY: "data analysis",
  SERVICE_PRINCIPAL_SKILLUP: "repository skill fixing",
  SERVICE_PRINCIPAL_MATERIALIZER: "solution materializing",
  SERVICE_PRINCIPAL_MICROFLOW: "CI workflows in micro-VMs",
  SERVICE_PRINCIPAL_GUARDENER: "GitHub automation",
  SERVICE_PRINCIPAL_MICROVM: "ephemeral sandboxes",
  SERVICE_PRINCIPAL_SKILLS: "skill hardening",
};

/** Formats `SERVICE_PRINCIPAL_CATALOG_SYNCER` as "catalog syncer". Also works for values from a newer service. */
const serviceWord = (principal: string): string =>
  principal
    .replace(/^SERVICE_PRINCIPAL_/, "")
    .toLowerCase()
    .replaceAll("_", " ");

/** Adds the purpose: "catalog syncer (catalog syncing)". */
export function serviceLabel(principal: string): string {
  const purpose = SERVICES[principal];
  return purpose === undefined ? serviceWord(principal) : `${serviceWord(principal)} (${purpose})`;
}

export interface Matches {
  /** What distinguishes this identity from others of its type. */
  readonly text: string;
  /** The full text, if `text` is shortened. */
  readonly whole?: string;
  /** How to read the text if it is not compared exactly. */
  readonly note?: string;
}

const NOTHING: Matches = { text: "" };

/** Describes what an identity matches, in one line. */
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
  // Names can be taken over, ids cannot.
  if (github) return { text: githubLine(github), whole, ...(github.withoutIds && { note: "without ids" }) };
  const more = Object.keys({ ...exact, ...claimPatterns }).length;
  const notes = [
    subject === undefined && subjectPattern !== undefined ? "pattern" : "",
    more === 0 ? "" : more === 1 ? "and a claim" : `and ${more} claims`,
  ];
  const note = notes.filter(Boolean).join(", ");
  return { text: whole, ...(note && { note }) };
}

/** Distinguishes a person: by email, or else by subject. */
export const emailOrSubject = ({ email, emailUnverified, claimMatch }: Identity): string =>
  email || emailUnverified || claimMatch?.subject || "";
