import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";

import { portOf } from "../port";

/** Where a server of tests stands if not on loopback without TLS; the name is one of its certificate. */
export interface Secured {
  readonly address: string;
  readonly name: string;
  readonly key: Buffer;
  readonly cert: Buffer;
}

/** A server for HTTP on a free port, and its origin. */
export async function listen(
  answer: RequestListener,
  secured?: Secured,
): Promise<{ readonly server: Server; readonly url: string }> {
  const server = secured ? createTlsServer(secured, answer) : createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, secured?.address ?? "127.0.0.1", resolve));
  const origin = secured ? `https://${secured.name}` : "http://127.0.0.1";
  return { server, url: `${origin}:${portOf(server)}` };
}

export const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
