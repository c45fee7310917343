import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";

import { ownDirectory, startProgram } from "./postgres";

/** The installed program; undefined if there is none. */
export const pgBouncer: string | undefined = [
  "/usr/sbin/pgbouncer",
  ...(process.env["PATH"] ?? "").split(path.delimiter).map((directory) => path.join(directory, "pgbouncer")),
].find((program) => existsSync(program));

export interface PgBouncer {
  readonly url: string;
  /** Connects to another server from now on, as an operator would: changes the file and reloads it. */
  lead(to: string): Promise<void>;
  stop(): Promise<void>;
}

/** Server connections: fewer than two services use, so that they share them. */
const POOL = 8;

/** Runs PgBouncer in transaction mode in front of a PostgreSQL of `ownPostgres()`. */
export async function startPgBouncer(program: string, server: string): Promise<PgBouncer> {
  const directory = await ownDirectory("pgbouncer-");
  const file = path.join(directory, "pgbouncer.ini");
  const write = (to: string) =>
    writeFile(
      file,
      [
        "[databases]",
        `postgres = host=${new URL(to).searchParams.get("host")} user=postgres`,
        "[pgbouncer]",
        "listen_addr =",
        `unix_socket_dir = ${directory}`,
        "auth_type = any",
        "pool_mode = transaction",
        `default_pool_size = ${POOL}`,
        "server_login_retry = 1",
        "",
      ].join("\n"),
      { mode: 0o644 },
    );
  await write(server);
  const { child, ended, says } = startProgram(program, [file], directory);
  await Promise.race([says("process up"), ended]);
  const host = encodeURIComponent(directory);
  const url = `postgres://postgres@localhost:6432/postgres?host=${host}`;
  return {
    url,
    async lead(to) {
      await write(to);
      child.kill("SIGHUP");
      // Until it does: it closes its connections to the old server and opens new ones.
      const client = () => new pg.Client({ connectionString: url });
      for (let reached = false; !reached;) {
        const one = client();
        reached = await one
          .connect()
          .then(() => one.query("select pg_is_in_recovery() as standby"))
          .then(({ rows }) => rows[0]?.standby === false)
          .catch(() => false);
        await one.end().catch(() => {});
      }
    },
    async stop() {
      child.kill("SIGTERM");
      await ended.catch(() => {});
      await rm(directory, { recursive: true, force: true });
    },
  };
}
