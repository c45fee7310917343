import pg from "pg";

import { parseInt64 } from "~/contract/aip";

import { ConfigError } from "../config";
import type { Database, Queries } from "./database";
import { unavailable, withoutRoom } from "./refusals";
import { retryOnce } from "./retry";

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

const queries = (on: pg.Pool | pg.PoolClient): Queries => ({
  query: async <R>(sql: string, parameters: readonly unknown[] = []) =>
    (await ask(() => on.query(sql, [...parameters]))).rows as R[],
});

async function transaction<T>(pool: pg.Pool, work: (queries: Queries) => Promise<T>): Promise<T> {
  const client = await ask(() => pool.connect());
  let broken: Error | undefined;
  // The connection may be lost between two queries: the next one fails, but without a listener the process would end.
  const onLost = (error: Error) => (broken = error);
  client.on("error", onLost);
  try {
    await ask(() => client.query("begin"));
    const result = await work(queries(client));
    await ask(() => client.query("commit"));
    return result;
  } catch (error) {
    await client.query("rollback").catch((failure: Error) => (broken = failure));
    throw error;
  } finally {
    client.off("error", onLost);
    client.release(broken);
  }
}

/** A connection pool to PostgreSQL 15 or newer, or to a server that speaks its protocol. */
export async function openPostgres(url: string): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    types: types as pg.CustomTypesConfig,
    application_name: "platform-service",
    connectionTimeoutMillis: 10_000,
    // Detects a server that vanished silently.
    keepAlive: true,
  });
  // A connection that dies while idle is replaced at its next use; without a listener the process would end.
  pool.on("error", () => {});
  try {
    await pool.query("select 1");
  } catch (error) {
    await pool.end();
    // Never the URL itself: it may contain a password.
    throw new ConfigError(`DATABASE_URL: cannot connect to the database (${reason(error)})`);
  }
  return {
    kind: "postgres",
    ...queries(pool),
    transaction: (work) => retryOnce(() => transaction(pool, work)),
    close: () => pool.end(),
    pool: () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
  };
}

/** With several addresses for one host name, the error is an AggregateError without a message. */
const reason = (error: unknown): string => {
  const [first = error] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  return first instanceof Error ? first.message : String(first);
};
