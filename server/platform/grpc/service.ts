import type { Message } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  createContextKey,
  createContextValues,
  type ConnectRouter,
  type HandlerContext,
} from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import type { Http2ServerRequest, Http2ServerResponse, ServerHttp2Stream } from "node:http2";

import { CHANGE_JUSTIFICATION } from "platform-contract/audit/justification";

import type { Config } from "../../config";
import { bearerOf, challenge } from "../http/api";
import { statusOf } from "../http/answers";
import { BODY_LIMIT, checkForm } from "../http/body";
import type { Calls } from "../http/calls";
import { setRequestId } from "../http/headers";
import { IDEMPOTENCY_KEY } from "../http/idempotency-key";
import type { CallFacts, Incoming } from "../http/incoming";
import { readJustification } from "../http/justification";
import type { Operation } from "../http/router";
import type { Http2Listener } from "../http/server";
import type { Log } from "../../log";
import { addressOf, clientIn } from "../oidc/requests";
import { Failure } from "../../status";
import type { Method } from "./files";
import { shortened } from "./error-size";
import { serveReflection } from "./reflection";
import { createProtos, isUnary, type Protos } from "./registry";
import { answerOf, errorOf, partsOf, serviceName } from "./translate";

/** Maximum bytes of a query, same as for the headers of an HTTP/1.1 request. */
const QUERY_LIMIT = 64 * 1024;

export interface GrpcOptions {
  readonly config: Config;
  readonly log: Log;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly calls: Calls;
}

interface Arrival {
  readonly address: string;
  readonly client: Incoming["client"];
  /** What the line of the request log says about the call. */
  facts?: CallFacts;
  readonly requestId: string;
  /** Aborts the call: its stream has closed, or its deadline has passed. */
  readonly over: AbortController;
}
const arrivalKey = createContextKey<Arrival | undefined>(undefined);

/** True for a gRPC request, false for plain HTTP over HTTP/2. */
export const isGrpc = ({ headers }: Pick<Http2ServerRequest, "headers">): boolean =>
  /^application\/grpc(?:[+;]|$)/.test(headers["content-type"] ?? "");

/** Serves all operations over gRPC. Only converts messages; runs the same code as HTTP. */
export function createGrpc(options: GrpcOptions): Http2Listener {
  const { config, log, operations } = options;
  const protos = createProtos([...operations.values()].map(({ endpoint }) => endpoint));
  const arrivals = new WeakMap<object, Arrival>();
  const handler = connectNodeAdapter({
    routes: (router) => {
      serveOperations(router, protos, options);
      serveReflection(router, protos);
    },
    // Browsers use REST.
    connect: false,
    grpcWeb: false,
    // As for HTTP bodies: decompressing can cost far more than sending did.
    acceptCompression: [],
    readMaxBytes: BODY_LIMIT,
    maxTimeoutMs: Number.MAX_SAFE_INTEGER,
    contextValues: (request) => createContextValues().set(arrivalKey, arrivals.get(request)),
    fallback: (_request, response) =>
      void (
        "stream" in response &&
        trailersOnly(response, Code.Unimplemented, "Unimplemented: there is no such method")
      ),
  });

  return (request, response) => {
    const requestId = setRequestId(request, response);
    const over = new AbortController();
    request.stream.once("close", () => over.abort());
    const address = addressOf(config, request);
    const client = clientIn(config, request);
    const arrival: Arrival = { address, client, requestId, over };
    arrivals.set(request, arrival);
    logWhenDone(log, arrival, request);
    plainMessage(response);
    try {
      handler(request, response);
    } catch {
      // The request has an invalid authority: a response is not possible.
      request.stream.close();
    }
  };
}

function serveOperations(router: ConnectRouter, protos: Protos, options: GrpcOptions): void {
  const names = new Set(protos.methods.map(serviceName));
  for (const name of names) {
    const service = protos.registry.getService(name);
    if (!service) throw new Error(`There is no service ${name}`);
    const own = protos.methods.filter((method) => serviceName(method) === name);
    for (const rpc of service.methods) {
      const method = own.find(({ naming }) => naming.rpc === rpc.name);
      const operation = method && options.operations.get(method.endpoint.id);
      if (!operation || !isUnary(rpc)) throw new Error(`There is no operation ${name}/${rpc.name}`);
      router.rpc(rpc, unary(protos, method, operation, options));
    }
  }
}

