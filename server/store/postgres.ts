import pg from "pg";

import { parseInt64 } from "~/contract/aip";

import type { Database, Queries } from "./database";
import { retryOnce } from "./retry";

const INT8 = 20;

// As PGlite reads them, so that both databases answer alike.
const types = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === INT8 ? parseInt64 : pg.types.getTypeParser(oid, format as "text"),
};

const queries = (on: pg.Pool | pg.PoolClient): Queries => ({
  query: async <R>(sql: string, parameters: readonly unknown[] = []) =>
    (await on.query(sql, [...parameters])).rows as R[],
});

async function transaction<T>(pool: pg.Pool, work: (queries: Queries) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query("begin");
    const result = await work(queries(client));
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch((failure: Error) => (broken = failure));
    throw error;
  } finally {
    client.release(broken);
  }
}

/** A pool of connections to PostgreSQL 15 or newer, or to what speaks its protocol. */
export async function openPostgres(url: string): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    types: types as pg.CustomTypesConfig,
    application_name: "platform-service",
    connectionTimeoutMillis: 10_000,
  });
  // A connection that dies while idle is replaced at its next use; without a listener it would end the process.
  pool.on("error", () => {});
  try {
    await pool.query("select 1");
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    kind: "postgres",
    ...queries(pool),
    transaction: (work) => retryOnce(() => transaction(pool, work)),
    close: () => pool.end(),
  };
}
