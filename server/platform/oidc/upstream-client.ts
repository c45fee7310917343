import {
  allowInsecureRequests,
  AuthorizationResponseError,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
  type ClientAuth,
  type CustomFetch,
} from "openid-client";

import { rootOf } from "platform-contract/aip";

import { privateHostsFor } from "../../addresses";
import type { Config } from "../../config";
import { isRefused, outbound, type Outbound } from "../../outbound";
import { Failure } from "../../status";
import { now } from "../store/clock";
import type { SealedTexts } from "../store/keys/sealed-texts";
import type { Provider } from "../../domains/federation/identity-providers.table";
import { createBackgroundTurns } from "../../turns";
import { Refusal } from "./requests";
import { errorCode } from "../../reason";

/** Failure of a sign-in at a provider; the message is a sentence for the user. `cause` is for the log. */
export class UpstreamFailure extends Refusal {
  constructor(
    { name }: Pick<Provider, "name">,
    message: string,
    override readonly cause?: unknown,
    status = 502,
  ) {
    super(status, `Sign-in with ${name} failed`, message);
  }
}

/**
 * Requests to issuers at the same time, which anyone with a sign-in link can cause; organizations share them, so that one
 * whose issuers hang keeps nobody else from signing in.
 */
const REQUESTS = { atOnce: 64, keepsFree: 8, waiting: 100 };
/** Milliseconds for which an issuer's metadata is cached, and its keys at most. */
const KEPT_MS = 5 * 60_000;
/** Milliseconds to cache a failure: clicks on the sign-in page must not each cause a third-party request. */
const PAUSE_MS = 1_000;
/** Providers that are cached, and those of one organization. */
const MOST = 1_000;
const MOST_OF_ONE = 20;

interface Entry {
  readonly organization: string;
  readonly clients: Promise<Clients>;
  readonly until: number;
}

/** This service as a client of a provider, one per authentication method, best first. */
export type Clients = readonly [best: Configuration, ...others: Configuration[]];

export interface Upstream {
  /** Throws an UpstreamFailure. */
  clients(provider: Provider): Promise<Clients>;
  /** Evicts cached data that turned out to be wrong, such as keys. */
  forget(provider: Provider): void;
}

function unreadable({ name, oidc: { issuer } }: Provider, error: unknown): string {
  if (isRefused(error)) return `The address of ${name} isn't one that this service may reach.`;
  const said: unknown = Object(error).cause?.body?.issuer;
  if (typeof said === "string")
    return `${name} identifies itself as ${said.slice(0, 200)} but is configured here as ${issuer}. Ask an administrator to correct this.`;
  return `${name} can't be reached: its configuration at ${issuer} can't be read. Try again in a moment.`;
}

/** Requests to issuers that tenants name, for a group: its organization has a share of them. */
export function createIssuerRequests(config: Config): (group: string) => Outbound {
  const send = outbound({
    anywhere: config.fetchAnywhere,
    privateHosts: privateHostsFor(config.privateHosts, "issuer"),
  });
  const turns = createBackgroundTurns(REQUESTS);
  return (group) => (address, init) => turns(rootOf(group), () => send(address, init));
}

