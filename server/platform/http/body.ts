import type { Endpoint, Schema } from "platform-contract/endpoint";
import { resourceOf } from "platform-contract";
import { definitionOf, required, shapeOf } from "platform-contract/schema";
import { keyOf } from "platform-contract/spelling";
import type { FieldViolation } from "platform-contract/status";
import { isObject } from "platform-contract/values";
import type { IncomingMessage } from "node:http";

import { Failure, invalidArgument } from "../../status";
import { headerOf } from "./messages";

/** Bytes. No resource comes close; anything larger is a mistake or an attack. */
export const BODY_LIMIT = 1024 * 1024;

/** Maximum nesting. Code that reads bodies recurses, and no resource has more than five levels. */
const DEPTH_LIMIT = 100;

/** Maximum fields and list items: each invalid one is a violation, and half a million would block the process. */
const VALUES_LIMIT = 20_000;

const refuse = (sentence: string, limit?: number): Failure =>
  new Failure(
    "INVALID_ARGUMENT",
    `Invalid argument: ${sentence}`,
    [],
    limit === undefined ? {} : { metadata: { limit: String(limit) } },
  );

const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";

/** The value of a parameter of a media type (RFC 9110, section 8.3.1) if it is the charset. */
function charsetIn(parameter: string): string | undefined {
  const [name = "", value = ""] = parameter.split(/=(.*)/s);
  return name.trim().toLowerCase() === "charset" ? value.trim().replace(/^"(.*)"$/s, "$1") : undefined;
}

/** Reads a JSON object, empty if there is no body; throws INVALID_ARGUMENT for anything else. `own`: another type for JSON. */
export async function readObject(
  request: IncomingMessage,
  own = JSON_TYPE,
): Promise<Record<string, unknown>> {
  const text = await readText(request);
  if (text === "") return {};
  // None, and what generated clients send where a document says "*/*", are JSON. No cookie signs anybody in here, so that
  // a form of another site is no danger either.
  const [type = "", ...parameters] = (headerOf(request, "content-type") ?? JSON_TYPE).split(";");
  const charset = parameters.map(charsetIn).find(Boolean);
  if (
    ![JSON_TYPE, own, "*/*", ""].includes(type.trim().toLowerCase()) ||
    !/^utf-?8$/i.test(charset ?? "utf-8")
  )
    throw refuse(`the body must be ${own} in UTF-8`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse("the body is not valid JSON");
  }
  if (!isObject(value)) throw refuse("the body must be a JSON object");
  checkForm(value);
  return value;
}

/** Throws if an object is nested too deeply, has too many values or an invalid key. */
export function checkForm(body: object): void {
  let values = 0;
  const look = (value: unknown, path: string, depth: number): void => {
    values += 1;
    if (values > VALUES_LIMIT)
      throw refuse(`the body must contain at most ${VALUES_LIMIT} values`, VALUES_LIMIT);
    if (typeof value !== "object" || value === null) return;
    if (depth === DEPTH_LIMIT)
      throw refuse(`the body must be nested at most ${DEPTH_LIMIT} levels deep`, DEPTH_LIMIT);
    for (const [key, item] of Object.entries(value)) {
      const field = path === "" ? key : `${path}.${key}`;
      // Valid in JSON, but most code that copies objects loses it: a condition of that name would vanish.
      if (key === "__proto__") throw invalidArgument([{ field, description: "cannot be a key" }]);
      look(item, field, depth + 1);
    }
  };
  look(body, "", 0);
}

/** Reads a form (application/x-www-form-urlencoded); throws INVALID_ARGUMENT for anything else. */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const [type = ""] = (headerOf(request, "content-type") ?? "").split(";");
  if (type.trim().toLowerCase() !== FORM_TYPE) throw refuse(`the body must be ${FORM_TYPE}`);
  return new URLSearchParams(await readText(request));
}

/** Reads JSON of a program that the operator runs, of whatever content type, to be checked by a schema. */
export async function readLargeObject(request: IncomingMessage, limit: number): Promise<unknown> {
  try {
    return JSON.parse(await readText(request, limit));
  } catch (error) {
    throw error instanceof Failure ? error : refuse("the body is not valid JSON");
  }
}

