import type { IncomingMessage, ServerResponse } from "node:http";
import {
  constants,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Stream,
} from "node:http2";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

import type { Answer } from "./answers";

const packed = promisify(gzip);

const isHttp2 = (request: IncomingMessage | Http2ServerRequest): request is Http2ServerRequest =>
  request.httpVersionMajor === 2;

/** The stream of a response over HTTP/2; undefined over HTTP/1.1. */
export const streamOf = (response: ServerResponse | Http2ServerResponse): ServerHttp2Stream | undefined =>
  "stream" in response ? response.stream : undefined;

/** A request header; several with one name are joined, also those of which Node drops all but the first. */
export function headerOf(
  { rawHeaders }: Pick<IncomingMessage, "rawHeaders">,
  name: string,
): string | undefined {
  let found: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const given = rawHeaders[index] ?? "";
    if (given.length !== name.length || given.toLowerCase() !== name) continue;
    const value = rawHeaders[index + 1] ?? "";
    found = found === undefined ? value : `${found}, ${value}`;
  }
  return found;
}

export interface MessageTarget {
  /** Not percent-decoded. */
  readonly path: string;
  /** Without the question mark. */
  readonly search: string;
}

/** What the URL parser leaves as it is, which is what clients send. */
const PLAIN = /^\/[\w\-.~!$&()*+,;=:@/%?[\]]*$/;
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:[/?]|$)/i;
const PLAIN_HOST = /^[a-z0-9._-]+(?::\d{1,5})?$/i;

/** Path and query of a request; undefined if its target or host is malformed. */
export function targetOf(request: IncomingMessage): MessageTarget | undefined {
  const { url = "" } = request;
  const isAbsolute = /^https?:\/\//.test(url);
  if (isHttp2(request) && (isAbsolute || !/^https?$/.test(request.scheme))) return undefined;
  const host = (isHttp2(request) ? request.authority : request.headers.host) || "localhost";
  if (!isAbsolute && PLAIN_HOST.test(host) && PLAIN.test(url) && !DOT_SEGMENT.test(url)) {
    const at = url.indexOf("?");
    return at < 0 ? { path: url, search: "" } : { path: url.slice(0, at), search: url.slice(at + 1) };
  }
  // The parser takes a backslash for a slash.
  if (url.split("?", 1)[0]?.includes("\\") || !(isAbsolute || url === "" || url.startsWith("/")))
    return undefined;
  try {
    const parsed = new URL(isAbsolute ? url : `http://${host}${url}`);
    const name = host.replace(/:\d+$/, "").toLowerCase();
    if (!isAbsolute && parsed.hostname !== name) return undefined;
    return { path: parsed.pathname, search: parsed.search.slice(1) };
  } catch {
    return undefined;
  }
}

/** The content encodings that a client accepts by name (RFC 9110, section 12.5.3). */
export const acceptedCodings = (acceptEncoding: string): ReadonlySet<string | undefined> =>
  new Set(
    acceptEncoding
      .toLowerCase()
      .split(",")
      .filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
      .map((part) => part.split(";", 1)[0]?.trim()),
  );

/** True if nobody can read the response any more; over HTTP/2 only its stream tells. */
export function isGone(response: ServerResponse): boolean {
  const stream = streamOf(response);
  return stream ? stream.destroyed || stream.closed : response.closed || response.destroyed;
}

/** Bytes from which packing pays. */
const PACKED_BYTES = 1_024;
const PACKABLE = /^(?:text\/|application\/(?:[\w.-]+\+)?json|application\/xml|image\/svg\+xml)/;

/** Sends a response, packed if it is large and the client can unpack it. */
export async function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
): Promise<void> {
  if (isGone(response)) return;
  const { status, body } = answer;
  const headers: Record<string, string | number> = { ...answer.headers };
  let content = body;
  if (body !== undefined) {
    const length = typeof body === "string" ? Buffer.byteLength(body) : body.length;
    headers["content-length"] = length;
    const mayPack = length >= PACKED_BYTES && request.method !== "HEAD" && !headers["content-encoding"];
    if (
      mayPack &&
      PACKABLE.test(String(headers["content-type"])) &&
      acceptedCodings(headerOf(request, "accept-encoding") ?? "").has("gzip")
    ) {
      const bytes = await packed(body);
      const { etag } = answer.headers;
      content = bytes;
      headers["content-encoding"] = "gzip";
      headers["content-length"] = bytes.length;
      // Another representation (RFC 9110, section 8.8.3.3).
      if (etag !== undefined && !etag.startsWith("W/")) headers["etag"] = `W/${etag}`;
    }
  }
  if (isGone(response)) return;
  response.writeHead(status, headers);
  response.end(request.method === "HEAD" ? undefined : content, () => dropUnread(request));
}

/** Milliseconds for the rest of a body that nobody reads, after the response. */
const UNREAD_MS = 500;

/** Ends a request whose body is still arriving although its response was sent. */
function dropUnread(request: IncomingMessage): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  if (isHttp2(request)) {
    const { stream } = request;
    setTimeout(() => {
      if (!request.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
    });
    return;
  }
  if (request.complete) return void request.resume();
  const timer = setTimeout(() => request.socket.destroySoon(), UNREAD_MS);
  request.once("close", () => clearTimeout(timer)).once("end", () => clearTimeout(timer));
  request.resume();
}