export function createUpstream(config: Config, texts: SealedTexts, clock = now): Upstream {
  const requests = createIssuerRequests(config);
  const fetchFor = ({ parent }: Provider): CustomFetch => {
    const send = requests(parent);
    return (address, { method, headers, body }) =>
      send(address, { method, headers, body: body as URLSearchParams | undefined });
  };
  const known = new Map<string, Entry>();
  const keyOf = ({ uid, changed, draft = "" }: Provider) => `${uid} ${changed.getTime()} ${draft}`;

  /** Forgets the oldest of the organization if it has many, else the oldest of all. */
  function makeRoom(organization: string): void {
    const own = [...known].filter(([, entry]) => entry.organization === organization);
    const [oldest] = (own.length >= MOST_OF_ONE ? own[0] : undefined) ?? [];
    if (oldest !== undefined) known.delete(oldest);
    else if (known.size >= MOST) known.delete([...known.keys()][0] ?? "");
  }

  async function discovered(provider: Provider) {
    const { issuer, clientId } = provider.oidc;
    try {
      const found = await discovery(new URL(issuer), clientId, undefined, None(), {
        [customFetch]: fetchFor(provider),
        timeout: 10,
        ...(config.fetchAnywhere && { execute: [allowInsecureRequests] }),
      });
      const metadata = found.serverMetadata();
      // An exact match: a multi-tenant issuer, such as Entra's "common", does not belong to one organization.
      if (metadata.issuer !== issuer)
        throw Object.assign(new Error("another issuer"), { cause: { body: metadata } });
      return metadata;
    } catch (error) {
      throw new UpstreamFailure(provider, unreadable(provider, error), error);
    }
  }

  async function make(provider: Provider): Promise<Clients> {
    const { uid, sealed, oidc } = provider;
    const secret = sealed === null ? undefined : await texts.unseal(uid, sealed);
    if (sealed === null ? !oidc.pkceEnabled : secret === undefined)
      throw new UpstreamFailure(
        provider,
        `The client secret of ${provider.name} is missing here. Ask an administrator to enter it again.`,
      );
    const metadata = await discovered(provider);
    const methods = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const proved = (proof: ClientAuth): Configuration => {
      const client = new Configuration(metadata, oidc.clientId, undefined, proof);
      client[customFetch] = fetchFor(provider);
      client.timeout = 10;
      if (config.fetchAnywhere) allowInsecureRequests(client);
      enableNonRepudiationChecks(client);
      return client;
    };
    if (!secret) return [proved(None())];
    // An issuer can allow one method per client yet advertise both, or misread the escaping in client_secret_basic.
    const basic = methods.includes("client_secret_basic") ? [ClientSecretBasic(secret)] : [];
    const post = methods.includes("client_secret_post") ? [ClientSecretPost(secret)] : [];
    const [best = ClientSecretPost(secret), ...others] = [...basic, ...post];
    return [proved(best), ...others.map(proved)];
  }

  return {
    clients(provider) {
      const key = keyOf(provider);
      const before = known.get(key);
      if (before && before.until > clock().getTime()) return before.clients;
      const organization = rootOf(provider.parent);
      const clients = make(provider);
      const entry = { organization, clients, until: clock().getTime() + KEPT_MS };
      known.delete(key);
      makeRoom(organization);
      known.set(key, entry);
      clients.catch(() => {
        // After `forget`, the entry may be a newer lookup's.
        if (known.get(key) === entry) known.set(key, { ...entry, until: clock().getTime() + PAUSE_MS });
      });
      return clients;
    },
    forget: (provider) => void known.delete(keyOf(provider)),
  };
}

const UNREACHABLE = new Set([
  "OAUTH_TIMEOUT",
  "OAUTH_RESPONSE_IS_NOT_CONFORM",
  "OAUTH_RESPONSE_IS_NOT_JSON",
  "OAUTH_PARSE_ERROR",
]);

/** True if the issuer rejected our client authentication. */
export const isUnproved = (error: unknown): boolean =>
  error instanceof WWWAuthenticateChallengeError ||
  (error instanceof ResponseBodyError && ["invalid_client", "unauthorized_client"].includes(error.error));

const quoted = (text: string | undefined): string => (text ? ` (${text.slice(0, 200)})` : "");

/** Converts the failure of a provider's callback to a message for the user. */
export function returnFailure(provider: Provider, error: unknown): UpstreamFailure {
  const { name } = provider;
  const failure = (message: string, status?: number) => new UpstreamFailure(provider, message, error, status);
  if (error instanceof AuthorizationResponseError)
    return error.error === "access_denied"
      ? failure(`${name} denied the sign-in, or you canceled it there.`, 403)
      : failure(`${name} rejected the sign-in: ${error.error}${quoted(error.error_description)}.`);
  if (isUnproved(error))
    return failure(
      `${name} doesn't accept this service's client ID and secret. Ask an administrator to correct them.`,
    );
  if (error instanceof ResponseBodyError)
    return failure(
      `${name} rejected the code of this sign-in: ${error.error}. Start again from the console.`,
    );
  const code = errorCode(error);
  if (code === "OAUTH_JWT_CLAIM_COMPARISON_FAILED" || code === "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED")
    return failure(
      `The response from ${name} doesn't match this sign-in. Start again from the console.`,
      400,
    );
  if (
    error instanceof TypeError ||
    error instanceof Failure ||
    UNREACHABLE.has(String(code)) ||
    isRefused(error)
  )
    return failure(`${name} can't be reached to complete the sign-in. Try again in a moment.`);
  return failure(`The ID token from ${name} couldn't be verified. Start again from the console.`);
}