async function readText(request: IncomingMessage, limit = BODY_LIMIT): Promise<string> {
  if (request.method === "GET" || request.method === "HEAD") return "";
  const encoding = headerOf(request, "content-encoding") ?? "identity";
  if (encoding !== "identity") throw refuse("a body with a content-encoding is not supported");
  // Made only for whoever is refused: the stack of an error costs a tenth of a small request.
  const tooLarge = () => refuse(`the body must be at most ${limit} bytes long`, limit);
  if (Number(headerOf(request, "content-length")) > limit) throw tooLarge();
  const bytes = await readBytes(request, limit, tooLarge);
  try {
    return utf8.decode(bytes);
  } catch {
    throw refuse("the body is not valid UTF-8");
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Stops reading at the limit, and leaves the connection open for the refusal. */
function readBytes(request: IncomingMessage, limit: number, tooLarge: () => Failure): Promise<Buffer> {
  const cut = () => new Failure("CANCELLED", "Cancelled: the body was cut off");
  return new Promise((resolve, reject) => {
    if (request.destroyed) return reject(cut());
    const chunks: Buffer[] = [];
    let length = 0;
    const stop = (): void => {
      request.off("data", take).off("end", end).off("error", fail).off("aborted", fail).off("close", fail);
    };
    const fail = (): void => {
      stop();
      reject(cut());
    };
    const end = (): void => {
      stop();
      resolve(Buffer.concat(chunks));
    };
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      chunks.push(chunk);
      if (length <= limit) return;
      stop();
      request.pause();
      reject(tooLarge());
    };
    request.on("data", take).on("end", end).on("error", fail).on("aborted", fail).on("close", fail);
  });
}

/** A body in the contract's spelling, and violations for fields that were given twice. */
export interface NormalBody {
  readonly body: Record<string, unknown>;
  readonly violations: readonly FieldViolation[];
}

export type BodyNormalizer = (body: Record<string, unknown>) => NormalBody;

/**
 * Renames all keys of a body to the contract's spelling by walking the schema; map keys and unknown keys stay as they
 * are. A field given under two spellings is a violation, and the first one wins.
 */
export function bodyNormalizer(
  endpoint: Endpoint,
  sharedOperations: readonly Endpoint[] = [],
): BodyNormalizer {
  const standard = endpoint.verb === "create" || endpoint.verb === "update";
  const answer = standard ? resourceOf(endpoint.collection)?.answer : undefined;
  // The resource's response schema also has the output-only keys, which handlers must recognize to ignore them. The
  // request body has what responses lack, such as secrets, and each guest has its own keys.
  const schemas = [endpoint, ...sharedOperations]
    .map(({ body }) => body)
    .concat(answer)
    .filter((schema) => schema !== undefined);
  return (given) => {
    const violations: FieldViolation[] = [];
    const body = schemas.reduce<unknown>((value, schema) => normalize(schema, value, "", violations), given);
    return { body: body as Record<string, unknown>, violations };
  };
}

function normalize(schema: Schema, value: unknown, path: string, violations: FieldViolation[]): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { element } = definitionOf(required(schema));
  if (Array.isArray(value))
    return element
      ? value.map((item, index) => normalize(element, item, `${path}[${index}]`, violations))
      : value;
  const shape = shapeOf(schema);
  if (!shape) return value;
  const seen = new Set<string>();
  const entries = Object.entries(value).flatMap(([given, item]): [string, unknown][] => {
    const key = keyOf(shape, given) ?? given;
    const field = path === "" ? key : `${path}.${key}`;
    if (seen.has(key)) {
      violations.push({ field, description: "appears under two spellings" });
      return [];
    }
    seen.add(key);
    const known = Object.hasOwn(shape, key) ? shape[key] : undefined;
    return [[key, known ? normalize(known, item, field, violations) : item]];
  });
  return Object.fromEntries(entries);
}
