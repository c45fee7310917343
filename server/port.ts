import type { Server } from "node:net";

/** The port that a server listens on. Throws if it has none: it is closed, or listens on a socket of the file system. */
export function portOf(server: Pick<Server, "address">): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server listens on no port");
  return address.port;
}
