import { fromBinary, fromJson, toJson, type JsonObject } from "@bufbuild/protobuf";
import { ConnectError, type Transport } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";

import { camelCase } from "platform-contract/aip";
import { endpoints } from "platform-contract";
import { definitionOf, formatOf, required } from "platform-contract/schema";
import { CODES, codeName, type StatusDetail } from "platform-contract/status";

import { createProtos, isUnary, type Protos } from "../platform/grpc/registry";
import { serviceName } from "../platform/grpc/translate";
import type { Answer } from "./app";

function imageRefOf(text: string): { repo: string; tags: string[] } {
  const [repo = "", tags] = text.split(":");
  return { repo, tags: tags?.split(",") ?? [] };
}

let protos: Protos | undefined;

interface Asked {
  readonly variables: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Calls operations over gRPC and returns responses as over HTTP, so that the same tests run over both. */
export class OverGrpc {
  private readonly transport: Transport;
  /** Number of calls made over gRPC. */
  calls = 0;

  constructor(url: string) {
    this.transport = createGrpcTransport({ baseUrl: url });
  }

  /** Undefined for requests that only JSON can express: unknown keys, wrong types, repeated parameters. */
  async send(token: string | undefined, id: string, asked: Asked): Promise<Answer | undefined> {
    const all = (protos ??= createProtos(endpoints));
    const method = all.methods.find(({ endpoint }) => endpoint.id === id)!;
    const { endpoint, naming } = method;
    const rpc = all.registry.getService(serviceName(method))!.methods.find(({ name }) => name === naming.rpc);
    if (!isUnary(rpc)) throw new Error(`${id} is no call with one answer`);
    const json = requestOf();
    let message: Record<string, unknown>;
    try {
      if (wrongNumber()) return undefined;
      message = { ...fromJson(rpc.input, json, { registry: all.registry }) };
    } catch {
      return undefined;
    }
    const updateMask = asked.query["updateMask"] ?? asked.query["update_mask"];
    if (updateMask !== undefined && "updateMask" in endpoint.query)
      message["updateMask"] = { $typeName: "google.protobuf.FieldMask", paths: updateMask.split(",") };
    const header = token === undefined ? {} : { authorization: `Bearer ${token}` };
    this.calls += 1;
    try {
      const answer = await this.transport.unary(rpc, undefined, undefined, header, message);
      const found: JsonObject = Object(toJson(rpc.output, answer.message, { registry: all.registry }));
      if (endpoint.verb === "list") found[endpoint.collection] ??= [];
      return answerOf(200, found, naming.answer === undefined);
    } catch (error) {
      const { code, rawMessage, details, metadata } = ConnectError.from(error);
      const status = { code, message: rawMessage, details: details.map(detailOf) };
      return {
        ...answerOf(CODES[codeName(code)].http, status, false),
        // Omit gRPC's own status metadata: the response contains it.
        headers: Object.fromEntries([...metadata].filter(([name]) => !name.startsWith("grpc-"))),
      };
    }

    /** ProtoJSON accepts more number formats than HTTP does. */
    function wrongNumber(): boolean {
      return Object.entries(asked.query).some(([key, text]) => {
        const schema = endpoint.query[key];
        return schema && definitionOf(required(schema)).type === "number" && !/^-?\d{1,10}$/.test(text);
      });
    }

    function detailOf(detail: ConnectError["details"][number]): StatusDetail {
      if (!("type" in detail)) throw new Error("not a detail of an answer");
      const desc = all.message(detail.type);
      return {
        "@type": `type.googleapis.com/${detail.type}`,
        ...Object(toJson(desc, fromBinary(desc, detail.value))),
      };
    }

    function requestOf(): JsonObject {
      const request: Record<string, any> = {};
      const wrapper = naming.body && naming.body.charAt(0).toLowerCase() + naming.body.slice(1);
      if (wrapper) request[wrapper] = { ...Object(asked.body) };
      else if (endpoint.body) Object.assign(request, asked.body);
      for (const name of Object.keys(endpoint.variables)) {
        const field = naming.variable(name);
        if (field === undefined) request[wrapper ?? ""][name] = asked.variables[name];
        else request[camelCase(field)] = asked.variables[name];
      }
      for (const [key, text] of Object.entries(asked.query)) {
        if (key === "updateMask" || key === "update_mask") continue;
        const schema = endpoint.query[key];
        const { type, element } = schema ? definitionOf(required(schema)) : { type: "none" };
        // HTTP ignores unknown parameters.
        if (type === "none") continue;
        const item = element && formatOf(element) === "imageRef" ? imageRefOf(text) : text;
        const value = type === "boolean" ? text === "true" : type === "array" ? [item] : text;
        const [outer = "", inner] = key.split(".");
        if (inner === undefined) request[camelCase(key)] = value;
        else request[outer] = { ...request[outer], [camelCase(inner)]: value };
      }
      return request;
    }
  }
}

function answerOf(status: number, json: unknown, empty: boolean): Answer {
  // ProtoJSON omits the milliseconds of whole seconds; the service over HTTP writes them.
  const text = JSON.stringify(json).replaceAll(/(T\d\d:\d\d:\d\d)Z"/g, '$1.000Z"');
  return {
    status,
    headers: {},
    bytes: Buffer.from(empty && status === 200 ? "" : text),
    json: JSON.parse(text),
  };
}
