import { createClient, type Client } from "platform-client";
import { isRefusal } from "platform-client/errors";
import { lookupIdentity } from "platform-contract/iam/lookup-identity";
import { READ_ONLY } from "platform-contract/sts/read-only";

import { SignedOutError, UsageError } from "../cli/errors";
import { changeSessions, readSessions, type Kept } from "./files";
import { refreshed } from "./issuer";
import { readServer, serverUrl, type Server } from "./server";

/** Milliseconds before its end when a token is replaced. */
const NEARLY_OVER_MS = 60_000;

export const signedOut = (url: string, readOnly = false): SignedOutError =>
  new SignedOutError(
    `You are not signed in to ${url}${readOnly ? " for reading alone" : ""}. Sign in first: platform login${readOnly ? " --read-only" : ""} --server ${url}`,
  );

/** The console that a command is for: `asked`, else PLATFORM_SERVER, else that of the last login; undefined if there is none. */
export async function knownServer(asked: string | undefined): Promise<string | undefined> {
  const url = asked ?? (process.env["PLATFORM_SERVER"] || (await readSessions()).current);
  return url === undefined || url === "" ? undefined : serverUrl(url);
}

/** The same; throws a SignedOutError if there is none. */
export async function chosenServer(asked: string | undefined): Promise<string> {
  const url = await knownServer(asked);
  if (url === undefined && givenToken() !== undefined)
    throw new UsageError("Where? PLATFORM_TOKEN is set, and neither --server nor PLATFORM_SERVER.");
  if (url === undefined)
    throw new SignedOutError(
      "You are not signed in. Sign in first: platform login --server https://console.example.com",
    );
  return url;
}

/** A token for programs without a person, which is never stored. */
export const givenToken = (): string | undefined => {
  const token = process.env["PLATFORM_TOKEN"]?.trim() || undefined;
  // No header can carry it: a file with more than the token, for instance.
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    throw new UsageError("PLATFORM_TOKEN is no token: it has spaces, line breaks or other characters in it.");
  return token;
};

/** What a token says, unless it is one that only its issuer reads. */
export const claimsOf = (token: string): Record<string, unknown> => {
  try {
    return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as Record<
      string,
      unknown
    >;
  } catch {
    return {};
  }
};

const isFresh = ({ accessToken, expiresAt }: Kept, refused?: string): boolean =>
  accessToken !== refused && (expiresAt === undefined || expiresAt - NEARLY_OVER_MS > Date.now());

/**
 * An access token for a console, other than `refused`. Two commands that find one near its end replace it once: the
 * second one takes what the first one wrote. Throws a SignedOutError.
 */
export async function accessToken(url: string, refused?: string): Promise<string> {
  const own = (servers: Readonly<Record<string, Kept>>): Kept => {
    const found = Object.hasOwn(servers, url) ? servers[url] : undefined;
    const [address = url] = url.split("#");
    if (!found) throw signedOut(address, address !== url);
    return found;
  };
  const found = own((await readSessions()).servers);
  if (isFresh(found, refused)) return found.accessToken;
  const { servers } = await changeSessions(async (sessions) => {
    const now = own(sessions.servers);
    if (isFresh(now, refused)) return sessions;
    return { ...sessions, servers: { ...sessions.servers, [url]: await refreshed(now) } };
  });
  return own(servers).accessToken;
}

/** Under which a sign-in that only reads is kept, beside a whole one at the same console. */
export const readOnlyKey = (url: string): string => `${url}#read-only`;

/** True if a token says that it only reads. The service holds it to that, where config.json says so. */
export const onlyReads = (token: string): boolean => claimsOf(token)[READ_ONLY] === true;

/** A client of the chosen console's API; with `readOnly`, one that has no other token than one that only reads. */
export async function connect(
  asked: string | undefined,
  { readOnly = false }: { readonly readOnly?: boolean } = {},
): Promise<{ client: Client; server: Server }> {
  const url = await chosenServer(asked);
  const given = givenToken();
  const key = readOnly ? readOnlyKey(url) : url;
  // Without a token nothing is asked.
  if (given === undefined && !Object.hasOwn((await readSessions()).servers, key))
    throw signedOut(url, readOnly);
  const server = await readServer(url);
  if (readOnly && !server.readOnlyTokens)
    throw new UsageError("This service has no tokens that only read: its config.json has no readOnlyTokens.");
  const token = async (refused?: string): Promise<string> => {
    const own = given ?? (await accessToken(key, refused));
    if (readOnly && !onlyReads(own))
      throw new UsageError(
        given === undefined
          ? "The kept token doesn't only read. Sign in again: platform login --read-only"
          : "PLATFORM_TOKEN doesn't only read, and no other token is used for this.",
      );
    return own;
  };
  if (readOnly) await token();
  const { apiBaseUrl, idempotencyKeys, changeJustifications, fieldMaskCase } = server;
  const client = createClient({
    baseUrl: apiBaseUrl,
    token: given !== undefined && !readOnly ? given : ({ refused } = {}) => token(refused),
    idempotencyKeys,
    changeJustifications,
    fieldMaskCase,
  });
  return { client, server };
}

/** The uid of the caller's identity; undefined if nobody says. */
export async function ownIdentity(
  { client, server }: { readonly client: Client; readonly server: Server },
  signal: AbortSignal,
): Promise<string | undefined> {
  const token = givenToken();
  const kept = (await readSessions()).servers[server.url];
  const { iss, sub } = token === undefined ? { iss: kept?.issuer, sub: kept?.who.subject } : claimsOf(token);
  if (typeof iss !== "string" || typeof sub !== "string") return undefined;
  try {
    return (await client.call(lookupIdentity, { query: { issuer: iss, subject: sub }, signal })).uid;
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}
