import * as z from "zod/mini";

import { PAGE_SIZE_MAX, snakeCase } from "platform-contract/aip";
import { PARAMETERS } from "platform-contract/descriptions";
import type { Endpoint, Schema } from "platform-contract/endpoint";
import { explainAccess } from "platform-contract/iam/access-decisions";
import { separated } from "platform-contract/kinds";
import { getReadme } from "platform-contract/registry/repos";
import { required } from "platform-contract/schema";

import { UsageError } from "../cli/errors";
import { KINDS, type AnyKind } from "../records/kinds";
import type { Connected } from "../state/reality";
import { mark } from "./mark";
import { proposePlan } from "./plans";

type Json = Readonly<Record<string, unknown>>;

export interface ToolOptions extends Connected {
  /** The directory for plans. */
  readonly plans: string;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly properties: Json;
  readonly required: readonly string[];
  /** Resolves to an answer with every text of others marked. Throws what the client throws. */
  run(given: Json, options: ToolOptions, signal: AbortSignal): Promise<unknown>;
}

/** Rows of a page, unless asked for fewer or more; and the most. */
const ROWS = 20;
const MOST_ROWS = 50;
/** Characters of one text in a list, and elsewhere. */
const SHORT = 2_000;
const LONG = 20_000;

const NOT_ASKED = new Set(["skip", "page_size"]);

function schemaOf(name: string, schema: Schema, more = ""): Json {
  const { $schema: _, ...rest }: Json = z.toJSONSchema(required(schema), { unrepresentable: "any" });
  const description = [PARAMETERS[name], more].filter(Boolean).join(": ");
  return { ...rest, ...(description !== "" && { description }) };
}

const UID = { uid: { type: "string", description: "The uid of the record" } };

function listTool({ list, collection, plural, sortable }: AnyKind): Tool {
  const query = Object.entries(list.query).filter(([name]) => !NOT_ASKED.has(name));
  return {
    name: `list_${separated(collection, "_")}`,
    description: `Lists ${plural} that the person who signed in can see, a page at a time.`,
    properties: {
      ...Object.fromEntries(
        query.map(([name, schema]) => [
          name,
          schemaOf(name, schema, name === "order_by" ? `${sortable.join(", ")}, each also with " desc"` : ""),
        ]),
      ),
      page_size: {
        type: "integer",
        minimum: 1,
        maximum: MOST_ROWS,
        description: `The most rows of a page; ${ROWS} if left out`,
      },
    },
    required: [],
    async run({ page_size = ROWS, ...filters }, { client }, signal) {
      const rows = Math.min(MOST_ROWS, PAGE_SIZE_MAX, Math.max(1, Math.trunc(Number(page_size)) || ROWS));
      const { items, nextPageToken, totalCount } = await client.call(list, {
        query: { ...filters, page_size: rows },
        signal,
      });
      return {
        rows: items.slice(0, rows).map((row) => mark(row, SHORT)),
        ...(totalCount !== undefined && { total_count: Number(totalCount) }),
        // Made by the service; whoever asks for the next page sends it back.
        ...(nextPageToken !== undefined && { next_page_token: nextPageToken }),
      };
    },
  };
}

const getTool = (
  name: string,
  description: string,
  endpoint: Endpoint<object, undefined, unknown>,
): Tool => ({
  name,
  description,
  properties: UID,
  required: ["uid"],
  run: async ({ uid }, { client }, signal) =>
    mark(await client.call(endpoint, { path: { uid: String(uid) }, signal }), LONG),
});

const explain: Tool = {
  name: "explain_access",
  description:
    "Says whether an identity may do something with a record, and why: which role bindings give it, what is missing. Without identity it is about the person who signed in; the token in use only reads, whatever they may do.",
  properties: Object.fromEntries(
    Object.entries(explainAccess.query).map(([name, schema]) => [name, schemaOf(name, schema)]),
  ),
  required: ["uid", "capabilities"],
  run: async (given, { client }, signal) =>
    mark(await client.call(explainAccess, { query: given as never, signal }), LONG),
};

/** Every tool, from the contract. None of them writes. */
export const TOOLS: readonly Tool[] = [
  ...KINDS.flatMap((kind) => [
    listTool(kind),
    ...(kind.get
      ? [
          getTool(
            `get_${snakeCase(kind.type).replace(/^_/, "")}`,
            `Reads one of the ${kind.plural} whole.`,
            kind.get,
          ),
        ]
      : []),
  ]),
  getTool("get_readme", "Reads the readme of a repo, as its authors wrote it.", getReadme),
  explain,
  proposePlan,
];

/** Throws a UsageError for arguments that a tool does not have or lacks. */
export function checkArguments(tool: Tool, given: Json): void {
  const strange = Object.keys(given).filter((name) => !Object.hasOwn(tool.properties, name));
  const missing = tool.required.filter((name) => given[name] === undefined);
  if (strange.length > 0) throw new UsageError(`${tool.name} has no argument ${JSON.stringify(strange[0])}.`);
  if (missing.length > 0) throw new UsageError(`${tool.name} needs ${missing.join(", ")}.`);
}
