import type { Endpoint, Schema } from "platform-contract/endpoint";
import { definitionOf, required } from "platform-contract/schema";
import { spellings } from "platform-contract/spelling";
import type { FieldViolation } from "platform-contract/status";

/** Query parameters by canonical name, and violations for invalid ones. */
export interface ReadQuery {
  readonly values: Record<string, unknown>;
  readonly violations: readonly FieldViolation[];
}

export type QueryReader = (search: string) => ReadQuery;

/**
 * Parses the query of an endpoint: each parameter under its canonical spelling, with the type of its schema. Ignores
 * unknown keys and reports all violations together. `search` is the raw text after the question mark.
 */
export function queryReader({ query, isToken }: Pick<Endpoint, "query" | "isToken">): QueryReader {
  const names = spellings(Object.keys(query));
  return (search) => {
    const violations: FieldViolation[] = [];
    const texts = new Map<string, string[]>();
    for (const [key, value] of pairs(search)) {
      const name = key === undefined ? undefined : names.get(key);
      if (name === undefined && isToken)
        violations.push({ field: key ?? "", description: "is not a parameter" });
      if (name === undefined) continue;
      if (value === undefined) violations.push({ field: name, description: "is not percent-encoded UTF-8" });
      else if (value.includes("\0")) violations.push({ field: name, description: "must not contain NUL" });
      else {
        const before = texts.get(name) ?? [];
        before.push(value);
        texts.set(name, before);
      }
    }
    const values: Record<string, unknown> = {};
    for (const [name, schema] of Object.entries(query)) {
      const given = texts.get(name);
      if (!given && violations.some(({ field }) => field === name)) continue;
      const read = readParameter(name, schema, given);
      if ("violation" in read) violations.push(read.violation);
      else if (read.value !== undefined) values[name] = read.value;
    }
    return { values, violations };
  };
}

function readParameter(
  name: string,
  schema: Schema,
  texts: readonly string[] | undefined,
): { value: unknown } | { violation: FieldViolation } {
  const violation = (description: string) => ({ violation: { field: name, description } });
  const { type, element } = definitionOf(required(schema));
  if (texts && texts.length > 1 && type !== "array") return violation("can be given only once");
  const typed =
    type === "array"
      ? texts?.map((text) => convert(text, element))
      : texts && convert(texts[0] ?? "", schema);
  const result = schema.safeParse(typed);
  if (result.success) return { value: result.data };
  return violation(result.error.issues[0]?.message ?? "is not valid");
}

/** Leaves text that is not a number or boolean as it is, so that the schema reports it. */
function convert(text: string, schema: Schema | undefined): unknown {
  const type = schema && definitionOf(required(schema)).type;
  if (type === "number" || type === "int") return /^-?\d+$/.test(text) ? Number(text) : text;
  if (type === "boolean") return { true: true, false: false, "1": true, "0": false }[text] ?? text;
  return text;
}

/** Splits into keys and values; undefined if one cannot be decoded. */
const pairs = (search: string): [string | undefined, string | undefined][] =>
  search
    .split("&")
    .filter(Boolean)
    .map((part) => {
      const at = part.indexOf("=");
      return at < 0 ? [decode(part), ""] : [decode(part.slice(0, at)), decode(part.slice(at + 1))];
    });

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}
