import type { Database, Queries } from "../platform/store/database";

const KILLED = new Error("the process was killed");
const WRITES = /\b(insert|update|delete|append_audit)\b/i;

/** A database that a process loses before one of its writes: an open transaction is undone, and nothing follows. */
export function mortal(database: Database): Database & { writes: number } {
  const on = (queries: Queries): Queries => ({
    query: async (sql, parameters) => {
      if (here.writes < 0 || (WRITES.test(sql) && (here.writes -= 1) < 0)) throw KILLED;
      return queries.query(sql, parameters);
    },
  });
  const here = {
    ...database,
    ...on(database),
    writes: Infinity,
    transaction: <T>(work: (queries: Queries) => Promise<T>) =>
      database.transaction((queries) => work(on(queries))),
  };
  return here;
}
