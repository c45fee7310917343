import { PAGE_SIZE_MAX } from "platform-contract/aip";
import { shapeOf } from "platform-contract/schema";

import { print, tell, type Command } from "../cli/command";
import { UsageError } from "../cli/errors";
import { words, type Given } from "../cli/options";
import { formatted } from "../output/format";
import { connect } from "../session/session";
import { columnsOf, isField } from "./columns";
import { checkUid, kindNamed, operation, type AnyKind, type AnyRecord } from "./kinds";
import { columnsGiven, filtersOf, kindIn, OUTPUT, outputOf, queryOf } from "./options";

const ROWS = 100;

/** Throws a UsageError for an output that can't be printed: before anything is sent. */
export function checkOutput(kind: AnyKind, given: Given): void {
  outputOf(given);
  const strange = columnsGiven(given)?.find((path) => !isField(kind, path));
  if (strange === undefined) return;
  const known = Object.keys(shapeOf(kind.answer) ?? {}).join(", ");
  throw new UsageError(`${kind.plural} have no field ${JSON.stringify(strange)}; there are ${known}.`);
}

/** Prints one record, or several, as the options say. */
export function show(kind: AnyKind, given: Given, value: AnyRecord | readonly AnyRecord[]): void {
  print(formatted(value, outputOf(given), columnsGiven(given) ?? columnsOf(kind)));
}

export const get: Command = {
  words: "KIND UID",
  what: "prints one record",
  options: () => OUTPUT,
  async run(given, signal) {
    const [name, uid] = words(given, ["KIND", "UID"]);
    const kind = kindNamed(name);
    const endpoint = operation(kind, "get");
    checkUid(uid, kind);
    checkOutput(kind, given);
    const { client } = await connect(given.text("server"));
    show(kind, given, await client.call(endpoint, { path: { uid }, signal }));
  },
};

function limitOf(given: Given): number {
  const text = given.text("limit");
  if (given.has("all")) {
    if (text !== undefined) throw new UsageError("--all and --limit contradict each other.");
    return Infinity;
  }
  if (text === undefined) return ROWS;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError("--limit takes a number from 1.");
  return Number(text);
}

export const list: Command = {
  words: "KIND",
  what: "prints the records of a kind that you can see",
  more: "The filters are those of the kind: platform list KIND --help prints them.",
  options: (words) => {
    const kind = kindIn(words);
    return {
      parent: { type: "string", value: "UID", what: "only what is directly in this group or record" },
      limit: { type: "string", value: "N", what: `at most so many records; ${ROWS} by default` },
      all: { type: "boolean", what: "all of them" },
      ...OUTPUT,
      ...(kind && filtersOf(kind)),
    };
  },
  async run(given, signal) {
    const [name] = words(given, ["KIND"]);
    const kind = kindNamed(name);
    const limit = limitOf(given);
    const parent = given.text("parent");
    if (parent !== undefined) checkUid(parent);
    checkOutput(kind, given);
    const { client } = await connect(given.text("server"));
    const query = { ...queryOf(kind, given), page_size: Math.min(limit, PAGE_SIZE_MAX) };
    const found: AnyRecord[] = [];
    let more = false;
    for await (const page of client.pages(kind.list, { query, signal })) {
      found.push(...page.items);
      more = found.length > limit || (found.length === limit && page.nextPageToken !== undefined);
      if (found.length >= limit) break;
    }
    show(kind, given, found.slice(0, limit));
    if (found.length === 0 && outputOf(given) === "table") tell(`No ${kind.plural} found.`);
    if (more)
      tell(
        `${limit === 1 ? "Only the first one is" : `Only the first ${limit} are`} shown. --all shows all of them.`,
      );
  },
};
