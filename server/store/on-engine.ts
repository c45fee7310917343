import type { Database, Queries } from "./database";
import type { Engine } from "./engine.mjs";
import { withoutRoom } from "./refusals";
import { retryOnce } from "./retry";

/** Statements that need room on the disk. */
const WRITES =
  /^\s*(?:(?:insert|update|delete|merge|create|alter|drop|truncate|vacuum)\b|with\b[^]*\b(?:insert|update|delete|merge)\b)/i;

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
        if (WRITES.test(sql)) await checkRoomToWrite();
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
