import ipaddr from "ipaddr.js";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isIP } from "node:net";

import type { Config } from "../../config";
import type { Site } from "./site";

/** Rendered as the error page; `message` is a sentence for the user. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly title: string,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** Maximum bytes of a form; real ones have at most three fields. */
const FORM_LIMIT = 16 * 1024;

/** Maximum bytes of an authorization request's parameter, and of all of them: an interaction is stored for an hour. */
const PARAMETER_LIMIT = 2_000;
const PARAMETERS_LIMIT = 8_000;

const single = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(",") : value;

/** Returns the URL below the provider's mount, with its query; a proxy may have stripped the path of PUBLIC_URL. */
export function pathBelow(site: Site, url: string): string {
  const mount = [site.mount, "/oidc"].find(
    (prefix) => /^($|[/?])/.test(url.slice(prefix.length)) && url.startsWith(prefix),
  );
  const rest = url.slice(mount?.length ?? 0);
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/** Some proxies include the port, `1.2.3.4:5678` or `[2001:db8::1]:5678`, and some only the brackets. */
const withoutPort = (address: string): string =>
  /^"?\[([^\]]*)\](?::\d+)?"?$/.exec(address)?.[1] ?? address.replace(/^([\d.]+):\d+$/, "$1");

/** The client's address; undefined if it cannot be known. */
function parsedAddress(config: Config, request: Sent) {
  // The trusted proxy wrote the last entry; the client can forge the ones before it.
  const forwarded = config.trustProxy
    ? single(request.headers["x-forwarded-for"])?.split(",").at(-1)?.trim()
    : "";
  const address = withoutPort(forwarded || request.socket.remoteAddress || "");
  // Unwraps IPv4 in IPv6 in any spelling: all of it is one /64.
  return isIP(address) ? ipaddr.process(address) : undefined;
}

/** What a request says of where it came from, in either protocol. */
type Sent = Pick<IncomingMessage, "headers" | "socket">;

/** Returns the client's network: an IPv4 address, or the /64 of an IPv6 address, typically one household. */
export function addressOf(config: Config, request: Sent): string {
  const parsed = parsedAddress(config, request);
  if (!parsed) return "unknown";
  const text = parsed.toNormalizedString();
  return parsed.kind() === "ipv4" ? text : `${text.split(":").slice(0, 4).join(":")}::/64`;
}

/** Who sent a request, for the audit log: the whole address, and the client's name for itself. */
export const clientIn = (config: Config, request: Sent) => ({
  address: parsedAddress(config, request)?.toString() ?? "unknown",
  userAgent: single(request.headers["user-agent"]),
});

/**
 * Returns the canonical URL of a page requested under another host name, so that `localhost` works; undefined if the
 * host name is right.
 */
export function elsewhere(
  config: Config,
  site: Site,
  request: IncomingMessage,
  rest: string,
): string | undefined {
  const { headers, method } = request;
  if (method !== "GET" || !headers.accept?.includes("text/html")) return undefined;
  const proxied = single(headers["x-forwarded-host"]);
  // Behind an untrusted proxy that rewrites Host, the redirect would loop.
  if (!config.trustProxy && (proxied ?? headers.forwarded ?? headers.via)) return undefined;
  const host = (config.trustProxy && proxied?.split(",", 1)[0]?.trim()) || headers.host;
  return host?.toLowerCase() === site.host ? undefined : `${site.origin}${site.mount}${rest}`;
}

/** The provider builds its addresses from these headers: set them to PUBLIC_URL, whatever the client sent. */
export function pinHost(site: Site, request: IncomingMessage): void {
  delete request.headers["x-forwarded-host"];
  request.headers.host = site.host;
  request.headers["x-forwarded-proto"] = site.protocol;
}

/**
 * Only our own pages can submit forms. All browsers send where a form comes from; SameSite=Lax cookies are the first
 * line of defense, and this is the second.
 */
export function requireOwnPage(site: Site, request: IncomingMessage): void {
  const { origin } = request.headers;
  const fetchSite = request.headers["sec-fetch-site"];
  const said = origin !== undefined || fetchSite !== undefined;
  if (said && (origin ?? site.origin) === site.origin && (fetchSite ?? "same-origin") === "same-origin")
    return;
  throw new Refusal(
    403,
    "This form came from another site",
    "Nothing was changed. Open the page again and submit the form there.",
  );
}

/** Reads an urlencoded form; throws a Refusal for anything else and above 16 KiB. */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const type = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded")
    throw new Refusal(
      415,
      "This form can't be read",
      "It wasn't submitted from this page. Open the page again.",
    );
  const chunks: Buffer[] = [];
  let length = 0;
  const parts: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
  for await (const chunk of parts) {
    length += chunk.length;
    if (length > FORM_LIMIT)
      throw new Refusal(413, "This form is too long", "Shorten what you entered and try again.", {
        connection: "close",
      });
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
}

/** Aborted if the client disconnects before the response is complete. */
export function clientOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

const tooLong = (): Refusal =>
  new Refusal(
    400,
    "This sign-in request is too long",
    `Parameters are limited to ${PARAMETER_LIMIT} bytes each and ${PARAMETERS_LIMIT} in total. Start again from the console.`,
    { connection: "close" },
  );

/**
 * Throws a Refusal if query parameters of a provider URL are longer than any legitimate ones. Authorization requests
 * cannot be posted as a form. An ID token hint can be as long as the total.
 */
export function requireShort(query: string): void {
  if (query.length > PARAMETERS_LIMIT) throw tooLong();
  for (const [name, value] of new URLSearchParams(query)) {
    const longest = Math.max(Buffer.byteLength(name), Buffer.byteLength(value));
    if (name !== "id_token_hint" && longest > PARAMETER_LIMIT) throw tooLong();
  }
}
