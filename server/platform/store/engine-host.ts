import { Worker } from "node:worker_threads";

import type { Engine } from "./engine.mjs";
import { unavailable } from "./refusals";

/** Maintenance takes as long as the tables are large, a start as long as the log that it reads again. */
const UNLIMITED = /^\s*vacuum\b|^start$/i;

/** Severities after which the engine is of no use. */
const BROKEN = /^(?:PANIC|FATAL)$/;

/**
 * Errors of class 58, outside of PostgreSQL, and one without a class of its own: its files are not what it takes them for,
 * as after it ran out of inodes, and only a start reads them again.
 */
const isAstray = ({ message, fields }: Failed): boolean =>
  (fields["code"] ?? "").startsWith("58") || message.startsWith("could not create temporary file");

interface Call {
  readonly sql: string;
  resolve(rows: unknown[]): void;
  reject(error: unknown): void;
}

interface Failed {
  readonly message: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** One of the two. */
interface Answer {
  readonly rows?: unknown[];
  readonly error?: Failed;
}

/**
 * Runs the embedded PostgreSQL in a thread of its own: requests, probes and signals stay alive whatever it does. PGlite's
 * own worker is for browsers (it shares one among tabs by Web Locks, which Node 20 lacks), and its socket server would
 * cost an encoding and a decoding for each row.
 * @param limit milliseconds for one statement; Infinity: no limit. After that the engine counts as hung, is ended, and
 *   whoever waits for it gets UNAVAILABLE.
 */
export async function startEngine(dataDir: string, limit: () => number): Promise<Engine> {
  const thread = new Worker(new URL("./engine-thread.mjs", import.meta.url), { workerData: { dataDir } });
  const calls: Call[] = [];
  let timer: NodeJS.Timeout | undefined;
  let [ended, astray] = [false, false];

  function end(why: unknown): void {
    clearTimeout(timer);
    ended = true;
    for (const { reject } of calls.splice(0)) reject(why);
    void thread.terminate();
  }

  function timeFirst(): void {
    clearTimeout(timer);
    const [first] = calls;
    const most = limit();
    if (!first || most === Infinity || UNLIMITED.test(first.sql)) return;
    timer = setTimeout(() => {
      const what = `the database did not answer within ${Math.round(most / 1000)} s and is started again`;
      end(unavailable(what, new Error(`no answer to: ${first.sql.slice(0, 200)}`)));
    }, most);
  }

  const call = <R>(sql: string, message?: object): Promise<R[]> =>
    new Promise((resolve, reject) => {
      if (ended) return reject(unavailable("the database was started again", new Error("the engine ended")));
      calls.push({ sql, resolve: resolve as Call["resolve"], reject });
      if (message) thread.postMessage(message);
      if (calls.length === 1) timeFirst();
    });

  thread.on("message", (answer: Answer) => {
    const error = answer.error && Object.assign(new Error(answer.error.message), answer.error.fields);
    // What a PostgreSQL server would end a process for: without room for its log, for instance.
    if (BROKEN.test(answer.error?.fields["severity"] ?? ""))
      return end(unavailable("the database stopped and is started again", error));
    const first = calls.shift();
    timeFirst();
    if (answer.error && isAstray(answer.error)) {
      astray = true;
      first?.reject(unavailable("the database does not find its files and is started again", error));
    } else if (error) first?.reject(error);
    else first?.resolve(answer.rows ?? []);
  });
  thread.on("error", (error) => end(unavailable("the database stopped and is started again", error)));
  thread.on("exit", (code) =>
    end(unavailable("the database stopped and is started again", new Error(`exit code ${code}`))),
  );

  try {
    await call("start");
  } catch (error) {
    end(error);
    throw error;
  }
  return {
    query: (sql, parameters) => call(sql, { sql, parameters }),
    async close() {
      if (ended) return;
      try {
        await call("close", {});
      } catch {
        // What it had answered is on disk: it survives this like a killed process.
      } finally {
        end(new Error("closed"));
      }
    },
    end: () => end(new Error("ended")),
    get ended() {
      return ended;
    },
    get astray() {
      return astray;
    },
  };
}
