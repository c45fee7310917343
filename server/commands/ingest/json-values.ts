import { StringDecoder } from "node:string_decoder";
import { getHeapStatistics } from "node:v8";
import { none } from "stream-chain/defs.js";
import { gen } from "stream-chain/gen.js";
import { streamArray } from "stream-json/streamers/stream-array.js";

/** The input cannot be used; the message continues a sentence that starts with the file name. */
export class BadInput extends Error {}

/** One record of a file, and its position: "line 7", "entry 7", or "" if it is the whole file. */
export interface FoundValue {
  readonly value: unknown;
  readonly where: string;
}

/**
 * Largest record in bytes, or largest file that is a single record: it is held in memory, and what is made of it takes
 * up to twelve times as much. A full heap would end the process without a message.
 */
const LARGEST = Math.min(256_000_000, getHeapStatistics().heap_size_limit / 14);

function checkSize(length: number, largest: number): void {
  if (length <= largest) return;
  const megabytes = Math.floor(largest / 1e6);
  throw new BadInput(`has a record larger than ${megabytes} MB, the limit with this much memory`);
}

type Chunks = AsyncIterable<Buffer>;

/**
 * The records of a JSON file, in order: the entries of an array, the lines of NDJSON, or a single document. Throws a
 * BadInput if it is truncated or not JSON.
 */
export async function* jsonValues(chunks: Chunks, largest = LARGEST): AsyncGenerator<FoundValue> {
  const { first, all } = await peek(chunks);
  if (first === undefined) throw new BadInput("is empty");
  if (first === "[") yield* entries(all, largest);
  else if (first === "{") yield* documents(all, largest);
  else throw new BadInput(`is not JSON: it ${KINDS[first] ?? `begins with ${JSON.stringify(first)}`}`);
}

/** What files begin with that are often given. */
const KINDS: Readonly<Record<string, string>> = {
  "<": "is XML, which is not supported: convert it to JSON",
  "\u001F": "is compressed: unpack it first",
};

/** The first character that is not whitespace, and the entire input. */
async function peek(chunks: Chunks): Promise<{ first: string | undefined; all: Chunks }> {
  const rest = chunks[Symbol.asyncIterator]();
  const read: Buffer[] = [];
  let first: string | undefined;
  while (first === undefined) {
    const { done, value } = await rest.next();
    if (done) break;
    read.push(value);
    // A byte order mark may come first.
    first = /[^\s\uFEFF]/.exec(value.toString())?.[0];
  }
  const all = async function* (): AsyncGenerator<Buffer> {
    yield* read;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  };
  return { first, all: all() };
}

const asText = async function* (chunks: Chunks): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  for await (const chunk of chunks) yield decoder.write(chunk);
  yield decoder.end();
};

async function* entries(chunks: Chunks, largest: number): AsyncGenerator<FoundValue> {
  const parse = gen(streamArray.withParser()) as (text: unknown) => AsyncIterable<{ value: unknown }>;
  let count = 0;
  let length = 0;
  const parts = asText(chunks);
  for (let ended = false; !ended;) {
    const { done = false, value: text } = await parts.next();
    ended = done;
    checkSize((length += done ? 0 : text.length), largest);
    const found = parse(done ? none : text)[Symbol.asyncIterator]();
    for (;;) {
      const next = await found.next().catch(() => {
        throw new BadInput(`is truncated or not JSON after entry ${count}`);
      });
      if (next.done) break;
      count += 1;
      length = 0;
      yield { value: next.value.value, where: `entry ${count}` };
    }
  }
}

async function* lines(chunks: Chunks, largest: number): AsyncGenerator<string> {
  let rest = "";
  for await (const text of asText(chunks)) {
    const parts = text.split("\n");
    parts[0] = rest + parts[0];
    rest = parts.pop() ?? "";
    checkSize(rest.length, largest);
    yield* parts;
  }
  yield rest;
}

const parsed = (text: string): { value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
};

/** One document per line, or a single document across all lines. */
async function* documents(chunks: Chunks, largest: number): AsyncGenerator<FoundValue> {
  let number = 0;
  let found = 0;
  let whole: string[] | undefined;
  let length = 0;
  for await (const raw of lines(chunks, largest)) {
    number += 1;
    const line = number === 1 ? raw.replace(/^\uFEFF/, "") : raw;
    if (whole) {
      whole.push(line);
      checkSize((length += line.length), largest);
    } else if (line.trim() !== "") {
      const document = parsed(line);
      if (document) {
        found += 1;
        yield { value: document.value, where: `line ${number}` };
      } else if (found > 0) throw new BadInput(`is truncated or not JSON in line ${number}`);
      else whole = [line];
    }
  }
  if (!whole) return;
  const document = parsed(whole.join("\n"));
  if (!document) throw new BadInput("is truncated or not JSON");
  yield { value: document.value, where: "" };
}
