import { z } from "zod";

import type { FieldViolation } from "platform-contract/status";

import { isRefused, type Outbound } from "../../outbound";
import { errorCode } from "../../reason";

export interface IssuerCheck {
  /** What keeps everybody from signing in. */
  readonly violations: readonly FieldViolation[];
  readonly notes: readonly FieldViolation[];
  readonly issuer?: string;
  readonly signingKeyCount?: number;
  readonly announcesPkce?: boolean;
}

/** Signatures that the sign-in verifies (oauth4webapi), by the type of key. */
const SIGNATURES = {
  RSA: ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  EC: ["ES256", "ES384", "ES512"],
  OKP: ["Ed25519", "EdDSA"],
} as const;
const ALGORITHMS: ReadonlySet<string> = new Set(Object.values(SIGNATURES).flat());

const texts = z.array(z.string()).optional();
/** What is read of a discovery document (OpenID Connect Discovery 1.0, section 3; RFC 8414, section 2). */
const DOCUMENT = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string().optional(),
  token_endpoint: z.string().optional(),
  jwks_uri: z.string().optional(),
  response_types_supported: texts,
  grant_types_supported: texts,
  code_challenge_methods_supported: texts,
  id_token_signing_alg_values_supported: texts,
  scopes_supported: texts,
});
const KEYS = z.object({
  keys: z.array(z.object({ kty: z.string(), use: z.string().optional(), alg: z.string().optional() })),
});
type Key = z.infer<typeof KEYS>["keys"][number];

const verifies = ({ kty, use = "sig", alg }: Key): boolean =>
  kty in SIGNATURES && use === "sig" && (alg === undefined || ALGORITHMS.has(alg));

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|ERR_TLS/;

/** True if a request failed, anywhere below, because of the certificate of the host. */
const isCertificate = (error: unknown): boolean =>
  error instanceof Error &&
  (CERTIFICATE.test(errorCode(error) ?? "") || (error.cause !== undefined && isCertificate(error.cause)));

/** A sentence part about a request that failed; no more than a sign-in tells, but for the host's certificate. */
function unreachable(address: string, error: unknown): string {
  if (isRefused(error)) return `${address} isn't one that this service may reach`;
  if (isCertificate(error)) return `the certificate of ${new URL(address).host} isn't trusted here`;
  return `${address} can't be reached`;
}

/** The JSON at an address, or why there is none. */
async function read<T>(
  send: Outbound,
  address: string,
  form: z.ZodType<T>,
  what: string,
): Promise<{ readonly value: T } | { readonly problem: string }> {
  let response: Response;
  try {
    response = await send(address, { headers: { accept: "application/json" } });
  } catch (error) {
    return { problem: unreachable(address, error) };
  }
  if (response.status !== 200)
    return { problem: `${address} answers with status ${response.status} in place of ${what}` };
  const value = form.safeParse(await response.json().catch(() => undefined));
  return value.success ? { value: value.data } : { problem: `${address} doesn't have ${what}` };
}

/** Where an issuer describes itself (OpenID Connect Discovery 1.0, section 4.1). */
const documentOf = (issuer: string): string => {
  const address = new URL(issuer);
  address.pathname = `${address.pathname}/.well-known/openid-configuration`.replace("//", "/");
  return address.href;
};

/** Tells whether people could sign in with an issuer, as far as what it publishes tells. */
export async function checkIssuer(
  send: Outbound,
  issuer: string,
  additionalScopes: readonly string[],
): Promise<IssuerCheck> {
  const at = (description: string): FieldViolation => ({ field: "oidc.issuer", description });
  const found = await read(send, documentOf(issuer), DOCUMENT, "a discovery document");
  if ("problem" in found) return { violations: [at(found.problem)], notes: [] };
  const document = found.value;
  if (document.issuer !== issuer)
    return {
      violations: [at(`must be ${document.issuer.slice(0, 200)}, as its discovery document says`)],
      notes: [],
      issuer: document.issuer,
    };

  const violations: FieldViolation[] = [];
  const notes: FieldViolation[] = [];
  const {
    response_types_supported: responses = ["code"],
    grant_types_supported: grants = ["authorization_code"],
    code_challenge_methods_supported: challenges = [],
    id_token_signing_alg_values_supported: algorithms = ["RS256"],
    scopes_supported: scopes,
  } = document;
  if (
    !document.authorization_endpoint ||
    !document.token_endpoint ||
    !responses.includes("code") ||
    !grants.includes("authorization_code")
  )
    violations.push(at("doesn't offer the authorization code flow, which sign-in uses"));
  if (!algorithms.some((algorithm) => ALGORITHMS.has(algorithm)))
    violations.push(
      at(
        `signs ID tokens with ${algorithms.join(", ") || "nothing"} only, which this service doesn't verify`,
      ),
    );
  const announcesPkce = challenges.includes("S256");
  if (!announcesPkce)
    notes.push(
      at(
        "doesn't announce PKCE with S256. Sign-in sends it anyway, and most issuers ignore what they don't know",
      ),
    );
  const missing = scopes ? ["openid", ...additionalScopes].filter((scope) => !scopes.includes(scope)) : [];
  if (missing.length > 0)
    notes.push({
      field: "oidc.additionalScopes",
      description: `the issuer doesn't announce ${missing.join(", ")}. It may know more than it announces`,
    });

  const keys = document.jwks_uri
    ? await read(send, document.jwks_uri, KEYS, "signing keys")
    : { problem: "its discovery document names no jwks_uri, where its signing keys would be" };
  if ("problem" in keys)
    return { violations: [...violations, at(keys.problem)], notes, issuer, announcesPkce };
  const signingKeyCount = keys.value.keys.filter(verifies).length;
  if (signingKeyCount === 0)
    violations.push(at(`${document.jwks_uri} has no key that can verify its ID tokens`));
  return { violations, notes, issuer, signingKeyCount, announcesPkce };
}
