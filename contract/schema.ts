import * as z from "zod/mini";

import type { Schema } from "./endpoint";
import { webAddressProblem, webAddressSentence } from "./web-address";

/** Limits in bytes, the unit of stores and headers. */
export const NAME_BYTES = 1_000;
export const TEXT_BYTES = 8_000;

const utf8 = new TextEncoder();
// An unpaired surrogate is not a character, and databases reject it.
const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;
const storable = (value: string): boolean => !value.includes("\0") && !LONE_SURROGATE.test(value);

/** What a string represents in protobuf, if not a string (ProtoJSON). */
export type Format = "timestamp" | "duration" | "bytes" | "int64" | "capability" | "imageRef";
const formats = new WeakMap<object, Format>();

export function withFormat<S extends object>(format: Format, schema: S): S {
  formats.set(schema, format);
  return schema;
}

export const formatOf = (schema: object): Format | undefined => formats.get(schema);

export interface TextRules {
  /** The message for a value that is missing, is not a string or does not match. */
  readonly sentence?: string;
  readonly pattern?: RegExp;
  readonly bytes?: number;
  /** Length in characters, not bytes. */
  readonly characters?: readonly [minimum: number, maximum: number];
}

/** A string that the platform can store. Every check has its own message, because users read it. */
export function text({ sentence, pattern, bytes = TEXT_BYTES, characters }: TextRules = {}) {
  const schema = z.string(sentence ?? "must be text").check(
    z.refine(storable, "must not contain NUL or unpaired surrogates"),
    z.refine((value) => utf8.encode(value).length <= bytes, `must be at most ${bytes} bytes long`),
  );
  if (pattern) return schema.check(z.regex(pattern, sentence ?? `must match "${pattern.source}"`));
  if (!characters) return schema;
  const [minimum, maximum] = characters;
  const range = sentence ?? `must be ${minimum} to ${maximum} characters long`;
  return schema.check(
    z.refine((value) => [...value].length >= minimum && [...value].length <= maximum, range),
  );
}

/** The address of a web page or service. */
export function webAddressText({
  bytes,
  ...rules
}: { readonly bytes?: number } & Parameters<typeof webAddressProblem>[1] = {}) {
  return text({
    sentence: webAddressSentence("", rules),
    ...(bytes !== undefined && { bytes }),
  }).check(
    z.refine((value) => webAddressProblem(value, rules) === undefined, {
      error: ({ input }) => webAddressSentence(String(input), rules),
    }),
  );
}

/** Milliseconds of the first and last valid time (google.protobuf.Timestamp). */
const EARLIEST = -62_135_596_800_000;
const LATEST = 253_402_300_799_999;

/** An RFC 3339 time; the API writes UTC. */
export const timestamp = () =>
  withFormat(
    "timestamp",
    z.string("must be a time such as 2026-01-28T12:54:21.189Z").check(
      z.refine(
        (value) =>
          /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.test(value) &&
          Date.parse(value) >= EARLIEST &&
          Date.parse(value) <= LATEST &&
          // Date.parse moves 31 February and 24:00 to the next day that exists.
          new Date(value.slice(0, 19) + "Z").toISOString().startsWith(value.slice(0, 19)),
        "must be a time such as 2026-01-28T12:54:21.189Z",
      ),
    ),
  );

/** A map of text to text; an update mask names the whole map (AIP-134). */
export const textMap = () =>
  z
    .record(text({ bytes: NAME_BYTES }), text())
    .check(z.refine((map) => !("" in map), "must not have an empty key"));

/** A duration in seconds, as JSON writes google.protobuf.Duration: `3600s`, `1.5s`. */
const DURATION = /^(\d{1,12}(?:\.\d{1,9})?)s$/;

/** Seconds of a duration string; undefined if it is not one. */
export const secondsOf = (text: string): number | undefined => {
  const [, seconds] = DURATION.exec(text) ?? [];
  return seconds === undefined ? undefined : Number(seconds);
};

/** A duration from `minimum` to `maximum` seconds. */
export const durationText = (minimum: number, maximum: number) => {
  const sentence = `must be a duration from ${minimum}s to ${maximum}s, such as ${minimum}s`;
  return withFormat(
    "duration",
    z.string(sentence).check(
      z.regex(DURATION, sentence),
      z.refine((text) => {
        const seconds = secondsOf(text) ?? minimum;
        return seconds >= minimum && seconds <= maximum;
      }, sentence),
    ),
  );
};

