import * as z from "zod";

import { JUSTIFICATION_CHARACTERS } from "platform-contract/audit/justification";
import type { Endpoint, Schema } from "platform-contract/endpoint";
import { isExtension } from "platform-contract/extensions";
import { EXAMPLES, FIELDS, PARAMETERS } from "platform-contract/descriptions";
import type { Behavior } from "platform-contract/behavior";
import { resources as contracted } from "platform-contract";
import { isAtRoot } from "platform-contract/kinds";
import type { Facts } from "platform-contract/resource";
import { required } from "platform-contract/schema";
import { status } from "platform-contract/status";
import { violationsOf } from "platform-contract/violations";

import { writes } from "../audit/writes";
import type { Config } from "../../config";

type Json = Readonly<Record<string, unknown>>;
type Described = Facts<unknown, unknown> & { readonly create?: Endpoint; readonly update?: Endpoint };

/** A schema with the description of each of its fields; `place` is the component or operation that it is of. */
const schemaOf = (schema: Schema, place: string): Json => {
  const { $schema: _, ...rest }: Json = z.toJSONSchema(schema, { unrepresentable: "any" });
  return described(rest, place);
};

const DESCRIBED_PARTS = ["items", "additionalProperties", "anyOf"] as const;

function described(schema: Json, place: string): Json {
  const parts = DESCRIBED_PARTS.flatMap((key) => {
    const part = schema[key];
    if (typeof part !== "object" || part === null) return [];
    const whole = Array.isArray(part)
      ? part.map((one: Json) => described(one, place))
      : described(part as Json, place);
    return [[key, whole] as const];
  });
  const fields = Object.entries(Object(schema["properties"]) as Record<string, Json>).map(([name, field]) => {
    // A list has its rows in a field that is called like the collection.
    const isRows = name === place;
    const description = FIELDS[`${place}.${name}`] ?? (isRows ? "The rows of this page" : FIELDS[name]);
    return [name, { ...(description !== undefined && { description }), ...described(field, name) }] as const;
  });
  const properties = schema["properties"] === undefined ? {} : { properties: Object.fromEntries(fields) };
  return { ...schema, ...Object.fromEntries(parts), ...properties };
}

/** Request schema with OpenAPI annotations for fields that are not simply written and read back. */
function inputSchema(
  schema: Schema,
  type: string,
  { inputOnly, secret, createOnly }: Behavior,
  update: boolean,
): Json {
  const document = structuredClone(schemaOf(schema, type));
  const mark = (paths: readonly string[], marks: Json) => {
    for (const path of paths) {
      const field = path
        .split(".")
        .reduce<Record<string, any> | undefined>((at, key) => at?.["properties"]?.[key], document);
      if (field) Object.assign(field, marks);
    }
  };
  mark(inputOnly, { writeOnly: true });
  mark(secret, { writeOnly: true, format: "password" });
  if (update) mark(createOnly, { description: "Set on creation; cannot be changed" });
  return document;
}

const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const jsonContent = (schema: Json, example?: unknown) => ({
  "application/json": { schema, ...(example !== undefined && { example }) },
});

/** A valid body of an operation. */
const exampleOf = ({ id, collection }: Endpoint): unknown => EXAMPLES[id] ?? EXAMPLES[collection];

/** What a caller needs for an operation, as a sentence. */
function needed({ access }: Endpoint): string {
  if (access.at === "anyone") return "For everybody with a token.";
  const names = access.needs.join(" and ");
  if (access.at === "visible") return `Answers with what the caller sees: where they hold ${names}.`;
  if (access.at === "handler") return `Needs ${names}, by its own rule: ${access.because}.`;
  return `Needs ${names} at the uid in the path, or at a group above it.`;
}

/** Generates the OpenAPI 3.1 document from the definitions that the service is mounted from. */
export function openApi(
  config: Config,
  endpoints: readonly Endpoint[],
  version: string,
  resources: readonly Described[] = contracted,
): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const endpoint of endpoints.filter(({ shares }) => shares === undefined))
    for (const [index, path] of pathsOf(endpoint).entries())
      (paths[path] ??= {})[endpoint.method.toLowerCase()] = withSharedOperations(
        operation(endpoint, path, index, resources),
        endpoints
          .filter(({ shares }) => shares === endpoint.id)
          .map((guest) => operation(guest, path, 0, resources)),
      );
  return {
    openapi: "3.1.0",
    info: { title: "Platform API", version, license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
    servers: [{ url: config.publicUrl }],
    security: [{ openId: [] }],
    tags: [...new Set(endpoints.map(({ collection }) => collection))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        openId: {
          type: "openIdConnect",
          openIdConnectUrl: `${config.issuer}/.well-known/openid-configuration`,
        },
      },
      schemas: {
        Status: schemaOf(status, "Status"),
        ...Object.fromEntries(
          resources.flatMap((resource) => [
            [resource.type, schemaOf(resource.answer, resource.type)],
            ...(resource.create
              ? [
                  [
                    `${resource.type}Input`,
                    inputSchema(resource.request, resource.type, resource.behavior, false),
                  ] as const,
                ]
              : []),
            ...(resource.behavior.shownOnce.length > 0 && resource.create?.answer
              ? [[`${resource.type}Created`, schemaOf(resource.create.answer, resource.type)] as const]
              : []),
            ...(resource.update?.body
              ? [
                  [
                    `${resource.type}Update`,
                    inputSchema(resource.update.body, resource.type, resource.behavior, true),
                  ] as const,
                ]
              : []),
          ]),
        ),
      },
      responses: {
        Error: { description: "An error, as google.rpc.Status", content: jsonContent(ref("Status")) },
      },
    },
  };
}

