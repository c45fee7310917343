import { createHash } from "node:crypto";
import type {
  AdapterFactory,
  ClientMetadata,
  Configuration,
  errors,
  interactionPolicy,
  KoaContextWithOIDC,
  ErrorOut,
} from "oidc-provider";
import { READ_ONLY } from "platform-contract/sts/read-only";

import type { Config } from "../../config";
import type { Database } from "../store/database";
import { PENDING } from "../../domains/federation/pending-accounts.table";
import { findVisitor } from "./accounts";
import { commandClient, isForCommand, withCommandSignIn } from "./command-client";
import type { Cookies } from "./cookies";
import { isTooLittle, withSecondFactors } from "./factors/requirement";
import type { Keys } from "./keys";
import { confirmSignOutPage, errorPage, signedOutPage } from "./pages";
import { signOut } from "./sign-out";
import type { Site } from "./site";

/** Maximum characters of an address to repeat on a page: any site can choose it. */
const LONGEST_ADDRESS = 300;

/** Text of the error page for a client's failed request. `detail` is for that client's developer or operator. */
function explain(
  ctx: KoaContextWithOIDC,
  { error, error_description: description }: ErrorOut,
): { title: string; message: string; detail: Record<string, string> } {
  if (ctx.status >= 500)
    return {
      title: "Something went wrong",
      message: "The sign-in service has a problem. Try again in a moment.",
      detail: { Error: error },
    };
  const detail = { Error: error, ...(description && { Reason: description }) };
  const address = ctx.oidc.params?.["redirect_uri"];
  // A common mistake with a console on a separate host, for which we know the fix.
  if (error === "invalid_redirect_uri" && typeof address === "string")
    return {
      title: "Unknown console",
      message: "An operator can add its address to CONSOLE_URLS.",
      detail: { Address: address.slice(0, LONGEST_ADDRESS), ...detail },
    };
  return {
    title: `This sign-${ctx.path.startsWith("/session/") ? "out" : "in"} can't continue`,
    message: "The request isn't valid. Start again from the console.",
    detail,
  };
}

const DAY_S = 24 * 3600;
const SESSION_S = 14 * DAY_S;
const FEDERATION = "federation";
const SCOPES = ["openid", "email", "profile", "offline_access", READ_ONLY];

function clientsOf({ consoleUrls, federationCallbacks, automationClientSecret }: Config): ClientMetadata[] {
  const console: ClientMetadata = {
    client_id: "console",
    client_name: "Platform Console",
    application_type: "web",
    token_endpoint_auth_method: "none",
    // The base address itself, so that a static host needs no fallback page for the callback.
    redirect_uris: consoleUrls,
    post_logout_redirect_uris: consoleUrls,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
  };
  // Other services whose users sign in here; the operator configured each address.
  const federation: ClientMetadata = {
    client_id: FEDERATION,
    application_type: "web",
    token_endpoint_auth_method: "none",
    redirect_uris: [...federationCallbacks],
    grant_types: ["authorization_code"],
    response_types: ["code"],
  };
  const people = [console, commandClient, ...(federationCallbacks.length > 0 ? [federation] : [])];
  if (automationClientSecret === undefined) return people;
  const automation: ClientMetadata = {
    client_id: "automation",
    client_secret: automationClientSecret,
    token_endpoint_auth_method: "client_secret_basic",
    redirect_uris: [],
    grant_types: ["client_credentials"],
    response_types: [],
  };
  return [...people, automation];
}

/**
 * Returns the only grant of a client in a session. Its id is derived from both, so that two tabs returning together do
 * not create two, of which only the later one would survive.
 */
async function grantOf({ oidc }: KoaContextWithOIDC) {
  const { provider, client, session } = oidc;
  if (!client || !session?.accountId) return undefined;
  const id = createHash("sha256").update(`${session.uid}\n${client.clientId}`).digest("base64url");
  const kept = await provider.Grant.find(id);
  const grant = kept ?? new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.jti = id;
  // First-party clients: signing in implies consent.
  grant.addOIDCScope(SCOPES.join(" "));
  // Each visit extends it to the session's lifetime, which also starts over.
  Reflect.deleteProperty(grant, "exp");
  await grant.save();
  return grant;
}

export interface Parts {
  readonly config: Config;
  readonly site: Site;
  readonly cookies: Cookies;
  readonly database: Database;
  readonly keys: Keys;
  readonly adapter: AdapterFactory;
  readonly refuseTarget: () => errors.OIDCProviderError;
  readonly policy: typeof interactionPolicy;
}