function unary(protos: Protos, method: Method, operation: Operation, { config, calls }: GrpcOptions) {
  const { endpoint } = method;
  const domain = `${operation.area}.${config.serviceDomain}`;
  return async (message: Message, context: HandlerContext): Promise<Message> => {
    const arrival = context.values.get(arrivalKey);
    if (!arrival) throw new ConnectError("no connection", Code.Internal);
    const { requestId, address, client, over } = arrival;
    const authorization = context.requestHeader.get("authorization") ?? undefined;
    // Also aborted when the call ends normally; the stream's "close" covers that.
    context.signal.addEventListener("abort", () => {
      if (deadlineOf(context)) over.abort();
    });
    try {
      const { path, search, body } = partsOf(method, protos, message);
      if (search.length > QUERY_LIMIT) throw tooLong();
      const answer = await calls.perform(operation, {
        requestId,
        bearer: bearerOf(authorization),
        address,
        client,
        note: (facts) => (arrival.facts = facts),
        over: over.signal,
        path,
        search,
        only: endpoint.id,
        transport: "grpc",
        traceparent: context.requestHeader.get("traceparent") ?? undefined,
        idempotencyKey: context.requestHeader.get(IDEMPOTENCY_KEY) ?? undefined,
        justification: readJustification(
          endpoint,
          context.requestHeader.get(CHANGE_JUSTIFICATION) ?? undefined,
        ),
        body: async () => (checkForm(body), body),
      });
      return answerOf(method, protos, answer);
    } catch (error) {
      const deadline = deadlineOf(context);
      if (deadline) throw deadline;
      const failure = calls.refusal(error, requestId);
      const metadata: Record<string, string> = {};
      if (failure.name === "UNAUTHENTICATED")
        metadata["www-authenticate"] = challenge(config, authorization, failure.message);
      throw errorOf(protos, shortened(statusOf(failure, domain), protos), metadata);
    }
  };
}

/** Returns the error if a call was aborted by its deadline. */
function deadlineOf({ signal }: HandlerContext): ConnectError | undefined {
  if (!signal.aborted) return undefined;
  const error = ConnectError.from(signal.reason);
  return error.code === Code.DeadlineExceeded ? error : undefined;
}

const tooLong = (): Failure =>
  new Failure("INVALID_ARGUMENT", `Invalid argument: the filters must be at most ${QUERY_LIMIT} bytes long`);

/** Refuses calls until the database is open; clients retry. */
export const refuseGrpcWhileStarting: Http2Listener = (_request, response) =>
  trailersOnly(response, Code.Unavailable, "The service is starting");

/** Sends an error without dispatching the call. */
function trailersOnly(response: Pick<Http2ServerResponse, "stream">, code: Code, message: string): void {
  response.stream.respond(
    {
      ":status": 200,
      "content-type": "application/grpc",
      "grpc-status": String(code),
      "grpc-message": message,
    },
    { endStream: true },
  );
}

/**
 * Connect percent-encodes more of a message than gRPC requires ("Status-Message"), and grpc-js then shows `%3A`: it
 * only decodes what has to be encoded.
 */
function plainMessage(response: Http2ServerResponse): void {
  const add = response.addTrailers.bind(response);
  response.addTrailers = (trailers) => {
    const { "grpc-message": message } = trailers;
    const encode = (text: string) => text.replaceAll(/[^ -$&-~]+/g, (part) => encodeURIComponent(part));
    add(
      typeof message === "string"
        ? { ...trailers, "grpc-message": encode(decodeURIComponent(message)) }
        : trailers,
    );
  };
}

/** Logs one line per call, as for HTTP, without metadata and messages, which contain tokens and codes. */
function logWhenDone(log: Log, arrival: Arrival, { stream, url }: Http2ServerRequest): void {
  const { requestId, client } = arrival;
  const start = performance.now();
  stream.once("close", () => {
    const ms = Math.round(performance.now() - start);
    const status = grpcStatusOf(stream);
    const { address } = client;
    const line = { requestId, method: "GRPC", path: url, status, ms, address, ...arrival.facts };
    if (line.status === undefined) log.info({ ...line, aborted: true }, "request");
    else log.info(line, "request");
  });
}

/** Returns the google.rpc.Code that a call ended with, or undefined if it was cut off. */
export function grpcStatusOf(stream: ServerHttp2Stream): number | undefined {
  const status = stream.sentTrailers?.["grpc-status"] ?? stream.sentHeaders?.["grpc-status"];
  return status === undefined ? undefined : Number(status);
}
