import type { Identity, IdentityInput } from "platform-contract/iam/identities";

import { emptyPreset, presetRule, type PresetValues } from "./presets/fill";
import { emptyGitHub, GITHUB_ISSUER, githubSubject, readGitHub, type GitHubValues } from "./github";
import { relationshipOf, RELATIONSHIPS } from "./words";

/** "github" and "preset" also produce claims; "other" is a relationship that only a newer service knows. */
export type FormKind = "github" | "preset" | "claims" | "keys" | "aws" | "service" | "other";
/** Each map is a single path in an update mask. */
export const MAPS: readonly string[] = ["claimMatch.claims", "claimMatch.claimPatterns"];

/** How to compare a text: selects one of two members of a oneof. */
export type By = "exact" | "pattern";

/** The form's fields. */
export interface IdentityValues {
  name: string;
  description: string;
  kind: FormKind;
  github: GitHubValues;
  preset: PresetValues;
  claimMatch: {
    issuerBy: By;
    issuer: string;
    subjectBy: By;
    subject: string;
    audienceBy: By;
    audience: string;
    claims: Record<string, string>;
    claimPatterns: Record<string, string>;
  };
  staticKeys: { issuer: string; subject: string; issuerKeys: string; expires: string; audience: string };
  awsIdentity: { awsAccount: string; arnBy: By; arn: string; userIdBy: By; userId: string };
  servicePrincipal: string;
}

export const emptyIdentity: IdentityValues = {
  name: "",
  description: "",
  kind: "github",
  github: emptyGitHub,
  preset: emptyPreset,
  claimMatch: {
    issuerBy: "exact",
    issuer: "",
    subjectBy: "exact",
    subject: "",
    audienceBy: "exact",
    audience: "",
    claims: {},
    claimPatterns: {},
  },
  staticKeys: { issuer: "", subject: "", issuerKeys: "", expires: "", audience: "" },
  awsIdentity: { awsAccount: "", arnBy: "exact", arn: "", userIdBy: "pattern", userId: "" },
  servicePrincipal: "",
};

type ClaimMatch = NonNullable<Identity["claimMatch"]>;

const either = (exact: string | undefined, pattern: string | undefined): [By, string] =>
  exact === undefined && pattern !== undefined ? ["pattern", pattern] : ["exact", exact ?? ""];

function fromClaims(match: ClaimMatch): IdentityValues["claimMatch"] {
  const [issuerBy, issuer] = either(match.issuer, match.issuerPattern);
  const [subjectBy, subject] = either(match.subject, match.subjectPattern);
  const [audienceBy, audience] = either(match.audience, match.audiencePattern);
  const { claims = {}, claimPatterns = {} } = match;
  return { issuerBy, issuer, subjectBy, subject, audienceBy, audience, claims, claimPatterns };
}

function fromAws(aws: NonNullable<Identity["awsIdentity"]>): IdentityValues["awsIdentity"] {
  const [arnBy, arn] = either(aws.arn, aws.arnPattern);
  const [userIdBy, userId] = either(aws.userId, aws.userIdPattern);
  return { awsAccount: aws.awsAccount, arnBy, arn, userIdBy, userId };
}

const KINDS = {
  claimMatch: "claims",
  staticKeys: "keys",
  awsIdentity: "aws",
  servicePrincipal: "service",
} as const;

/** Returns the form's values for a stored identity, or for a new one. */
export function fromIdentity(identity: Identity | undefined): IdentityValues {
  if (!identity) return emptyIdentity;
  const { name, description = "", claimMatch, staticKeys, awsIdentity, servicePrincipal = "" } = identity;
  const github = claimMatch && readGitHub(claimMatch);
  const relationship = relationshipOf(identity);
  const values: IdentityValues = { ...emptyIdentity, name, description, servicePrincipal };
  values.kind = github ? "github" : relationship ? KINDS[relationship] : "other";
  if (github) values.github = github;
  if (claimMatch) values.claimMatch = fromClaims(claimMatch);
  if (staticKeys) {
    const { issuer, subject, issuerKeys, expirationTime, audiences = [] } = staticKeys;
    values.staticKeys = {
      issuer,
      subject,
      issuerKeys,
      expires: expirationTime ?? "",
      audience: audiences.join(" "),
    };
  }
  if (awsIdentity) values.awsIdentity = fromAws(awsIdentity);
  return values;
}

