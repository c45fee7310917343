import { once } from "node:events";
import { open } from "node:fs/promises";

import type { Outgoing, Writer } from "./writer";

const linesOf = (entries: readonly Outgoing[]): string => entries.map(({ line }) => `${line}\n`).join("");

/** NDJSON to standard output, between the lines of the log. */
export const toStdout = (stream: NodeJS.WritableStream = process.stdout): Writer => ({
  async write(entries) {
    if (!stream.write(linesOf(entries))) await once(stream, "drain");
  },
  close: () => Promise.resolve(),
});

const LINE_BREAK = 10;

/** NDJSON appended to a file. It is opened for each batch, so it can be rotated. */
export const toFile = (path: string): Writer => ({
  async write(entries) {
    const file = await open(path, "a+", 0o600);
    try {
      const { size } = await file.stat();
      const last = Buffer.alloc(1);
      if (size > 0) await file.read(last, 0, 1, size - 1);
      // A process that was killed can leave half a line: it stays one of its own.
      const torn = size > 0 && last[0] !== LINE_BREAK;
      await file.appendFile(`${torn ? "\n" : ""}${linesOf(entries)}`);
      await file.datasync();
    } finally {
      await file.close();
    }
  },
  close: () => Promise.resolve(),
});
