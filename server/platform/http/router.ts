import type { Endpoint, Method } from "platform-contract/endpoint";
import { isAtRoot } from "platform-contract/kinds";
import { UNSERVED } from "platform-contract/unserved";

import { handlerOf, type Handler, type PathVariables } from "../standard/call";
import { invalidArgument } from "../../status";
import { bodyNormalizer, type BodyNormalizer } from "./body";
import { queryReader, type QueryReader } from "./query";

/** An endpoint, ready to be called. */
export interface Operation {
  readonly endpoint: Endpoint;
  readonly handler: Handler;
  /** First segment of the path: `iam`. */
  readonly area: string;
  readonly readQuery: QueryReader;
  readonly normalizeBody: BodyNormalizer;
}

export type Match =
  | { readonly kind: "operation"; readonly operation: Operation; readonly path: PathVariables }
  | { readonly kind: "unserved"; readonly area: string }
  | { readonly kind: "wrong method"; readonly allowed: readonly Method[]; readonly area: string }
  | { readonly kind: "nothing" };

export interface Router {
  (method: string, rawPath: string): Match;
  /** All operations by id; those that share a path share a handler. */
  readonly operations: ReadonlyMap<string, Operation>;
}

interface Route {
  readonly operation: Operation;
  readonly method: Method;
  readonly pattern: RegExp;
  readonly rank: Rank;
}

/** The order of routes matters: the greedy variable would swallow suffixes. */
const RANKS = ["exact", "item verb", "suffix", "greedy"] as const;
type Rank = (typeof RANKS)[number];

/**
 * Mounts all endpoints of the contract. Throws at start if an operation has no access rule or no handler, or a handler
 * has no operation: the service denies by default.
 */
export function createRouter(endpoints: readonly Endpoint[], handlers: ReadonlyMap<string, Handler>): Router {
  const own = endpoints.filter(({ shares }) => shares === undefined);
  const routes = own
    .map((endpoint) =>
      mount(
        endpoint,
        endpoints.filter(({ shares }) => shares === endpoint.id),
        handlers,
      ),
    )
    .toSorted(byRank);
  const known = new Set(endpoints.map(({ id }) => id));
  const lost = endpoints.find(({ shares }) => shares !== undefined && !own.some(({ id }) => id === shares));
  if (lost) throw new Error(`The operation ${lost.id} shares the path of ${lost.shares}, which is none`);
  const unmappedHandler = [...handlers.keys()].find((id) => !known.has(id));
  if (unmappedHandler !== undefined)
    throw new Error(`The handler ${unmappedHandler} belongs to no operation of the contract`);

  const operations = new Map(
    endpoints.flatMap((endpoint): [string, Operation][] => {
      const route = routes.find(
        ({ operation }) => operation.endpoint.id === (endpoint.shares ?? endpoint.id),
      );
      return route ? [[endpoint.id, { ...route.operation, endpoint }]] : [];
    }),
  );

  const unserved = UNSERVED.map(({ path }) => patternOf(path));

  const find = (method: string, rawPath: string): Match => {
    const path = canonicalPath(rawPath);
    if (unserved.some((pattern) => pattern.test(path))) return { kind: "unserved", area: areaOf(path) };
    const matching = routes.filter(({ pattern }) => pattern.test(path));
    const [first] = matching;
    if (!first) return { kind: "nothing" };
    // Nothing under a fixed suffix is a uid: DELETE of a readme never means a record called ".../readme".
    const suffixed = matching.some(({ rank }) => rank === "item verb" || rank === "suffix");
    const candidates = matching.filter(({ rank }) => !suffixed || rank !== "greedy");
    const wanted = method === "HEAD" ? "GET" : method;
    const route = candidates.find((candidate) => candidate.method === wanted);
    const { area } = first.operation;
    if (!route)
      return { kind: "wrong method", allowed: candidates.map((candidate) => candidate.method), area };
    const found = Object.entries(route.pattern.exec(path)?.groups ?? {});
    const variables = found.map(([name, text = ""]) => [name, decodeURIComponent(text)] as const);
    return {
      kind: "operation",
      operation: route.operation,
      path: { uid: "", parent: "", ...Object.fromEntries(variables) },
    };
  };
  return Object.assign(find, { operations });
}

/** `guests` share the method and path. The parameters of all of them are read; the handler tells them apart. */
function mount(
  endpoint: Endpoint,
  guests: readonly Endpoint[],
  handlers: ReadonlyMap<string, Handler>,
): Route {
  const { id, method, path } = endpoint;
  if (guests.some((guest) => guest.method !== method || guest.path !== path))
    throw new Error(`Not every operation that shares the path of ${id} has its path`);
  // The types require both; this catches what they cannot, such as casts.
  const access: Partial<Endpoint["access"]> | undefined = endpoint.access;
  const stated = access?.at === "anyone" || (access?.at !== undefined && (access.needs?.length ?? 0) > 0);
  if (!stated) throw new Error(`The operation ${id} does not state the capability that it needs`);
  const handler = handlerOf(handlers, id);
  const operation: Operation = {
    endpoint,
    handler,
    area: areaOf(path),
    readQuery: queryReader({
      isToken: endpoint.isToken,
      query: Object.assign({}, ...guests.map(({ query }) => query), endpoint.query),
    }),
    normalizeBody: bodyNormalizer(endpoint, guests),
  };
  return { operation, method, pattern: patternOf(path), rank: rankOf(path) };
}

const areaOf = (path: string): string => path.split("/")[1] ?? "";

function rankOf(template: string): Rank {
  if (!template.includes("{")) return "exact";
  if (/\}:\w+$/.test(template)) return "item verb";
  return /\{(?:uid|parent)\}$/.test(template) ? "greedy" : "suffix";
}

const byRank = (a: Route, b: Route): number => RANKS.indexOf(a.rank) - RANKS.indexOf(b.rank);

/** `{uid}` and `{parent}` are greedy; other variables match one segment. */
function patternOf(template: string): RegExp {
  const text = template
    // The greedy variable can match zero segments: an organization has no parent.
    .replace(/\/\{parent\}$/, "(?:/(?<parent>.*))?")
    .replace(/\{uid\}$/, "(?<uid>.*)")
    .replace(/(?<!<)\{(uid|parent)\}/, "(?<$1>.+)")
    .replace(/\{(\w+)\}/g, "(?<$1>[^/]+)");
  return new RegExp(`^${text}$`);
}

/**
 * Normalizes a path: letters and colons unencoded, and an encoded slash as %2F, so that it does not split the path here
 * and is a slash again once the variable is decoded. If decoding fails, the percent sign is encoded, which no uid
 * contains.
 */
const canonicalPath = (rawPath: string): string =>
  rawPath
    .split("/")
    .map((part) => encodeURIComponent(decodeOr(part)).replaceAll("%3A", ":"))
    .join("/");

function decodeOr(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Throws INVALID_ARGUMENT if path variables are malformed; does not check whether they exist. */
export function checkPath(endpoint: Endpoint, path: PathVariables): void {
  const rootAllowed = isAtRoot(endpoint) && path.parent === "";
  const wrong = Object.entries(endpoint.variables).filter(
    ([name, { pattern }]) => !pattern.test(path[name] ?? "") && !(name === "parent" && rootAllowed),
  );
  if (wrong.length > 0)
    throw invalidArgument(wrong.map(([field, { sentence }]) => ({ field, description: sentence })));
}
