import { createInterface } from "node:readline";
import { Readable } from "node:stream";

import { BadInput, jsonValues, type Found } from "./json-values";

/** The first line of a file of EPSS: `#model_version:v2025.03.14,score_date:2026-11-23T00:00:00+0000`. */
const MODEL = /score_date:(\d{4}-\d{2}-\d{2})/;
const HEAD = "cve,epss,percentile";

/** True if a file is one of EPSS: JSON begins with neither. */
const isEpss = (text: string): boolean => /^\uFEFF?(?:#|cve,)/.test(text);

/** The records of a file of any size: JSON, or the CSV of EPSS. */
export async function* valuesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Found> {
  const source = chunks[Symbol.asyncIterator]();
  const first = await source.next();
  const rest = async function* () {
    for (let next = first; next.done !== true; next = await source.next()) yield next.value;
  };
  const isCsv = first.done !== true && isEpss(first.value.subarray(0, 8).toString());
  yield* isCsv ? epssValues(rest()) : jsonValues(rest());
}

async function* epssValues(chunks: AsyncIterable<Buffer>): AsyncGenerator<Found> {
  let day: string | undefined;
  let line = 0;
  let isHeadRead = false;
  for await (const text of createInterface({ input: Readable.from(chunks), crlfDelay: Infinity })) {
    line += 1;
    const where = `line ${line}`;
    if (text === "") continue;
    if (text.startsWith("#")) day ??= MODEL.exec(text)?.[1];
    else if (!isHeadRead) {
      if (!text.startsWith(HEAD)) throw new BadInput(`${where} is not ${HEAD}, the first line of EPSS`);
      isHeadRead = true;
    } else {
      const [cve, epss, percentile] = text.split(",");
      yield { value: { cve, epss, percentile, day }, where };
    }
  }
}
