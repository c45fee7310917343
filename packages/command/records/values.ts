import { readFileSync } from "node:fs";
import { definitionOf, required, shapeOf } from "platform-contract/schema";
import type { Schema } from "platform-contract/endpoint";
import { isObject } from "platform-contract/values";
import { parse } from "yaml";

import { UsageError } from "../cli/errors";
import type { AnyKind } from "./kinds";

type Shape = Readonly<Record<string, Schema>>;
type Values = Record<string, unknown>;

/** The schema of a field by its path; throws a UsageError that names the fields that there are. */
function schemaAt(kind: AnyKind, path: string): Schema {
  let shape: Shape | undefined = kind.settable;
  let schema: Schema | undefined;
  for (const key of path.split(".")) {
    schema = shape && Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (!schema) {
      const known = Object.keys(shape ?? {}).join(", ");
      throw new UsageError(
        `${kind.plural} have no field ${JSON.stringify(path)}${known && `; there are ${known}`}.`,
      );
    }
    shape = shapeOf(schema);
  }
  return schema as Schema;
}

/** A text as the value that a field takes: a number, true or false, or itself. */
function valueOf(schema: Schema, path: string, text: string): unknown {
  const { type } = definitionOf(required(schema));
  if (type === "boolean") {
    if (text !== "true" && text !== "false") throw new UsageError(`${path} takes true or false.`);
    return text === "true";
  }
  if (type === "int" || type === "number") {
    const number = Number(text);
    if (text.trim() === "" || Number.isNaN(number)) throw new UsageError(`${path} takes a number.`);
    return number;
  }
  if (type === "object" || type === "record")
    throw new UsageError(`${path} has parts: write ${path}.<part>=..., or ${path}:=<JSON>.`);
  return text;
}

function put(body: Values, path: string, value: unknown): void {
  const keys = path.split(".");
  const last = keys.pop() ?? path;
  let place = body;
  for (const key of keys) place = (place[key] ??= {}) as Values;
  place[last] = value;
}

const LIST = "array";

/**
 * A body from `--field` options: `name=web`, `claimMatch.issuer=...`, `aliases=a` once for each entry, or any JSON after
 * `:=`. Throws a UsageError.
 */
export function bodyOfFields(kind: AnyKind, fields: readonly string[]): { body: Values; paths: string[] } {
  const body: Values = {};
  const lists = new Map<string, unknown[]>();
  const paths = fields.map((field) => {
    const [, path = "", mark, text = ""] = /^([\w.]+)(:=|=)([^]*)$/.exec(field) ?? [];
    if (mark === undefined)
      throw new UsageError(`--field takes <field>=<value>, not ${JSON.stringify(field)}.`);
    const schema = schemaAt(kind, path);
    const { type, element } = definitionOf(required(schema));
    if (mark === ":=") put(body, path, jsonOf(path, text));
    else if (type === LIST && element) {
      const list = [...(lists.get(path) ?? []), ...(text === "" ? [] : [valueOf(element, path, text)])];
      lists.set(path, list);
      put(body, path, list);
    } else put(body, path, valueOf(schema, path, text));
    return path;
  });
  return { body, paths: [...new Set(paths)] };
}

function jsonOf(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${path}:= takes JSON.`);
  }
}

/** The path of a field that callers can't set and the service doesn't have: it would be dropped without a word. */
function unknownIn(value: Values, settable: Shape, answered: Shape = {}, path = ""): string | undefined {
  for (const [key, inner] of Object.entries(value)) {
    const own = Object.hasOwn(settable, key) ? settable[key] : undefined;
    const other = Object.hasOwn(answered, key) ? answered[key] : undefined;
    if (!own && !other) return `${path}${key}`;
    const parts = own && shapeOf(own);
    if (!parts || !isObject(inner)) continue;
    const strange = unknownIn(inner, parts, other && shapeOf(other), `${path}${key}.`);
    if (strange !== undefined) return strange;
  }
  return undefined;
}

/**
 * A body from a file in JSON or YAML ("-": standard input), without what only the service sets: a record that was read
 * can be sent back. Throws a UsageError.
 */
export function bodyOfFile(kind: AnyKind, file: string): Values {
  let text: string;
  try {
    text = readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    throw new UsageError(`${file} can't be read: ${(error as Error).message}`);
  }
  let read: unknown;
  try {
    read = parse(text);
  } catch (error) {
    throw new UsageError(`${file} is neither JSON nor YAML: ${(error as Error).message}`);
  }
  if (!isObject(read))
    throw new UsageError(
      `${file === "-" ? "Standard input" : file} has no record in it: an object with fields.`,
    );
  const strange = unknownIn(read, kind.settable, shapeOf(kind.answer));
  if (strange !== undefined)
    throw new UsageError(
      `${file}: ${kind.plural} have no field ${JSON.stringify(strange)}; there are ${Object.keys(kind.settable).join(", ")}.`,
    );
  return Object.fromEntries(Object.entries(read).filter(([key]) => Object.hasOwn(kind.settable, key)));
}
