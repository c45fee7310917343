import { isObject, type Values } from "platform-contract/values";

/** A schema of the document: JSON Schema, of which this reads only a part. */
export type JsonSchema = Values;

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
}

export interface OperationResponse {
  /** "200", "default". */
  readonly status: string;
  readonly description: string;
  /** Undefined if it has no body. */
  readonly schema: JsonSchema | undefined;
}

export interface Operation {
  /** `operationId`: identities.create. */
  readonly id: string;
  /** Ids of operations that the document describes along with this one. */
  readonly also: readonly string[];
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  /** Its first tag: the collection. */
  readonly resource: string;
  readonly summary: string;
  readonly description: string;
  /** Names of the capabilities that it needs. */
  readonly capabilities: readonly string[];
  /** Part of this service and not of the published API. */
  readonly extension: boolean;
  /** Answers with a token: a secret. */
  readonly issuesToken: boolean;
  readonly parameters: readonly Parameter[];
  readonly body: JsonSchema | undefined;
  /** Valid bodies. */
  readonly examples: readonly unknown[];
  readonly responses: readonly OperationResponse[];
}

export interface ApiDescription {
  readonly operations: readonly Operation[];
  /** By name, for references. */
  readonly schemas: Values;
}

/** Of this API, which has no others. */
const METHODS = { get: "GET", post: "POST", patch: "PATCH", delete: "DELETE" } as const;

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];
const values = (value: unknown): Values => (isObject(value) ? value : {});
const list = (value: unknown): Values[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** The part of a document that a local reference (`#/components/...`) leads to, or what is no reference itself. */
function resolved(part: Values, document: Values): Values {
  const reference = part["$ref"];
  if (typeof reference !== "string" || !reference.startsWith("#/")) return part;
  const steps = reference.slice(2).split("/");
  return values(steps.reduce<unknown>((at, step) => values(at)[step], document));
}

/** The schema and the examples of a body. */
function contentOf(holder: Values): { schema: JsonSchema | undefined; examples: unknown[] } {
  const { schema, example, examples } = values(values(holder["content"])["application/json"]);
  return {
    schema: isObject(schema) ? schema : undefined,
    examples: [
      ...(example === undefined ? [] : [example]),
      ...Object.values(values(examples)).flatMap((each) => {
        const { value } = values(each);
        return value === undefined ? [] : [value];
      }),
    ],
  };
}

/** Reads an OpenAPI 3 document; undefined if it is none. What it lacks is empty: another service may describe less. */
export function readDescription(document: unknown): ApiDescription | undefined {
  if (!isObject(document) || !text(document["openapi"]).startsWith("3.") || !isObject(document["paths"]))
    return undefined;
  const operations = Object.entries(document["paths"]).flatMap(([path, item]) =>
    Object.entries(METHODS).flatMap(([key, method]) => {
      const found = values(item)[key];
      return isObject(found) ? [operationOf({ path, method, found, item: values(item), document })] : [];
    }),
  );
  return { operations, schemas: values(values(document["components"])["schemas"]) };
}

interface Place {
  readonly path: string;
  readonly method: Operation["method"];
  readonly found: Values;
  readonly item: Values;
  readonly document: Values;
}

function operationOf({ path, method, found, item, document }: Place): Operation {
  const { schema: body, examples } = contentOf(resolved(values(found["requestBody"]), document));
  const also = list(found["x-also"]);
  const needs = [found, ...also].flatMap((each) => texts(values(each["x-capabilities"])["needs"]));
  return {
    id: text(found["operationId"]) || `${method} ${path}`,
    also: also.map(({ id }) => text(id)),
    method,
    path,
    resource: texts(found["tags"])[0] ?? "",
    summary: text(found["summary"]) || `${method} ${path}`,
    description: text(found["description"]),
    capabilities: [...new Set(needs)],
    extension: found["x-extension"] === true,
    issuesToken: found["x-issues-token"] === true,
    parameters: [...list(item["parameters"]), ...list(found["parameters"])].flatMap((each) => {
      const { name, in: where, required, description, schema } = resolved(each, document);
      if (where !== "path" && where !== "query" && where !== "header") return [];
      return [
        {
          name: text(name),
          in: where,
          required: required === true,
          description: text(description),
          schema: values(schema),
        } as const,
      ];
    }),
    body,
    examples,
    responses: Object.entries(values(found["responses"])).map(([status, each]) => {
      const response = resolved(values(each), document);
      return {
        status,
        description: text(response["description"]),
        schema: contentOf(response).schema,
      };
    }),
  };
}

/** The operation with this id, or the one that is described along with it. */
export const operationNamed = ({ operations }: ApiDescription, id: string): Operation | undefined =>
  operations.find((one) => one.id === id) ?? operations.find(({ also }) => also.includes(id));
