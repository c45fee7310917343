import { readInWorker } from "~/frame/untrusted-text/read-in-worker";

import type { TableRequest } from "./parse";
import type { Table } from "./table";

const start = (): Worker =>
  new Worker(new URL("./parse-worker.ts", import.meta.url), { type: "module", name: "import" });

/** Reads a table away from the page. Rejects with a TextProblem. */
export const readTable = (text: string, headers: readonly string[]): Promise<Table> =>
  readInWorker<TableRequest, Table>({ start, request: { text, headers }, bytes: text.length });
