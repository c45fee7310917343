import type { Identity } from "platform-contract/iam/identities";
import type { FieldViolation } from "platform-contract/status";
import { renamed } from "~/ui/form/problems";
import type { OpenedRecord } from "~/frame/form/use-record-form";

import { presetProblems } from "./presets/fill";
import { hasRef } from "./github";
import type { FormKind, IdentityValues } from "./values";

/** Why this is not a branch or tag name (git-check-ref-format); undefined if it is one. `*` is allowed. */
export function refProblem(ref: string): string | undefined {
  if (ref.startsWith("refs/")) return "Enter only the name: main, not refs/heads/main";
  const wrong = /[\s~^:?[\\\p{Cc}]|\.\.|\/\/|@\{|^[/.]|[/.]$/u.exec(ref);
  return wrong ? "Git doesn't allow this name" : undefined;
}

const DAY_MS = 24 * 60 * 60_000;
/** Static keys live at most a year from the creation of their identity. */
const LIFE_DAYS = 365;

/** The latest allowed expiry of static keys. */
export const latestExpiry = (createTime: string | undefined, now: number): Date =>
  new Date((createTime === undefined ? now : Date.parse(createTime)) + LIFE_DAYS * DAY_MS);

type Needed = readonly [field: string, value: string, ifEmpty: string];

function needed({ kind, github, claimMatch, staticKeys, awsIdentity, ...values }: IdentityValues): Needed[] {
  switch (kind) {
    case "github": {
      const { trust, refs, withoutIds } = github;
      return [
        ["github.owner", github.owner, "Enter the owner"],
        ["github.repository", github.repository, "Enter the repository"],
        ...(withoutIds
          ? []
          : ([
              ["github.ownerId", github.ownerId, "Enter the owner's id"],
              ["github.repositoryId", github.repositoryId, "Enter the repository's id"],
            ] as const)),
        ...(hasRef(trust) ? [[`github.refs.${trust}`, refs[trust], `Enter the ${trust}`] as const] : []),
      ];
    }
    case "claims":
      return [
        ["claimMatch.issuer", claimMatch.issuer, "Enter the issuer"],
        ["claimMatch.subject", claimMatch.subject, "Enter the subject"],
      ];
    case "keys":
      return [
        ["staticKeys.issuer", staticKeys.issuer, "Enter the issuer"],
        ["staticKeys.subject", staticKeys.subject, "Enter the subject"],
        ["staticKeys.issuerKeys", staticKeys.issuerKeys, "Paste the public keys"],
      ];
    case "aws":
      return [
        ["awsIdentity.awsAccount", awsIdentity.awsAccount, "Enter the account number"],
        ["awsIdentity.arn", awsIdentity.arn, "Enter the ARN"],
        ["awsIdentity.userId", awsIdentity.userId, "Enter the user id"],
      ];
    case "service":
      return [["servicePrincipal", values.servicePrincipal, "Choose a service"]];
    case "preset":
    case "other":
      return [];
  }
}

/** Returns problems beyond the contract's own rules. Values that an edit leaves unchanged don't block it. */
export function problems(
  values: IdentityValues,
  before?: OpenedRecord<Identity, IdentityValues>,
  now = Date.now(),
): FieldViolation[] {
  const { kind, name, github, claimMatch, staticKeys } = values;
  const found: FieldViolation[] = needed(values).flatMap(([field, value, description]) =>
    value.trim() === "" ? [{ field, description }] : [],
  );
  const add = (field: string, description: string | undefined | false) => {
    if (description) found.push({ field, description });
  };
  const strange = [...new Set(name.trim().match(/[^a-z0-9 ._-]/gu))];
  if (name !== before?.values.name)
    add("name", strange.length > 0 && `Not allowed in a name: ${strange.join(" ")}`);
  if (kind === "github") {
    for (const part of ["owner", "repository"] as const)
      add(
        `github.${part}`,
        /[^A-Za-z0-9._-]/.test(github[part].trim()) && `Enter only the ${part} name, as in its URL`,
      );
    for (const part of ["ownerId", "repositoryId"] as const)
      add(`github.${part}`, !github.withoutIds && !/^\d+$/.test(github[part].trim()) && "Use digits only");
    const { trust, refs } = github;
    if (trust === "branch" || trust === "tag") add(`github.refs.${trust}`, refProblem(refs[trust].trim()));
  }
  if (kind === "preset") found.push(...presetProblems(values.preset));
  if (kind === "claims")
    for (const map of ["claims", "claimPatterns"] as const)
      add(`claimMatch.${map}`, Object.values(claimMatch[map]).includes("") && "Enter a value for each claim");
  if (kind === "keys") {
    const { issuerKeys, expires } = staticKeys;
    const was = before?.values.staticKeys;
    if (issuerKeys.trim() !== "" && issuerKeys !== was?.issuerKeys)
      add("staticKeys.issuerKeys", keysProblem(issuerKeys));
    const end = Date.parse(expires);
    if (expires !== "" && expires !== was?.expires) {
      add("staticKeys.expires", Number.isNaN(end) && "Enter a date and time");
      add("staticKeys.expires", end <= now && "Choose a time in the future");
      const latest = latestExpiry(before?.record.createTime, now).getTime();
      add("staticKeys.expires", end > latest && `At most ${LIFE_DAYS} days after creation`);
    }
  }
  return found;
}

/** Members that only private or symmetric keys have (RFC 7518, section 6). */
const PRIVATE = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/** Why a text is not a JWKS document (RFC 7517) of public keys; undefined if no problem was found. */
export function keysProblem(text: string): string | undefined {
  let keys: unknown;
  try {
    keys = Object(JSON.parse(text)).keys;
  } catch {
    return "Enter valid JSON";
  }
  if (!Array.isArray(keys)) return 'A JWKS document needs a "keys" list';
  if (keys.length === 0) return 'The list "keys" is empty';
  const objects = keys.filter(
    (key): key is object => typeof key === "object" && key !== null && !Array.isArray(key),
  );
  if (objects.length < keys.length) return "Each key must be an object";
  // Reported before anything is sent: a private key that leaves the machine is compromised.
  if (objects.some((key) => PRIVATE.some((member) => member in key) || Object(key).kty === "oct"))
    return "This contains a private key. Paste only the public keys, and replace the private key if it was shared.";
  return undefined;
}

const patterns = (at: string, members: readonly string[]) =>
  Object.fromEntries(members.map((member) => [`${at}.${member}Pattern`, `${at}.${member}`]));

const FIELDS: Readonly<Record<FormKind, Readonly<Record<string, string>>>> = {
  github: {
    "claimMatch.subject": "github.repository",
    "claimMatch.subjectPattern": "github.repository",
  },
  preset: { claimMatch: "preset.provider", awsIdentity: "preset.provider" },
  claims: patterns("claimMatch", ["issuer", "subject", "audience"]),
  keys: { "staticKeys.expirationTime": "staticKeys.expires", "staticKeys.audiences": "staticKeys.audience" },
  aws: patterns("awsIdentity", ["arn", "userId"]),
  // The API reports a missing relationship as a violation of the oneof's first member.
  service: { claimMatch: "servicePrincipal" },
  other: {},
};

/** Maps an API path to the form's field name, where these differ for the current kind. */
export function formField(path: string, { kind }: Pick<IdentityValues, "kind">): string {
  return renamed(path, FIELDS[kind]);
}
