import type { Endpoint, Schema } from "~/contract/endpoint";
import { definitionOf, required } from "~/contract/schema";
import { spellings } from "~/contract/spelling";
import type { FieldViolation } from "~/contract/status";

/** A query under its canonical names, and what of it does not fit. */
export interface ReadQuery {
  readonly values: Record<string, unknown>;
  readonly violations: readonly FieldViolation[];
}

export type QueryReader = (search: string) => ReadQuery;

/**
 * Reads the query of one endpoint: every parameter under its canonical spelling and as the type of its schema.
 * Unknown keys are ignored; everything that does not fit is reported at once (contract 0.4).
 * `search` is the raw text behind the question mark.
 */
export function queryReader({ query }: Pick<Endpoint, "query">): QueryReader {
  const names = spellings(Object.keys(query));
  return (search) => {
    const violations: FieldViolation[] = [];
    const texts = new Map<string, string[]>();
    for (const [key, value] of pairs(search)) {
      const name = key === undefined ? undefined : names.get(key);
      if (name === undefined) continue;
      if (value === undefined)
        violations.push({ field: name, description: `${name} is not percent-encoded UTF-8` });
      else if (value.includes("\0"))
        violations.push({ field: name, description: `${name} must not contain NUL` });
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
  if (texts && texts.length > 1 && type !== "array") return violation(`${name} may be given only once`);
  const typed =
    type === "array"
      ? texts?.map((text) => convert(text, element))
      : texts && convert(texts[0] ?? "", schema);
  const result = schema.safeParse(typed);
  if (result.success) return { value: result.data };
  return violation(result.error.issues[0]?.message ?? `${name} is not valid`);
}

/** Text that is no number or no boolean stays text, for the schema to refuse in its own words. */
function convert(text: string, schema: Schema | undefined): unknown {
  const type = schema && definitionOf(required(schema)).type;
  if (type === "number" || type === "int") return /^-?\d+$/.test(text) ? Number(text) : text;
  if (type === "boolean") return { true: true, false: false, "1": true, "0": false }[text] ?? text;
  return text;
}

/** Key and value of every part; undefined for what cannot be decoded. */
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