export function configuration({
  config,
  site,
  cookies,
  database,
  keys,
  adapter,
  refuseTarget,
  policy,
}: Parts): Configuration {
  const origins = new Set(config.consoleUrls.map((url) => new URL(url).origin));
  return {
    adapter,
    jwks: { keys: keys.signing },
    clients: clientsOf(config),
    clientAuthMethods: ["none", "client_secret_basic"],
    clientDefaults: { id_token_signed_response_alg: "ES256" },
    enabledJWA: { idTokenSigningAlgValues: ["ES256"] },
    responseTypes: ["code"],
    scopes: SCOPES,
    // `invite`: there is an invite to redeem, which permits sign-up. `idp_hint`: opened for one identity provider.
    extraParams: ["invite", "idp_hint"],
    claims: { openid: ["sub", "amr", "auth_time"], email: ["email", "email_verified"], profile: ["name"] },
    // Puts the claims in the ID token: the console does not use the userinfo endpoint.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    // The command is no web page.
    clientBasedCORS: (_ctx, origin, { clientId }) =>
      origins.has(origin) && !isForCommand({ client_id: clientId }),
    cookies: {
      keys: keys.cookies,
      names: cookies.names,
      long: cookies.lasting,
      short: cookies.short,
    },
    interactions: {
      policy: withCommandSignIn(withSecondFactors(policy, database, config), policy),
      url: (_ctx, { uid }) => `${site.mount}/interaction/${uid}`,
    },

    async findAccount(_ctx, subject, token) {
      const given = token && "amr" in token ? token : undefined;
      const isCode = token?.kind === "AuthorizationCode" || token?.kind === "RefreshToken";
      if (isCode && (await isTooLittle(database, config, subject, given ?? {}))) return undefined;
      const account = await findVisitor(database, subject);
      if (!account) return undefined;
      const { email, name, emailVerified: email_verified } = account;
      return {
        accountId: subject,
        claims: async () => ({
          sub: subject,
          ...(email && { email, email_verified }),
          ...(name && { name }),
        }),
      };
    },
    async extraTokenClaims(ctx, { kind, ...token }) {
      const subject = kind === "AccessToken" && "accountId" in token ? token.accountId : undefined;
      const account = subject === undefined ? undefined : await findVisitor(database, subject);
      if (!account) return undefined;
      const { email, name, pending } = account;
      // RFC 9068, section 2.2.1: as in the ID token.
      const { AuthorizationCode, RefreshToken } = ctx.oidc.entities;
      const { amr, authTime, scopes } = AuthorizationCode ?? RefreshToken ?? {};
      return {
        // Of the sign-in, not of this request: a refresh can ask for fewer scopes, and gets no more rights by that.
        ...(scopes?.has(READ_ONLY) && { [READ_ONLY]: true }),
        ...(amr && { amr }),
        ...(authTime !== undefined && { auth_time: authTime }),
        ...(email && { email }),
        ...(name && { name }),
        ...(pending && { account: PENDING }),
      };
    },
    loadExistingGrant: grantOf,

    rotateRefreshToken: true,
    // oidc-provider drops offline_access for web clients that do not prompt for consent, and the console never does.
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed("refresh_token"),
    expiresWithSession: async () => true,
    ttl: {
      // Functions, because numbers would override the resource server's value.
      AccessToken: () => config.accessTokenTtl,
      ClientCredentials: () => config.accessTokenTtl,
      IdToken: config.accessTokenTtl,
      AuthorizationCode: 60,
      Interaction: 3600,
      Session: SESSION_S,
      Grant: SESSION_S,
      // Rotation keeps the remaining lifetime, so in total it is as long as a session's.
      RefreshToken: ({ oidc }) => oidc.entities.RotatedRefreshToken?.remainingTTL ?? SESSION_S,
    },

    async renderError(ctx, out) {
      ctx.type = "html";
      ctx.body = await errorPage(site, explain(ctx, out));
    },

    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      // For tokens without a resource: those of the API are JWTs for the API alone.
      userinfo: { enabled: true },
      introspection: {
        enabled: config.automationClientSecret !== undefined,
        allowedPolicy: (_ctx, client) => client.clientAuthMethod !== "none",
      },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      clientCredentials: { enabled: config.automationClientSecret !== undefined },
      resourceIndicators: {
        enabled: true,
        // Other services only want to know who somebody is, not to use the API.
        defaultResource: (_ctx, client) => (client?.clientId === FEDERATION ? [] : config.publicUrl),
        useGrantedResource: () => true,
        getResourceServerInfo(_ctx, resource) {
          if (resource.replace(/\/$/, "") !== config.publicUrl) throw refuseTarget();
          return {
            scope: "",
            audience: config.publicUrl,
            accessTokenFormat: "jwt",
            accessTokenTTL: config.accessTokenTtl,
            jwt: { sign: { alg: "ES256" } },
          };
        },
      },
      rpInitiatedLogout: {
        enabled: true,
        async logoutSource(ctx, form) {
          if (await signOut(ctx, database, cookies.lasting)) return;
          ctx.body = await confirmSignOutPage(site, form);
        },
        async postLogoutSuccessSource(ctx) {
          ctx.type = "html";
          ctx.body = await signedOutPage(site);
        },
      },
    },
  };
}
