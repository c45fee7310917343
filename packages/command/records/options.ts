import { FIELDS, PARAMETERS } from "platform-contract/descriptions";
import type { Schema } from "platform-contract/endpoint";
import { definitionOf, required, shapeOf } from "platform-contract/schema";

import { formatOf, type OutputFormat } from "../output/format";
import type { Given, Option, Options } from "../cli/options";
import { UsageError } from "../cli/errors";
import { kindNamed, type AnyKind } from "./kinds";

export const OUTPUT: Options = {
  output: {
    type: "string",
    short: "o",
    value: "FORMAT",
    what: "json, yaml or table; by default a table on a terminal, JSON elsewhere",
  },
  columns: {
    type: "string",
    value: "A,B",
    what: "prints a table with these columns: fields, also of a part: role.name",
  },
};

export const REASON: Options = {
  reason: { type: "string", value: "TEXT", what: "why, for the audit log, if the service keeps that" },
};

export const BODY: Options = {
  file: {
    type: "string",
    short: "f",
    value: "FILE",
    what: "the record in JSON or YAML; - is standard input",
  },
  field: {
    type: "string",
    multiple: true,
    value: "NAME=VALUE",
    what: "one field; name:=JSON for anything else than text, numbers and true or false",
  },
};

/** The format; columns are asked of a table. Throws a UsageError. */
export function outputOf(given: Given): OutputFormat {
  const asked = given.text("output");
  const columns = given.text("columns") !== undefined;
  const format = formatOf(asked, columns || process.stdout.isTTY === true);
  if (columns && format !== "table") throw new UsageError(`--columns is for tables, and not for ${format}.`);
  return format;
}

export const columnsGiven = (given: Given): string[] | undefined =>
  given.text("columns")?.split(",").filter(Boolean);

/** Parameters that the command sets itself. */
const OWN = new Set(["page_size", "page_token", "skip"]);

const optionOf = (name: string, schema: Schema): Option => {
  const { type, entries } = definitionOf(required(schema));
  const meaning = PARAMETERS[name] ?? "Filters the list";
  const what = `${meaning}${entries ? `: ${Object.keys(entries).join(", ")}` : ""}`;
  if (type === "boolean") return { type, what };
  return { type: "string", value: "VALUE", what, ...(type === "array" && { multiple: true }) };
};

/** The filters of a list, by the contract's names. */
export const filtersOf = ({ list, sortable }: AnyKind): Options =>
  Object.fromEntries(
    Object.entries(list.query)
      .filter(([name]) => !OWN.has(name))
      .map(([name, schema]) => [
        name,
        name === "order_by"
          ? { ...optionOf(name, schema), what: `${sortable.join(", ")}, each also with " desc"` }
          : optionOf(name, schema),
      ]),
  );

/** The query of a list from its options. */
export function queryOf(kind: AnyKind, given: Given): Record<string, unknown> {
  const query = Object.entries(filtersOf(kind)).flatMap(([name, { type, multiple }]): [string, unknown][] => {
    if (type === "boolean") return given.has(name) ? [[name, true]] : [];
    const texts = given.texts(name);
    return texts.length === 0 ? [] : [[name, multiple ? texts : texts[0]]];
  });
  const parent = given.text("parent");
  return { ...Object.fromEntries(query), ...(parent !== undefined && { "uidp.children_of": parent }) };
}

/** The kind that the words of a command name, if they do. */
export function kindIn([name]: readonly string[]): AnyKind | undefined {
  try {
    return name === undefined ? undefined : kindNamed(name);
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

/** A line for each field, those in others by their path. */
const fieldLines = (shape: Readonly<Record<string, Schema>>, place: string, path = ""): string[] =>
  Object.entries(shape).flatMap(([name, schema]) => {
    const parts = shapeOf(schema);
    if (parts) return fieldLines(parts, name, `${path}${name}.`);
    const meaning = FIELDS[`${place}.${name}`] ?? FIELDS[name] ?? "";
    return [`  ${`${path}${name}`.padEnd(28)} ${meaning}`.trimEnd()];
  });

/** The fields that a caller can set, for a help text; undefined until the words name a kind. */
export function fieldsOf(words: readonly string[]): string | undefined {
  const kind = kindIn(words);
  return kind && `Fields of ${kind.plural}:\n${fieldLines(kind.settable, kind.collection).join("\n")}`;
}
