import { decodeJwt, decodeProtectedHeader } from "jose";

import { trimEndOf, trimStartOf } from "platform-contract/trim";

import type { Trust } from "../issuer-trust";

/** A decoded token, not verified. */
export interface Token {
  readonly issuer: string;
  readonly subject: string;
  readonly audiences: readonly string[];
  readonly claims: Readonly<Record<string, unknown>>;
  /** From the header: the signature algorithm and the key id. */
  readonly algorithm: string;
  readonly keyId: string | undefined;
}

/** Why the service refuses a token, independent of identities. */
export interface Problem {
  readonly title: string;
  readonly text: string;
  /** True if it doesn't apply to identities with static keys. */
  readonly butStaticKeys?: boolean;
}

/** `token` is missing if there is nothing to compare. */
export interface TokenReading {
  readonly token?: Token;
  readonly problems: readonly Problem[];
}

/** Strips what can surround a copied token: header name, scheme, quotes, line breaks of a terminal. */
export function bare(text: string): string {
  const token = text
    .trim()
    .replace(/^authorization:\s*/i, "")
    .replace(/^bearer\s+/i, "");
  return trimEndOf(trimStartOf(token, "\"'`"), "\"'`,;").replaceAll(/\s+/g, "");
}

const unreadable = (title: string, text: string): TokenReading => ({ problems: [{ title, text }] });

const NOT_JWT = "This isn't a JWT";

/** Decodes a token and checks what is possible without keys. `now` is in ms. Doesn't store or log the token. */
export function readToken(text: string, trust: Trust, now: number): TokenReading {
  const jwt = bare(text);
  const parts = jwt.split(".");
  if (parts.length === 5 && headerOf(jwt)?.["enc"] !== undefined)
    return unreadable(
      "This token is encrypted",
      "It is a JWE, which only its recipient can read. The platform accepts signed tokens (JWS), which have three parts instead of five. Ask the issuer for a signed, unencrypted token.",
    );
  if (parts.length !== 3)
    return unreadable(
      NOT_JWT,
      `A JWT has three parts separated by dots. This text has ${parts.length === 1 ? "one part" : `${parts.length} parts`}. It may be cut off, or a different kind of access token.`,
    );
  const header = headerOf(jwt);
  if (!header)
    return unreadable(NOT_JWT, "Its first part doesn't decode to a JSON object. It may be cut off.");
  let claims: Token["claims"];
  try {
    claims = decodeJwt(jwt);
  } catch {
    return unreadable(NOT_JWT, "Its second part doesn't decode to a JSON object. It may be cut off.");
  }
  const { alg, kid } = header;
  const { iss, sub, aud = [] } = claims;
  const algorithm = typeof alg === "string" ? alg : "";
  const problems = [...signatureProblems(parts[2] ?? "", algorithm), ...timeProblems(claims, now)];
  if (typeof iss !== "string" || typeof sub !== "string" || iss === "" || sub === "") {
    const lacks = typeof iss === "string" && iss !== "" ? "sub (subject)" : "iss (issuer)";
    const problem = {
      title: `The token has no ${lacks} claim`,
      text: "The platform needs both issuer and subject, as strings.",
    };
    return { problems: [problem, ...problems] };
  }
  return {
    token: {
      issuer: iss,
      subject: sub,
      audiences: [aud].flat().filter((each): each is string => typeof each === "string"),
      claims,
      algorithm,
      keyId: typeof kid === "string" ? kid : undefined,
    },
    problems: [...issuerProblems(iss, trust), ...subjectProblems(sub), ...problems],
  };
}

/** Maximum length in bytes of a subject that the service accepts. */
const SUBJECT_BYTES = 1_000;

const subjectProblems = (subject: string): Problem[] =>
  subject.includes("\0") || new TextEncoder().encode(subject).length > SUBJECT_BYTES
    ? [
        {
          title: "The subject is too long",
          text: `The platform accepts subjects of at most ${SUBJECT_BYTES.toLocaleString("en")} bytes, without null characters.`,
        },
      ]
    : [];

function headerOf(jwt: string): Record<string, unknown> | undefined {
  try {
    return decodeProtectedHeader(jwt);
  } catch {
    return undefined;
  }
}

function signatureProblems(signature: string, algorithm: string): Problem[] {
  if (signature !== "" && /^(?:[RP]S|ES)(?:256|384|512)$|^EdDSA$|^Ed25519$/.test(algorithm)) return [];
  if (signature === "" || algorithm === "none")
    return [{ title: "The token isn't signed", text: "The platform accepts only signed tokens." }];
  return [
    {
      title: `The token is signed with ${algorithm || "an unknown algorithm"}`,
      text: "The platform accepts only signatures made with a private key, such as RS256, ES256 or EdDSA.",
    },
  ];
}

/** Allowed clock skew in seconds. */
const TOLERANCE = 10;

/** Converts a time claim to ms; undefined if invalid. */
export const timeOf = (claim: unknown): number | undefined =>
  typeof claim === "number" && Number.isFinite(claim) && Math.abs(claim) < 8.64e12 ? claim * 1000 : undefined;

const utc = (time: number): string => `${new Date(time).toISOString().slice(0, 19).replace("T", " ")} UTC`;

function timeProblems({ exp, nbf }: Token["claims"], now: number): Problem[] {
  const [end, begin] = [timeOf(exp), timeOf(nbf)];
  const found: Problem[] = [];
  if (end === undefined)
    found.push({
      title: "The token has no exp (expiry) claim",
      text: "The platform accepts only tokens that expire.",
    });
  else if (end <= now - TOLERANCE * 1000)
    found.push({
      title: "The token has expired",
      text: `It was valid until ${utc(end)}. Get a new one from the issuer.`,
    });
  if (begin !== undefined && begin > now + TOLERANCE * 1000)
    found.push({
      title: "The token isn't valid yet",
      text: `It becomes valid at ${utc(begin)} (its nbf claim). If that has passed, the clock of the issuer or this computer is wrong.`,
    });
  return found;
}

/** Compares an issuer with the trusted ones like the service does, ignoring one trailing slash. */
function issuerProblems(issuer: string, { oidc, trustedIssuers }: Trust): Problem[] {
  if (trustedIssuers === undefined) return [];
  const all = [oidc.authority, ...trustedIssuers].map((each) => trimEndOf(each, "/"));
  if (all.includes(issuer.replace(/\/$/, ""))) return [];
  const plain = (text: string) => trimEndOf(text.toLowerCase().replace(/^https?:/, ""), "/");
  const alike = all.find((each) => plain(each) === plain(issuer));
  return [
    {
      title: "The platform doesn't trust this issuer",
      text: alike
        ? `It trusts ${alike}, which is spelled differently. Issuers are compared character by character.`
        : `Tokens from ${issuer} are rejected until a platform operator trusts it.`,
      butStaticKeys: true,
    },
  ];
}
