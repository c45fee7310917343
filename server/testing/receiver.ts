import { HTTP, type CloudEvent } from "cloudevents";
import { createHash } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { createRemoteJWKSet, jwtVerify, type JWTPayload } from "jose";
import { text } from "node:stream/consumers";

import { closeServer } from "./site";
import { portOf } from "../port";

/** One received event, after signature and digest were verified. */
export interface Arrived {
  readonly event: CloudEvent<Record<string, unknown>>;
  readonly headers: IncomingHttpHeaders;
  readonly token: string;
  readonly claims: JWTPayload;
  /** Time of arrival, in milliseconds since 1970. */
  readonly at: number;
}

export interface Receiver {
  readonly url: string;
  /** All events answered with success. */
  readonly arrived: Arrived[];
  /** Why requests were rejected. */
  readonly refused: string[];
  /** The number of all requests, whatever their outcome. */
  readonly requests: () => number;
  stop(): Promise<void>;
}

/**
 * A sink on loopback that verifies requests as a receiver should. `behave` can respond instead, for a failing sink: it
 * then returns true.
 */
export async function startReceiver(
  options: {
    /** The service's issuer; without it nothing is verified. */
    readonly issuer?: string;
    readonly port?: number;
    readonly behave?: (response: ServerResponse, id: string) => boolean;
  } = {},
): Promise<Receiver> {
  const { issuer, behave } = options;
  const keys = issuer === undefined ? undefined : createRemoteJWKSet(new URL(`${issuer}/jwks`));
  const arrived: Arrived[] = [];
  const refused: string[] = [];
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    const { headers } = request;
    const answer = async () => {
      const body = await text(request);
      if (behave?.(response, String(headers["ce-id"]))) return;
      const token = headers.authorization?.replace(/^Bearer /, "") ?? "";
      const payload = keys
        ? (await jwtVerify(token, keys, { issuer: issuer!, audience: "customer" })).payload
        : {};
      const { digest }: { digest?: string } = Object(payload["webhook"]);
      if (keys && digest !== `sha256:${createHash("sha256").update(body).digest("hex")}`)
        throw new Error("another digest");
      const event = HTTP.toEvent({ headers, body }) as CloudEvent<Record<string, unknown>>;
      arrived.push({ event, headers, token, claims: payload, at: Date.now() });
      response.writeHead(204).end();
    };
    answer().catch((error: unknown) => {
      refused.push(String(error));
      response.writeHead(403).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    arrived,
    refused,
    requests: () => requests,
    stop: () => closeServer(server),
  };
}
