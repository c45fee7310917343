import {
  fromJson,
  isMessage,
  toJson,
  type DescMessage,
  type JsonValue,
  type Message,
} from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";

import { camelCase } from "platform-contract/aip";
import { CODES, type Status } from "platform-contract/status";
import { isObject, type Values } from "platform-contract/values";

import type { PathVariables } from "../standard/call";
import { Failure } from "../../status";
import { detailMessage } from "./details";
import type { Method } from "./files";
import type { Protos } from "./registry";

/** A request in the parts that operations take. */
export interface Parts {
  readonly path: PathVariables;
  readonly search: string;
  readonly body: Record<string, unknown>;
}

/** The request of an update has a mask. */
type Request = Message & { updateMask?: { readonly paths: readonly string[] } };

/** Splits a request into the parts it has over HTTP: path variables, query, body. */
export function partsOf({ endpoint, naming }: Method, protos: Protos, message: Request): Parts {
  const desc = protos.message(`${naming.package}.${naming.request}`);
  // Mask paths keep the caller's spelling; the service rejects invalid ones.
  const { updateMask: mask } = message;
  delete message.updateMask;
  if (endpoint.method !== "GET") refuseUnknown(message);
  const fields = jsonOf(desc, protos, message);
  const wrapper = naming.body && naming.body.charAt(0).toLowerCase() + naming.body.slice(1);
  const wrapped: Record<string, unknown> = { ...(wrapper ? Object(fields[wrapper]) : {}) };
  const variables: Record<string, string> = {};
  const rest = new Map(Object.entries(fields));
  if (wrapper) rest.delete(wrapper);
  for (const name of Object.keys(endpoint.variables)) {
    const field = naming.variable(name);
    const key = field === undefined ? name : camelCase(field);
    variables[name] = String((field === undefined ? wrapped[key] : rest.get(key)) ?? "");
    if (field === undefined) delete wrapped[key];
    else rest.delete(key);
  }
  const search = new URLSearchParams();
  const body: Record<string, unknown> = wrapped;
  for (const [key, value] of rest) {
    if (!wrapper && endpoint.body && !(key in endpoint.query)) body[key] = value;
    else append(search, key, value);
  }
  if (mask && "updateMask" in endpoint.query) search.append("updateMask", mask.paths.join(","));
  else if (mask) body["updateMask"] = mask.paths.join(",");
  return { path: { uid: "", parent: "", ...variables }, search: search.toString(), body };
}

/** Published fields that only the service sets, and whose values it does not have: ignored in writes (AIP-203). */
const OUTPUT_ONLY: Readonly<Record<string, readonly number[]>> = {
  "chainguard.platform.iam.v2.BatchCreateRoleBindingsRequest.Request.RoleBinding": [1, 2, 3, 4, 5],
};

/** Throws INVALID_ARGUMENT for fields of a newer client: a write that drops a part of itself must not succeed. */
function refuseUnknown({ $typeName, $unknown = [], ...fields }: Message): void {
  const unknown = $unknown.find(({ no }) => !OUTPUT_ONLY[$typeName]?.includes(no));
  if (unknown)
    throw new Failure(
      "INVALID_ARGUMENT",
      `Invalid argument: ${$typeName} has no field number ${unknown.no} here`,
    );
  for (const value of Object.values(fields).flat()) if (isMessage(value)) refuseUnknown(value);
}

/** Throws INVALID_ARGUMENT for values that JSON cannot represent, such as a time after the year 9999. */
function jsonOf(desc: DescMessage, protos: Protos, message: Message): Values {
  try {
    const json = toJson(desc, message, { registry: protos.registry });
    return isObject(json) ? json : {};
  } catch (error) {
    const { message: reason } = error instanceof Error ? error : { message: "it cannot be read" };
    throw new Failure("INVALID_ARGUMENT", `Invalid argument: ${reason}`);
  }
}

/** Adds a field to the query; fields of a nested message get its name as a prefix: `uidp.childrenOf`. */
function append(search: URLSearchParams, key: string, value: unknown): void {
  if (Array.isArray(value)) for (const item of value) search.append(key, textOf(item));
  else if (typeof value === "object" && value !== null)
    for (const [inner, item] of Object.entries(value)) append(search, `${key}.${inner}`, item);
  else search.append(key, String(value));
}

/** The text of a list's item; of the messages, only an ImageRef can be one: `repo` or `repo:tag,tag`. */
function textOf(item: unknown): string {
  if (typeof item !== "object" || item === null) return String(item);
  const { repo = "", tags = [] }: { repo?: string; tags?: string[] } = item;
  return tags.length > 0 ? `${repo}:${tags.join(",")}` : repo;
}

/** Converts an operation's result to its message by way of JSON, so that both transports omit the same values. */
export function answerOf({ naming }: Method, protos: Protos, answer: unknown): Message {
  const name = naming.answer === undefined ? "google.protobuf.Empty" : `${naming.package}.${naming.answer}`;
  const json: JsonValue = JSON.parse(JSON.stringify(answer ?? {}));
  return fromJson(protos.message(name), json, { registry: protos.registry, ignoreUnknownFields: true });
}

/** Converts an error to gRPC: the same google.rpc.Status, in trailers. */
export function errorOf(
  protos: Protos,
  status: Status,
  metadata: Readonly<Record<string, string>>,
): ConnectError {
  const details = (status.details ?? []).flatMap((detail) => detailMessage(protos, detail) ?? []);
  const code = Object.values(CODES).some(({ code }) => code === status.code) ? status.code : Code.Unknown;
  return new ConnectError(status.message, code, metadata, details);
}

export const serviceName = ({ naming }: Method): string => `${naming.package}.${naming.service}`;