/** The name of a capability, or its dotted name; over gRPC, a value of the published enum. */
export const capabilityName = () =>
  withFormat("capability", text({ bytes: NAME_BYTES, sentence: "must be the name of a capability" }));

/** Bytes as base64 (RFC 4648, section 4, with padding), at most this many before encoding. */
export const base64Text = (bytes: number) =>
  withFormat(
    "bytes",
    z
      .string("must be base64")
      .check(
        z.regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, "must be base64"),
        z.maxLength(Math.ceil(bytes / 3) * 4, `must be at most ${bytes} bytes long`),
      ),
  );

const INT64 = 2n ** 63n;

/** An int64 as JSON writes it: digits in a string, since a number would not be exact (ProtoJSON). */
export const int64Text = (sentence = "must be a whole number as text") =>
  withFormat(
    "int64",
    z.string(sentence).check(
      z.regex(/^-?(?:0|[1-9]\d{0,18})$/, sentence),
      z.refine((text) => {
        if (!/^-?\d{1,19}$/.test(text)) return true;
        const value = BigInt(text);
        return value >= -INT64 && value < INT64;
      }, "must fit in 64 bits"),
    ),
  );

/** Callers must use a known value; readers keep unknown ones. */
export const openEnum = <const V extends string>(values: readonly V[]) =>
  z.enum(values as readonly [V, ...V[]], `must be one of ${values.join(", ")}`) as unknown as z.ZodMiniType<
    V | (string & {})
  >;

export interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly innerType?: Schema;
  readonly element?: Schema;
  /** For an enum: its values, keyed by themselves. */
  readonly entries?: Readonly<Record<string, string>>;
  readonly keyType?: Schema;
  readonly valueType?: Schema;
}

/** The definition behind a schema; complete, because wire schemas have no transforms. */
export const definitionOf = (schema: Schema): Definition => schema._zod.def as unknown as Definition;

/** The schema without its `optional` wrapper. */
export function required(schema: Schema): Schema {
  const { type, innerType } = definitionOf(schema);
  return type === "optional" && innerType ? required(innerType) : schema;
}

/** The fields of an object schema; undefined for anything else, including maps. */
export const shapeOf = (schema: Schema): Readonly<Record<string, Schema>> | undefined =>
  definitionOf(required(schema)).shape;

const stricts = new WeakMap<Schema, Schema>();

/** The strict schema from which this reader's form was made; else the schema itself. */
export const strictOf = (schema: Schema): Schema => stricts.get(schema) ?? schema;

/** Returns the reader's form of a schema: keeps unknown keys, accepts any string for an enum, validates no values. */
export function loose(schema: Schema): Schema {
  const reader = looseForm(schema);
  stricts.set(reader, strictOf(schema));
  return reader;
}

/** An enum whose readers accept any string; `values` are the ones known today. */
export const answeredEnum = (values: readonly string[]) => loose(openEnum(values)) as z.ZodMiniType<string>;

function looseForm(schema: Schema): Schema {
  const { type, shape, innerType, element, valueType } = definitionOf(schema);
  if (type === "optional" && innerType) return z.optional(loose(innerType));
  if (type === "object" && shape)
    return z.looseObject(
      Object.fromEntries(Object.entries(shape).map(([key, field]) => [key, loose(field)])),
    );
  if (type === "array" && element) return z.array(loose(element));
  if (type === "record" && valueType) return z.record(z.string(), loose(valueType));
  if (type === "string" || type === "enum") return z.string();
  if (type === "number" || type === "int") return z.number();
  return type === "boolean" ? z.boolean() : z.unknown();
}

/** The form of an update's body: any part of an object can be missing; lists and maps are whole (AIP-134). */
export function sparse(schema: Schema): Schema {
  const shape = shapeOf(schema);
  if (!shape) return required(schema);
  return z.object(
    Object.fromEntries(Object.entries(shape).map(([key, field]) => [key, z.optional(sparse(field))])),
  );
}
