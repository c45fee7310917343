import type { IncomingMessage, ServerResponse } from "node:http";
import { isIPv6 } from "node:net";

import type { Config } from "../config";
import type { Site } from "./site";

/** A request that is answered with the error page; `message` is a sentence for the person in front of it. */
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

/** Bytes of a form; the longest honest one has three fields. */
const FORM_LIMIT = 16 * 1024;

/** Bytes of a parameter of an authorization request, and of all of them: a visit is kept for an hour. */
const PARAMETER_LIMIT = 2_000;
const PARAMETERS_LIMIT = 8_000;

const single = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(",") : value;

/** What follows the provider's mount, query included; a proxy may have taken the path of PUBLIC_URL away. */
export function pathBelow(site: Site, url: string): string {
  const mount = [site.mount, "/oidc"].find(
    (prefix) => /^($|[/?])/.test(url.slice(prefix.length)) && url.startsWith(prefix),
  );
  const rest = url.slice(mount?.length ?? 0);
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/** Some proxies write the port too, `1.2.3.4:5678` or `[2001:db8::1]:5678`, and some the brackets alone. */
const withoutPort = (address: string): string =>
  /^"?\[([^\]]*)\](?::\d+)?"?$/.exec(address)?.[1] ?? address.replace(/^([\d.]+):\d+$/, "$1");

/** The network that a request comes from: an IPv4 address, or the /64 of an IPv6 one, which is one household's. */
export function addressOf(config: Config, request: IncomingMessage): string {
  // The last entry is the one that the trusted proxy wrote; those before it are the client's word.
  const forwarded = config.trustProxy
    ? single(request.headers["x-forwarded-for"])?.split(",").at(-1)?.trim()
    : "";
  const address = withoutPort(forwarded || request.socket.remoteAddress || "").replace(
    /^::ffff:(?=[\d.]+$)/i,
    "",
  );
  if (!isIPv6(address)) return /^[\d.]{7,15}$/.test(address) ? address : "unknown";
  const [head = "", tail] = address.toLowerCase().split("::");
  const before = head.split(":").filter(Boolean);
  const after = tail === undefined ? [] : tail.split(":").filter(Boolean);
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => "0");
  return `${[...before, ...zeros, ...after].slice(0, 4).join(":")}::/64`;
}

/**
 * Where a page asked for under another name of this host lives, so that `localhost` works; undefined when it is asked
 * for under the right one.
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
  // Behind a proxy that is not trusted and writes its own Host, the browser would be sent round in circles.
  if (!config.trustProxy && (proxied ?? headers.forwarded ?? headers.via)) return undefined;
  const host = (config.trustProxy && proxied?.split(",", 1)[0]?.trim()) || headers.host;
  return host?.toLowerCase() === site.host ? undefined : `${site.origin}${site.mount}${rest}`;
}

/** The provider derives its addresses from these headers: they say PUBLIC_URL, whatever the client sent. */
export function pinHost(site: Site, request: IncomingMessage): void {
  delete request.headers["x-forwarded-host"];
  request.headers.host = site.host;
  request.headers["x-forwarded-proto"] = site.protocol;
}

/**
 * A form may only be sent by one of our own pages. Every browser says where it was sent from; cookies are SameSite=Lax
 * besides, so that this is the second lock.
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
    "Nothing was changed. Open the page again and send the form from there.",
  );
}

/** Reads an urlencoded form; throws a Refusal on anything else and on more than 16 KiB. */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const type = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded")
    throw new Refusal(
      415,
      "This form cannot be read",
      "It was not sent from this page. Open the page again.",
    );
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > FORM_LIMIT)
      throw new Refusal(413, "This form is too long", "Shorten what you entered and try again.", {
        connection: "close",
      });
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
}

/** Aborted when the client closes the connection before it has its answer. */
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
    `Each parameter can have ${PARAMETER_LIMIT} bytes, all together ${PARAMETERS_LIMIT}. Start again from the console.`,
    { connection: "close" },
  );

/**
 * Throws a Refusal when the parameters in an address of the provider are longer than anybody's; it takes no form for an
 * authorization request. An ID token as a hint may be as long as all of them.
 */
export function requireShort(query: string): void {
  if (query.length > PARAMETERS_LIMIT) throw tooLong();
  for (const [name, value] of new URLSearchParams(query)) {
    const longest = Math.max(Buffer.byteLength(name), Buffer.byteLength(value));
    if (name !== "id_token_hint" && longest > PARAMETER_LIMIT) throw tooLong();
  }
}
