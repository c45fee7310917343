import { exportJWK, generateKeyPair } from "jose";
import type { AdapterPayload, Configuration, Provider } from "oidc-provider";

import { loadPackage } from "../platform/oidc/load";
import { closeServer, listen, type Secured } from "./site";

export interface UpstreamIssuer {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Allows this redirect URI. */
  register(redirectUri: string): Promise<void>;
  /** The person who signs in next, with all their claims; `sub` identifies them. */
  person: Readonly<Record<string, unknown>> & { readonly sub: string };
  /** Claims that only userinfo returns. */
  inUserinfo: boolean;
  /** The client authentication method, of the two that are advertised. */
  proof: "client_secret_basic" | "client_secret_post";
  /** Switches to another signing key. */
  rotate(): Promise<void>;
  /** While set, responds only with errors. */
  down: boolean;
  /** Responses that replace its own, by path. */
  readonly instead: Map<string, unknown>;
  stop(): Promise<void>;
}

/** A company's OpenID issuer: `oidc-provider` with a client with a secret, and people by name. */
export async function startUpstream(secured?: Secured): Promise<UpstreamIssuer> {
  const { Provider: Make } = await loadPackage();
  const redirects: string[] = [];
  let provider: Provider | undefined;
  let key = await signingKey();

  const { server, url } = await listen((request, response) => {
    const [path = ""] = (request.url ?? "").split("?");
    if (issuer.down) return void response.writeHead(503).end();
    if (issuer.instead.has(path)) {
      response.writeHead(200, { "content-type": "application/json" });
      return void response.end(JSON.stringify(issuer.instead.get(path)));
    }
    if (!provider) return void response.writeHead(404).end();
    // No page: signs in the person that the test has set.
    if (path.startsWith("/login/"))
      return void provider.interactionFinished(request, response, {
        login: { accountId: issuer.person.sub },
      });
    provider.callback()(request, response);
  }, secured);

  function start(): void {
    provider = new Make(
      url,
      configuration(key, redirects, () => issuer),
    );
  }

  const issuer: UpstreamIssuer = {
    url,
    clientId: "platform",
    clientSecret: "the secret that both know",
    person: { sub: "ada", email: "ada@acme.example", email_verified: true, name: "Ada" },
    inUserinfo: false,
    proof: "client_secret_basic",
    down: false,
    instead: new Map(),
    async register(redirectUri) {
      redirects.push(redirectUri);
      start();
    },
    async rotate() {
      key = await signingKey();
      start();
    },
    stop: () => closeServer(server),
  };
  start();
  return issuer;
}

async function signingKey() {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  return { ...(await exportJWK(privateKey)), use: "sig", alg: "RS256", kid: crypto.randomUUID() };
}

const HOUR_S = 3_600;

/** Stores the provider's records of all kinds until it stops. */
function memory(): NonNullable<Configuration["adapter"]> {
  const kept = new Map<string, AdapterPayload>();
  return (kind: string) => {
    const key = (id: string) => `${kind} ${id}`;
    return {
      upsert: async (id, payload) => void kept.set(key(id), payload),
      find: async (id) => kept.get(key(id)),
      findByUid: async (uid) => [...kept.values()].find((one) => one.uid === uid),
      findByUserCode: async () => undefined,
      consume: async (id) => void Object.assign(kept.get(key(id)) ?? {}, { consumed: 1 }),
      destroy: async (id) => void kept.delete(key(id)),
      revokeByGrantId: async () => {},
    };
  };
}

const configuration = (
  key: Awaited<ReturnType<typeof signingKey>>,
  redirects: readonly string[],
  issuer: () => UpstreamIssuer,
): Configuration => ({
  adapter: memory(),
  jwks: { keys: [key] },
  clients: [
    {
      client_id: issuer().clientId,
      client_secret: issuer().clientSecret,
      token_endpoint_auth_method: issuer().proof,
      redirect_uris: redirects.length > 0 ? [...redirects] : [`${issuer().url}/nowhere`],
    },
  ],
  scopes: ["openid", "email", "profile", "groups"],
  claims: {
    openid: ["sub", "oid"],
    email: ["email", "email_verified"],
    profile: ["name"],
    groups: ["groups"],
  },
  conformIdTokenClaims: issuer().inUserinfo,
  cookies: {
    keys: ["of the company"],
    names: { session: "company", interaction: "visit", resume: "resume" },
  },
  interactions: { url: (_ctx, { uid }) => `/login/${uid}` },
  ttl: {
    AccessToken: HOUR_S,
    AuthorizationCode: 60,
    Grant: HOUR_S,
    IdToken: HOUR_S,
    Interaction: HOUR_S,
    Session: HOUR_S,
  },
  features: { devInteractions: { enabled: false } },
  findAccount: (_ctx, accountId) => ({
    accountId,
    claims: async () => ({ ...issuer().person, sub: accountId }),
  }),
  async loadExistingGrant({ oidc }) {
    const grant = new oidc.provider.Grant({
      clientId: oidc.client?.clientId ?? "",
      accountId: oidc.session?.accountId ?? "",
    });
    grant.addOIDCScope("openid email profile groups");
    await grant.save();
    return grant;
  },
});
