import { apiAddress, issuerAddress } from "platform-client/service-address";
import { parseUrl } from "platform-contract/url";
import * as z from "zod/mini";

import { causeOf, UnexpectedError, UnreachableError, UsageError } from "../cli/errors";

/** What the console's config.json says that a client needs. */
export interface Server {
  /** The console's address, with a trailing slash. */
  readonly url: string;
  readonly apiBaseUrl: string;
  readonly issuer: string;
  readonly scope: string;
  /** Added to the authorization request, for issuers that want an `audience` or a `resource`. */
  readonly extraParams: Readonly<Record<string, string>>;
  readonly registryHost: string | undefined;
  readonly idempotencyKeys: boolean;
  readonly changeJustifications: boolean;
  /** The service says what the caller may do. */
  readonly accessDecisions: boolean;
  /** Writes can be checked without doing them. Never sent otherwise: a service that doesn't know it would write. */
  readonly validateOnly: boolean;
  /** Tokens of a sign-in with the scope `read_only` are refused every write. */
  readonly readOnlyTokens: boolean;
  readonly fieldMaskCase: "camel" | "snake";
}

const config = z.object({
  apiBaseUrl: z.string(),
  oidc: z.object({
    authority: z.string(),
    scope: z.string(),
    extraParams: z.optional(z.record(z.string(), z.string())),
  }),
  registryHost: z.optional(z.string()),
  idempotencyKeys: z.optional(z.boolean()),
  changeJustifications: z.optional(z.boolean()),
  accessDecisions: z.optional(z.boolean()),
  validateOnly: z.optional(z.boolean()),
  readOnlyTokens: z.optional(z.boolean()),
  fieldMaskCase: z.optional(z.enum(["camel", "snake"])),
});

const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** True if an address is encrypted, or does not leave this machine: tokens go nowhere else. */
export const isSafe = (address: string): boolean => {
  const url = parseUrl(address);
  return (
    url !== undefined &&
    (url.protocol === "https:" || (url.protocol === "http:" && LOOPBACK.has(url.hostname)))
  );
};

/** A console's address in one spelling, with a trailing slash. Throws a UsageError if it is none, or not https. */
export function serverUrl(text: string): string {
  const url = parseUrl(text);
  if (!url || !isSafe(text))
    throw new UsageError(
      `${JSON.stringify(text)} is no address of a console: it has to begin with https://, or with http:// on this machine.`,
    );
  url.search = url.hash = url.username = url.password = "";
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url.href;
}

/** Reads the config.json at a console's address. */
export async function readServer(url: string): Promise<Server> {
  const address = new URL("config.json", url).href;
  let response: Response;
  let content: unknown;
  try {
    response = await fetch(address, { signal: AbortSignal.timeout(30_000) });
    if (response.status >= 500) throw new Error(`it answers with HTTP ${response.status}`);
  } catch (cause) {
    throw new UnreachableError(`${new URL(url).host} can't be reached: ${causeOf(cause)}.`, { cause });
  }
  try {
    content = await response.json();
  } catch {
    content = undefined;
  }
  const read = config.safeParse(content);
  if (!response.ok || !read.success)
    throw new UnexpectedError(
      `${address} is not the configuration of a console. Is ${url} the console's address?`,
    );
  const { apiBaseUrl, oidc, registryHost, fieldMaskCase = "camel", ...has } = read.data;
  const server = {
    url,
    apiBaseUrl: apiAddress(apiBaseUrl, url),
    issuer: issuerAddress(oidc.authority, url),
    scope: oidc.scope,
    extraParams: oidc.extraParams ?? {},
    registryHost,
    idempotencyKeys: has.idempotencyKeys ?? false,
    changeJustifications: has.changeJustifications ?? false,
    accessDecisions: has.accessDecisions ?? false,
    validateOnly: has.validateOnly ?? false,
    readOnlyTokens: has.readOnlyTokens ?? false,
    fieldMaskCase,
  };
  if (!isSafe(server.apiBaseUrl))
    throw new UnexpectedError(`${server.apiBaseUrl} is not https: no token goes there.`);
  return server;
}
