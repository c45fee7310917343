import { calculateJwkThumbprint, importJWK, type JWK } from "jose";

import { rootOf } from "platform-contract/aip";
import type { FieldViolation } from "platform-contract/status";

import { withoutSlash } from "../../platform/access/issuers";
import { countPatterns, DEFINITION_BYTES } from "../../platform/access/recognition.table";
import { countExact, latestExpiration } from "./identities.table";
import { patternProblem } from "../../platform/access/patterns";
import type { Config } from "../../config";
import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";
import { countAlone } from "../../platform/store/table";
import { isFields, type Fields } from "../../platform/standard/values";

const MOST_KEYS = 20;
/** Longer keys take longer to verify a signature with. */
const RSA_BITS = 4_096;
const EXPONENT_BITS = 32;
const KEY_NAME_BYTES = 200;

/** Members that only private or shared keys have (RFC 7518, section 6). */
const PRIVATE = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/** Algorithm to try for a key that does not state one: importing requires it. */
const algorithmOf = ({ kty, crv, alg }: JWK): string => {
  if (alg !== undefined) return alg;
  if (kty === "RSA") return "RS256";
  if (kty === "OKP") return "EdDSA";
  return { "P-256": "ES256", "P-384": "ES384", "P-521": "ES512" }[crv ?? ""] ?? "";
};

/** Bits of a number in a JWK (RFC 7518, section 2). */
function bitsOf(number: unknown): number {
  const hex = Buffer.from(String(number), "base64url").toString("hex").replace(/^0+/, "");
  return hex === "" ? 0 : hex.length * 4 - Math.clz32(Number.parseInt(hex.charAt(0), 16)) + 28;
}

function memberProblem({ kty, kid, n, e }: JWK): string | undefined {
  if (
    kid !== undefined &&
    (typeof kid !== "string" || kid.includes("\0") || Buffer.byteLength(kid) > KEY_NAME_BYTES)
  )
    return `has a kid that is not text of at most ${KEY_NAME_BYTES} bytes`;
  if (kty !== "RSA") return undefined;
  if (bitsOf(n) > RSA_BITS) return `has more than ${RSA_BITS} bits`;
  if (bitsOf(e) > EXPONENT_BITS) return `has an exponent of more than ${EXPONENT_BITS} bits`;
  return undefined;
}

/** Returns why a text is not a document of public keys (RFC 7517), or undefined. */
async function keysProblem(text: string): Promise<string | undefined> {
  let keys: unknown;
  try {
    keys = Object(JSON.parse(text)).keys;
  } catch {
    return "must be a JWKS document as text: it is not JSON";
  }
  if (!Array.isArray(keys) || keys.length === 0) return 'must be a JWKS document with a list "keys"';
  if (keys.length > MOST_KEYS) return `must have at most ${MOST_KEYS} keys`;
  const seen = new Set<string>();
  const given: readonly (JWK | null)[] = keys;
  for (const [index, key] of given.entries()) {
    if (typeof key !== "object" || key === null) return `key ${index} is not an object`;
    if (key.kty === "oct" || PRIVATE.some((member) => member in key))
      return `key ${index} is not a public key; never share a private key`;
    const problem = memberProblem(key);
    if (problem !== undefined) return `key ${index} ${problem}`;
    try {
      await importJWK(key, algorithmOf(key));
      const thumbprint = await calculateJwkThumbprint(key);
      if (seen.has(thumbprint)) return `key ${index} appears twice`;
      seen.add(thumbprint);
    } catch {
      return `key ${index} cannot be used to verify a signature`;
    }
  }
  return undefined;
}

const MOST_CLAIMS = 20;
/** Maximum identities per organization with equal issuer and subject, or by pattern: tokens are compared with all. */
const MOST_ALIKE = 10;
const MOST_PATTERNS = 1_000;

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

function patternViolations(at: string, fields: Fields, names: readonly string[]): FieldViolation[] {
  return names.flatMap((name) => {
    const pattern = textOf(fields[name]);
    const problem = pattern === undefined ? undefined : patternProblem(pattern);
    return problem === undefined ? [] : [{ field: `${at}.${name}`, description: problem }];
  });
}

const OWN_ISSUER = "people of this service cannot be matched by claims: invite them, or bind them directly";