/** Returns `{key: value}`, or {} if the text is empty: the API has no empty text. */
const text = (key: string, value: string): Record<string, string> =>
  value.trim() === "" ? {} : { [key]: value.trim() };
const oneof = (key: string, by: By, value: string) => text(by === "exact" ? key : `${key}Pattern`, value);

const map = (key: string, values: Record<string, string>) =>
  Object.keys(values).length === 0 ? {} : { [key]: values };

function claimMatchOf({ kind, github, claimMatch }: IdentityValues): ClaimMatch {
  const { issuerBy, issuer, subjectBy, subject, audienceBy, audience, claims, claimPatterns } = claimMatch;
  if (kind === "github")
    return { issuer: GITHUB_ISSUER, ...githubSubject(github), ...text("audience", audience) };
  return {
    ...oneof("issuer", issuerBy, issuer),
    ...oneof("subject", subjectBy, subject),
    ...oneof("audience", audienceBy, audience),
    ...map("claims", claims),
    ...map("claimPatterns", claimPatterns),
  };
}

function relationshipBody(values: IdentityValues): Partial<IdentityInput> {
  const { kind, staticKeys, awsIdentity, servicePrincipal } = values;
  if (kind === "preset") return presetRule(values.preset, values.claimMatch.audience);
  if (kind === "github" || kind === "claims") return { claimMatch: claimMatchOf(values) };
  if (kind === "keys") {
    const { issuer, subject, issuerKeys, expires, audience } = staticKeys;
    const audiences = audience.split(/\s+/).filter(Boolean);
    const keys = {
      ...text("issuer", issuer),
      ...text("subject", subject),
      ...text("issuerKeys", issuerKeys),
      ...text("expirationTime", expires),
      ...(audiences.length > 0 && { audiences }),
    };
    return { staticKeys: keys as NonNullable<IdentityInput["staticKeys"]> };
  }
  if (kind === "aws") {
    const { awsAccount, arnBy, arn, userIdBy, userId } = awsIdentity;
    const aws = {
      ...text("awsAccount", awsAccount),
      ...oneof("arn", arnBy, arn),
      ...oneof("userId", userIdBy, userId),
    };
    return { awsIdentity: aws as NonNullable<IdentityInput["awsIdentity"]> };
  }
  return kind === "service" ? text("servicePrincipal", servicePrincipal) : {};
}

/** Builds the request body, with texts trimmed. Omits empty fields, so it can be incomplete. */
export const toBody = (values: IdentityValues): IdentityInput => ({
  name: values.name.trim(),
  ...text("description", values.description),
  ...relationshipBody(values),
});

/** Converts a preset's result to the raw rule, for further editing. */
export function asRaw(values: IdentityValues): IdentityValues {
  const { claimMatch, awsIdentity } = relationshipBody(values);
  if (awsIdentity) return { ...values, kind: "aws", awsIdentity: fromAws(awsIdentity) };
  return claimMatch ? { ...values, kind: "claims", claimMatch: fromClaims(claimMatch) } : values;
}

const MEMBERS: Readonly<Record<FormKind, string | undefined>> = {
  github: "claimMatch",
  preset: "claimMatch",
  claims: "claimMatch",
  keys: "staticKeys",
  aws: "awsIdentity",
  service: "servicePrincipal",
  other: undefined,
};

/** The member of the oneof `relationship` that the form writes; undefined if unknown. */
export const memberOf = ({ kind, preset }: Pick<IdentityValues, "kind" | "preset">): string | undefined =>
  kind === "preset" && preset.provider === "aws" ? "awsIdentity" : MEMBERS[kind];

/** Paths that an update replaces as a whole: maps, and the sign-in rule if its kind changes. */
export const leavesOf = (before: IdentityInput, after: IdentityInput): readonly string[] =>
  RELATIONSHIPS.every((member) => (before[member] === undefined) === (after[member] === undefined))
    ? MAPS
    : [...MAPS, ...RELATIONSHIPS];
