import pg from "pg";

import { parseInt64 } from "platform-contract/aip";

import { ConfigError } from "../../config";
import { reasonOf } from "../../reason";
import type { Database, Queries } from "./database";
import { createProbe, type Probe } from "./postgres-probe";
import { unavailable, withoutRoom } from "./refusals";
import { retryOnce } from "./retry";
import { Sockets } from "./sockets";

const INT8 = 20;

// Parsed as in PGlite, so that both databases return the same values.
const types = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === INT8 ? parseInt64 : pg.types.getTypeParser(oid, format as "text"),
};

/**
 * SQLSTATEs of a server that cannot serve: connection lost (08), shutting down or starting (57P), too many clients, a
 * standby that has taken over its address (25006).
 */
const GONE = /^(08...|57P..|53300|25006)$/;

/** A lost database is not a bug: callers retry, and the next query opens a new connection. */
function explain(error: unknown): unknown {
  const lost =
    error instanceof pg.DatabaseError ? GONE.test(error.code ?? "") : !(error instanceof TypeError);
  return lost ? unavailable("the database is not responding", error) : withoutRoom(error);
}

async function ask<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explain(error);
  }
}

/** All in milliseconds. */
const PATIENCE = {
  /** For one statement, once the database is told to limit them: what takes longer has hung. */
  statement: 60_000,
  /** For a new connection. */
  connect: 10_000,
  /** For the answer to a probe. */
  probe: 4_000,
  /** For open statements and connections when the database is closed. */
  close: 2_000,
};

/** Seconds for which a connection is idle before the other side is asked whether it is there. */
const KEEP_ALIVE = 10;

/** What is the same for all statements of a database. */
interface Setting {
  readonly prepared: Prepared;
  readonly probe: Probe;
  /** Milliseconds for one statement; 0: no limit. */
  limit: number;
}

/** Statements of a silent server would all wait for their limit. */
function refuseSilent({ probe }: Setting): void {
  if (probe.isSilent) throw unavailable("the database is not responding", new Error("it answers no probe"));
}

/** That of a statement that exceeded its limit. */
const isLate = (error: unknown): boolean => error instanceof Error && error.message === "Query read timeout";

/** Maximum prepared statements of a connection: each keeps its parsed query in the server's memory. */
const MOST_PREPARED = 300;

/** Unknown by name (26000), or a table changed under it (0A000). */
const UNPREPARED = /^(26000|0A000)$/;

/** Names statements that are sent again, so that the server parses each of them once on a connection. */
class Prepared {
  private readonly sent = new Set<string>();
  private readonly names = new Map<string, string>();
  private isOff = false;

  nameOf(sql: string): string | undefined {
    if (this.isOff) return undefined;
    const known = this.names.get(sql);
    if (known !== undefined || this.names.size >= MOST_PREPARED) return known;
    if (this.sent.has(sql)) this.names.set(sql, `s${this.names.size}`);
    if (this.sent.size > MOST_PREPARED * 10) this.sent.clear();
    this.sent.add(sql);
    return this.names.get(sql);
  }

  /** From now on, every statement is sent without a name. */
  stop(): void {
    this.isOff = true;
  }
}

const queries = (on: pg.Pool | pg.PoolClient, setting: Setting): Queries => ({
  query: async (sql: string, parameters: readonly unknown[] = []) => {
    const { prepared, limit } = setting;
    refuseSilent(setting);
    // Several statements in one have no parameters, and cannot be prepared.
    const name = parameters.length > 0 ? prepared.nameOf(sql) : undefined;
    try {
      const statement = { name, text: sql, values: [...parameters], query_timeout: limit };
      return (await on.query(statement)).rows;
    } catch (error) {
      if (name === undefined || !(error instanceof pg.DatabaseError) || !UNPREPARED.test(error.code ?? ""))
        throw explain(error);
      prepared.stop();
      throw unavailable("the database has changed", error);
    }
  },
});

/** A statement with a limit in milliseconds; by default it is one that a new connection begins with. */
const within = (text: string, limit = PATIENCE.connect) => ({ text, query_timeout: limit });

/**
 * True if a connection ends at a server process of its own. A pooler such as PgBouncer gives its clients process ids of
 * its own, and in transaction mode another server process with each transaction, which knows no statement by name.
 */
async function isDirect(client: pg.ClientBase): Promise<boolean> {
  const { processID }: pg.ClientBase & { readonly processID?: number } = client;
  const { rows } = await client.query<{ pid: number }>(within("select pg_backend_pid() as pid"));
  return rows[0]?.pid === processID;
}

async function transaction<T>(
  pool: pg.Pool,
  setting: Setting,
  work: (queries: Queries) => Promise<T>,
): Promise<T> {
  refuseSilent(setting);
  const client = await ask(() => pool.connect());
  let broken: Error | undefined;
  // The connection may be lost between two queries: the next one fails, but without a listener the process would end.
  const onLost = (error: Error) => (broken = error);
  client.on("error", onLost);
  try {
    const control = (text: string) => ask(() => client.query(within(text, setting.limit)));
    await control("begin");
    const result = await work(queries(client, setting));
    await control("commit");
    return result;
  } catch (error) {
    // It would wait for the statement that is late; the server rolls back when the connection ends.
    const { cause }: { cause?: Error } = Object(error);
    if (isLate(cause)) broken = cause;
    else await client.query("rollback").catch((failure: Error) => (broken = failure));
    throw error;
  } finally {
    client.off("error", onLost);
    client.release(broken);
  }
}

/** A connection pool to PostgreSQL 15 or newer, or to a server that speaks its protocol. */
export async function openPostgres(url: string, patience = PATIENCE): Promise<Database> {
  const prepared = new Prepared();
  const sockets = new Sockets();
  const options = {
    connectionString: url,
    types: types as pg.CustomTypesConfig,
    application_name: "platform-service",
    connectionTimeoutMillis: patience.connect,
    // Detects a server that vanished silently.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE * 1_000,
  };
  // What waits for a silent server would wait for its limit.
  const probe = createProbe(options, patience.probe, () => sockets.cut("the server is silent"));
  const setting: Setting = { prepared, probe, limit: 0 };
  const pool = new pg.Pool({
    ...options,
    stream: sockets.create,
    onConnect: async (client) => {
      if (!(await isDirect(client))) return prepared.stop();
      // A plan for all values would be wrong for most: organizations differ in size by orders of magnitude.
      await client.query(within("set plan_cache_mode = force_custom_plan"));
    },
  });
  // A connection that dies while idle is replaced at its next use; without a listener the process would end.
  pool.on("error", () => {});
  try {
    await pool.query("select 1");
  } catch (error) {
    await pool.end();
    // Never the URL itself: it may contain a password.
    throw new ConfigError(`DATABASE_URL: cannot connect to the database (${reasonOf(error)})`);
  }
  return {
    kind: "postgres",
    ...queries(pool, setting),
    transaction: (work) => retryOnce(() => transaction(pool, setting, work)),
    limitStatements: () => void (setting.limit = patience.statement),
    probe: { query: (sql, parameters) => ask(() => probe.query(sql, parameters)) },
    close: async () => {
      probe.end();
      // Neither a statement that hangs nor a server that is silent keeps the process from ending.
      setTimeout(() => sockets.cut("the database is closed"), patience.close).unref();
      await pool.end();
    },
    pool: () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
  };
}
