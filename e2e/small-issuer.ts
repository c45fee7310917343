import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { generateKeyPairSync } from "node:crypto";
import type { Provider } from "oidc-provider";

export interface SmallIssuer {
  /** The issuer, without a trailing slash. */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * A certified OpenID provider, but without refresh tokens, revocation or end-session endpoint. It immediately signs
 * everyone in as Ada. Its access tokens live ten minutes, for `audience`.
 */
export async function startSmallIssuer(options: {
  readonly audience: () => string;
  readonly consoles: readonly string[];
}): Promise<SmallIssuer> {
  let answer: (request: IncomingMessage, response: ServerResponse) => unknown = () => undefined;
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = await quietly(() => createProvider(url, options));
  const byProvider = provider.callback();
  answer = (request, response) => {
    if (!request.url?.startsWith("/interaction/")) return byProvider(request, response);
    const login = { accountId: "ada", remember: true };
    return provider.interactionFinished(request, response, { login }, { mergeWithLastSubmission: false });
  };
  return {
    url,
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function createProvider(
  url: string,
  { audience, consoles }: { readonly audience: () => string; readonly consoles: readonly string[] },
): Promise<Provider> {
  const key = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
  const { Provider } = await import("oidc-provider");
  return new Provider(url, {
    jwks: { keys: [{ ...key, alg: "ES256", use: "sig" }] },
    cookies: { keys: ["small"], names: { session: "small_session" } },
    clients: [
      {
        client_id: "console",
        token_endpoint_auth_method: "none",
        id_token_signed_response_alg: "ES256",
        redirect_uris: [...consoles],
        grant_types: ["authorization_code"],
        response_types: ["code"],
      },
    ],
    scopes: ["openid", "profile"],
    clientBasedCORS: () => true,
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub, name: "Ada Lovelace" }) }),
    async loadExistingGrant({ oidc }) {
      const { session, client } = oidc;
      if (!session?.accountId || !client) return undefined;
      const grant = new oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope("openid profile");
      await grant.save();
      return grant;
    },
    ttl: { AccessToken: 600, IdToken: 600, Session: 3600, Grant: 3600, Interaction: 600 },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: audience,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: "",
          audience: audience(),
          accessTokenFormat: "jwt",
          accessTokenTTL: 600,
          jwt: { sign: { alg: "ES256" } },
        }),
      },
    },
  });
}

/** Suppresses its warnings about Node 20 and memory, which would clutter the test output. */
async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const { warn } = console;
  console.warn = () => undefined;
  try {
    return await work();
  } finally {
    console.warn = warn;
  }
}
