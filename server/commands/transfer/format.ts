import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import * as z from "zod";
import { errorCode } from "../../reason";

/**
 * The export file: gzipped lines of JSON with a header, the rows by table in the header's order, and a trailer. A row
 * is an array of PostgreSQL's own text forms, exact for every type, with null for null.
 */
export const FORMAT = "platform-export";
export const VERSION = 1;

const headerSchema = z.object({
  format: z.literal(FORMAT),
  version: z.number(),
  /** ISO time. */
  exportedAt: z.string(),
  /** The migrations of the source database, in order. */
  migrations: z.array(z.string()),
  tables: z.array(
    z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number().int().min(0) }),
  ),
});
export type Header = z.infer<typeof headerSchema>;

/** Covers all lines before it: detects a file that was truncated or changed. */
const trailerSchema = z.object({ rows: z.number(), sha256: z.string() });
export type Trailer = z.infer<typeof trailerSchema>;

/** Accumulates the contents of a trailer. */
export class Sum {
  #hash = createHash("sha256");
  #rows = 0;

  line(text: string, isRow: boolean): void {
    this.#hash.update(text).update("\n");
    if (isRow) this.#rows++;
  }

  trailer(): Trailer {
    return { rows: this.#rows, sha256: this.#hash.digest("hex") };
  }
}

/** The file is invalid; the message continues a sentence that starts with its name. */
export class BadFile extends Error {}

async function* linesOf(path: string): AsyncGenerator<string> {
  const gunzip = createGunzip();
  // An error on either side ends the loop below.
  pipeline(createReadStream(path), gunzip, () => {});
  gunzip.setEncoding("utf8");
  let rest = "";
  try {
    const chunks: AsyncIterable<string> = gunzip;
    for await (const chunk of chunks) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } catch (error) {
    const code = errorCode(error);
    if (code === "Z_BUF_ERROR") throw new BadFile("is truncated");
    if (code?.startsWith("Z_")) throw new BadFile("is damaged, or not an export of this program");
    throw error;
  }
  if (rest !== "") throw new BadFile("is truncated");
}

function parse<T>(schema: z.ZodType<T>, line: string | undefined, otherwise: string): T {
  try {
    return schema.parse(JSON.parse(line ?? ""));
  } catch {
    throw new BadFile(otherwise);
  }
}

const rowSchema = z.array(z.string().nullable());

/** Some rows of one table, each as JSON array text. */
export interface Batch {
  readonly table: Header["tables"][number];
  readonly rows: readonly string[];
}

/** Rows per batch, and the length in characters after which one ends early: what either side keeps in memory. */
export const BATCH_ROWS = 1_000;
export const BATCH_LENGTH = 1_000_000;

/**
 * Reads a file from start to end; yields the header, then the rows. Throws a BadFile unless the file is complete and
 * unchanged, which is only known after the last batch.
 */
export async function* readExport(path: string): AsyncGenerator<Header | Batch> {
  const lines = linesOf(path);
  const next = async () => (await lines.next()).value;
  const sum = new Sum();
  try {
    const first = await next();
    const header = parse(headerSchema, first, "is not an export of this program");
    if (header.version > VERSION) throw new BadFile("was written by a newer version of this program");
    sum.line(first ?? "", false);
    yield header;
    for (const table of header.tables) {
      let rows: string[] = [];
      let length = 0;
      for (let index = 0; index < table.rows; index++) {
        const line = await next();
        if (line === undefined) throw new BadFile("is truncated");
        const values = parse(rowSchema, line, "is damaged");
        if (values.length !== table.columns.length) throw new BadFile("is damaged");
        sum.line(line, true);
        rows.push(line);
        length += line.length;
        if (rows.length < BATCH_ROWS && length < BATCH_LENGTH) continue;
        yield { table, rows };
        [rows, length] = [[], 0];
      }
      if (rows.length > 0) yield { table, rows };
    }
    const last = await next();
    if (last === undefined) throw new BadFile("is truncated");
    const { rows, sha256 } = parse(trailerSchema, last, "is damaged");
    const found = sum.trailer();
    if (rows !== found.rows || sha256 !== found.sha256 || (await next()) !== undefined)
      throw new BadFile("is damaged");
  } finally {
    await lines.return(undefined);
  }
}
