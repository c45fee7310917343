/** The thread of the embedded PostgreSQL: answers each message in order. The other side is `engine-host.ts`. */
import { parentPort, workerData } from "node:worker_threads";

import { openEngine } from "./engine.mjs";

/** What PostgreSQL says of an error. The structured clone of an Error would leave it out; values are left out here. */
const FIELDS = [
  "severity",
  "code",
  "detail",
  "hint",
  "position",
  "where",
  "schema",
  "table",
  "column",
  "constraint",
];

const plain = (error) => ({
  message: String(error?.message ?? error),
  fields: Object.fromEntries(
    FIELDS.flatMap((name) => (typeof error?.[name] === "string" ? [[name, error[name]]] : [])),
  ),
});

const answered = async (work) => {
  try {
    parentPort.postMessage({ rows: await work() });
  } catch (error) {
    parentPort.postMessage({ error: plain(error) });
  }
};

let engine;
await answered(async () => {
  engine = await openEngine(workerData);
  return [];
});

parentPort.on("message", ({ sql, parameters }) => {
  if (sql !== undefined) return void answered(() => engine.query(sql, parameters));
  void answered(async () => {
    await engine.close();
    return [];
  }).finally(() => parentPort.close());
});