function claimViolations({ issuer }: Pick<Config, "issuer">, match: Fields): FieldViolation[] {
  const patterns = fieldsOf(match["claimPatterns"]);
  const names = Object.keys(patterns);
  const found = [
    ...patternViolations("claimMatch", match, ["issuerPattern", "subjectPattern", "audiencePattern"]),
    // If there are too many, skip them: each would have to be compiled.
    ...patternViolations("claimMatch.claimPatterns", patterns, names.length > MOST_CLAIMS ? [] : names),
  ];
  // Otherwise anybody could put a role of theirs, and with it their organization, on somebody who has not accepted it.
  if (withoutSlash(textOf(match["issuer"]) ?? "") === issuer)
    found.push({ field: "claimMatch.issuer", description: OWN_ISSUER });
  if (Buffer.byteLength(JSON.stringify(match)) > DEFINITION_BYTES)
    found.push({
      field: "claimMatch",
      description: `must be at most ${DEFINITION_BYTES} bytes long`,
    });
  for (const name of ["claims", "claimPatterns"])
    if (Object.keys(fieldsOf(match[name])).length > MOST_CLAIMS)
      found.push({
        field: `claimMatch.${name}`,
        description: `must have at most ${MOST_CLAIMS} claims`,
      });
  return found;
}

async function keyViolations(
  { issuer }: Pick<Config, "issuer">,
  keys: Fields,
  previous: Fields | undefined,
): Promise<FieldViolation[]> {
  const found: FieldViolation[] = [];
  const add = (name: string, description: string) => found.push({ field: `staticKeys.${name}`, description });
  if (keys["issuer"] === issuer) add("issuer", "tokens of this service must be signed with its own keys");
  const document = textOf(keys["issuerKeys"]);
  const problem = document === undefined ? undefined : await keysProblem(document);
  if (problem !== undefined) add("issuerKeys", problem);
  const expiration = textOf(keys["expirationTime"]);
  if (expiration === undefined || expiration === fieldsOf(previous?.["staticKeys"])["expirationTime"])
    return found;
  const at = Date.parse(expiration);
  const latest = latestExpiration(previous);
  if (at > latest.getTime())
    add("expirationTime", `must be at most 365 days after creation: ${latest.toISOString()}`);
  if (at <= now().getTime()) add("expirationTime", "must be in the future");
  return found;
}

/** Returns a violation if an organization has the maximum of identities for this issuer, not counting `uid`. */
export async function countViolations(
  queries: Queries,
  uid: string,
  fields: Fields,
): Promise<FieldViolation[]> {
  const [member] = ["claimMatch", "staticKeys"].filter((name) => isFields(fields[name]));
  const { issuer, subject } = fieldsOf(fields[member ?? ""]);
  if (typeof issuer !== "string" || `${issuer}${String(subject)}`.includes("\0")) return [];
  const exact = typeof subject === "string";
  const most = exact ? MOST_ALIKE : MOST_PATTERNS;
  const organization = rootOf(uid);
  await countAlone(queries, organization);
  const others = exact
    ? await countExact(queries, { issuer, subject, organization, except: uid })
    : await countPatterns(queries, { issuer: withoutSlash(issuer), organization, except: uid });
  if (others < most) return [];
  const what = exact ? "this issuer and subject" : "a pattern for this issuer";
  return [
    {
      field: `${member}.issuer`,
      description: `at most ${most} identities of an organization can have ${what}`,
    },
  ];
}

/** Rules for identities that the contract's schema cannot express. Leaves fields of the wrong type to the schema. */
export async function identityViolations(
  config: Pick<Config, "issuer">,
  fields: Fields,
  previous: Fields | undefined,
): Promise<FieldViolation[]> {
  const principal = fields["servicePrincipal"] === "SERVICE_PRINCIPAL_UNSPECIFIED";
  return [
    ...claimViolations(config, fieldsOf(fields["claimMatch"])),
    ...(await keyViolations(config, fieldsOf(fields["staticKeys"]), previous)),
    ...patternViolations("awsIdentity", fieldsOf(fields["awsIdentity"]), ["arnPattern", "userIdPattern"]),
    ...(principal ? [{ field: "servicePrincipal", description: "must name a service" }] : []),
  ];
}