/**
 * Uses one variable name for all operations: `{parent}` and `{uid}` in the same place would be two templates for the
 * same paths, which OpenAPI forbids. The empty parent is a separate path.
 */
function pathsOf(endpoint: Endpoint): string[] {
  const { path } = endpoint;
  const template = path.replace(/\{(\w+)\}/g, (_, name: string) => `{${unified(name)}}`);
  return isAtRoot(endpoint) ? [template, path.replace("/{parent}", "")] : [template];
}

const unified = (variable: string): string => (variable === "parent" ? "uid" : variable);

function operation(endpoint: Endpoint, path: string, index: number, resources: readonly Described[]) {
  const { id, collection, access, query, body, answer, summary } = endpoint;
  const variables = Object.entries(endpoint.variables).map(([name, variable]) => ({
    name: unified(name),
    in: "path",
    required: true,
    description: variable.description,
    schema: { type: "string", pattern: variable.pattern.source },
  }));
  const pathParameters = variables.filter(({ name }) => path.includes(`{${name}}`));
  const queryParameters = Object.entries(query).map(([name, schema]) => ({
    name,
    in: "query",
    required: required(schema) === schema,
    description: parameterDescription(name, required(schema)),
    schema: schemaOf(required(schema), id),
  }));
  const named = namedSchemas(endpoint, resources);
  return {
    operationId: index === 0 ? id : `${id}AtRoot`,
    tags: [collection],
    summary: index === 0 ? summary : `${summary}: none, at root level`,
    description: needed(endpoint),
    "x-capabilities": { at: access.at, needs: access.needs },
    ...(isExtension(endpoint) && { "x-extension": true }),
    ...(endpoint.isToken && { "x-issues-token": true }),
    parameters: [
      ...pathParameters,
      ...queryParameters,
      ...(endpoint.method === "POST" ? [KEY] : []),
      ...(writes(endpoint) ? [JUSTIFICATION] : []),
    ],
    ...(body && {
      requestBody: {
        required: true,
        content: jsonContent(named.body ?? schemaOf(body, id), exampleOf(endpoint)),
      },
    }),
    responses: {
      "200": {
        description: answer ? "The response" : "Done; the response is empty",
        ...(answer && { content: jsonContent(named.answer ?? schemaOf(answer, endpoint.collection)) }),
      },
      default: { $ref: "#/components/responses/Error" },
    },
  };
}

/** Of an order, the fields are those that its violation names. */
function parameterDescription(name: string, schema: Schema): string | undefined {
  const text = PARAMETERS[name];
  const [violation] = name === "order_by" ? violationsOf(schema, "?") : [];
  return violation ? `${text}: ${violation.description.replace("must be ", "")}` : text;
}

const KEY = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Requests with the same key take effect once and get the first answer, without what is shown once, for 24 hours",
  schema: { type: "string", minLength: 16, maxLength: 255 },
};

const JUSTIFICATION = {
  name: "Change-Justification",
  in: "header",
  required: false,
  description: `Why the change is made, for the audit log: UTF-8, percent-encoded, at most ${JUSTIFICATION_CHARACTERS} characters, none of them a control character`,
  // Three letters for each of up to four octets.
  schema: { type: "string", maxLength: JUSTIFICATION_CHARACTERS * 12 },
  "x-extension": true,
};

type DescribedOperation = ReturnType<typeof operation>;

/** Merges operations with the same method and path, since OpenAPI allows only one. */
function withSharedOperations(
  host: DescribedOperation,
  sharedOperations: readonly DescribedOperation[],
): Json {
  if (sharedOperations.length === 0) return host;
  const all = [host, ...sharedOperations];
  const either = (contents: readonly ReturnType<typeof jsonContent>[]) =>
    jsonContent({ anyOf: contents.map((content) => content["application/json"].schema) });
  const parameters = new Map(all.flatMap((one) => one.parameters).map((one) => [one.name, one]));
  const bodies = all.flatMap(({ requestBody }) => (requestBody ? [requestBody.content] : []));
  const examples = Object.fromEntries(
    bodies.map((content, index) => [`example${index + 1}`, { value: content["application/json"].example }]),
  );
  return {
    ...host,
    summary: all.map(({ summary }) => summary).join(". Or: "),
    "x-also": sharedOperations.map((one) => ({
      id: one.operationId,
      "x-capabilities": one["x-capabilities"],
      ...(one["x-extension"] && { "x-extension": true }),
    })),
    parameters: [...parameters.values()],
    ...(bodies.length > 0 && {
      requestBody: {
        required: true,
        content: { "application/json": { ...either(bodies)["application/json"], examples } },
      },
    }),
    responses: {
      ...host.responses,
      "200": {
        description: "The response",
        content: either(all.flatMap(({ responses }) => responses["200"].content ?? [])),
      },
    },
  };
}

/** Standard methods reference their resource's schema by name, so that generated clients have one type for it. */
function namedSchemas(
  { collection, verb, answer }: Endpoint,
  resources: readonly Described[],
): { body?: Json; answer?: Json } {
  const resource = resources.find((one) => one.collection === collection);
  if (!resource || !answer || !(verb in resource)) return {};
  const body = verb === "update" ? "Update" : "Input";
  const once = verb === "create" && resource.behavior.shownOnce.length > 0;
  if (verb !== "list")
    return { body: ref(`${resource.type}${body}`), answer: ref(`${resource.type}${once ? "Created" : ""}`) };
  const envelope = schemaOf(answer, collection);
  const rows = { type: "array", description: "The rows of this page", items: ref(resource.type) };
  return { answer: { ...envelope, properties: { ...Object(envelope["properties"]), [collection]: rows } } };
}
