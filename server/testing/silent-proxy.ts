import { connect, createServer, type Socket } from "node:net";
import pg from "pg";
import { portOf } from "../port";

export interface SilentProxy {
  /** DATABASE_URL through the proxy. */
  readonly url: string;
  /** From now on connections stay, new ones are taken, and nothing is passed on. */
  silence(): void;
  /** Passes everything on again, also what came meanwhile. */
  resume(): void;
  stop(): Promise<void>;
}

/** Passes connections on to the PostgreSQL of `url`, until it is told to be silent. */
export async function startSilentProxy(url: string): Promise<SilentProxy> {
  const { host, port, user = "", database = "" } = new pg.Client(url);
  const target = host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  const sockets = new Set<Socket>();
  let isSilent = false;
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ ...target, allowHalfOpen: true });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("error", () => to.destroy());
      from.on("close", () => sockets.delete(from));
      from.on("data", (bytes) => void to.write(bytes));
      from.on("end", () => to.end());
      if (isSilent) from.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const each = (act: (socket: Socket) => unknown) => {
    for (const socket of sockets) act(socket);
  };
  return {
    url: `postgres://${user}@127.0.0.1:${portOf(server)}/${database}`,
    silence() {
      isSilent = true;
      each((socket) => socket.pause());
    },
    resume() {
      isSilent = false;
      each((socket) => socket.resume());
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        each((socket) => socket.destroy());
      }),
  };
}
