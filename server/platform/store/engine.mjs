/**
 * The embedded PostgreSQL in this thread. JavaScript, not TypeScript: it runs in a thread of its own, also in tests, and
 * Node 20 starts threads from JavaScript only.
 */
import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";

/** Opens the database in `dataDir`, or creates it. `made`: the archive of its initial contents. */
export async function openEngine({ dataDir, made }) {
  // Relaxed: the embedded database survives the process, not a power cut.
  const engine = await PGlite.create({
    dataDir,
    relaxedDurability: true,
    extensions: { pg_trgm },
    ...(made && { loadDataDir: made }),
  });
  // Times arrive as text with the session's offset; UTC is parsed best.
  await engine.exec("set time zone 'UTC'");
  // The planner's statistics sample 3,000 rows instead of 30,000: a tenth of the time, during which no other query
  // runs.
  await engine.exec("set default_statistics_target = 10");
  return {
    query: async (sql, parameters) => (await engine.query(sql, parameters)).rows,
    close: () => engine.close(),
    end: () => {},
    ended: false,
    astray: false,
  };
}
