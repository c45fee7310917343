import type { Database, Queries } from "./database";
import type { Engine } from "./engine.mjs";
import { withoutRoom } from "./refusals";
import { retryOnce } from "./retry";

/** Functions of the schema that write: a test compares them with the database. */
export const WRITING_FUNCTIONS: readonly string[] = [
  "append_audit",
  "give_namespace",
  "recount_bytes",
  "recount_bytes_before_053",
  "recount_bytes_before_055",
  "recount_bytes_before_057",
  "recount_bytes_before_058",
];

/** Statements that need no room on the disk, unless they contain a word of WRITES: all others do. */
const READS =
  /^\s*(?:select|with|values|table|show|set|begin|commit|rollback|savepoint|release|explain|lock|declare|fetch|close)\b/i;

/** Row locks are written, too. */
const WRITES = new RegExp(
  `\\b(?:insert|update|delete|merge|into|nextval|setval|share|${WRITING_FUNCTIONS.join("|")})\\b`,
  "i",
);

/** True unless a statement surely writes nothing. */
export const needsRoom = (sql: string): boolean => !READS.test(sql) || WRITES.test(sql);

/** Runs one work after another, in order of arrival. */
function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const run = last.then(work);
    last = run.catch(() => {});
    return run;
  };
}

/**
 * A database on the one session of an embedded engine: a transaction has it alone.
 * @param options.current the engine, a new one if the last has ended
 * @param options.checkRoomToWrite throws if the disk has no room
 */
export function onEngine(options: {
  current(): Promise<Engine>;
  checkRoomToWrite(): Promise<void>;
  close(): Promise<void>;
}): Database {
  const { current, checkRoomToWrite } = options;
  const exclusive = createQueue();
  const queries = (engine: Engine): Queries => ({
    query: async <R>(sql: string, parameters: readonly unknown[] = []) => {
      try {
        if (needsRoom(sql)) await checkRoomToWrite();
        return await engine.query<R>(sql, parameters);
      } catch (error) {
        throw withoutRoom(error);
      }
    },
  });
  // All of it on the same engine: on another one, its rest would run without its beginning.
  async function transact<T>(work: (on: Queries) => Promise<T>): Promise<T> {
    const engine = await current();
    const on = queries(engine);
    await on.query("begin");
    try {
      const result = await work(on);
      await on.query("commit");
      return result;
    } catch (error) {
      await engine.query("rollback", []).catch(() => engine.end());
      throw error;
    }
  }
  return {
    kind: "embedded",
    query: (sql, parameters) => exclusive(async () => queries(await current()).query(sql, parameters)),
    transaction: (work) => retryOnce(() => exclusive(() => transact(work))),
    // After what was asked before.
    close: () => exclusive(options.close),
  };
}
