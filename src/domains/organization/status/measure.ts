import { call } from "~/api/client/client";
import { ApiError } from "platform-client/errors";
import { withTimeout } from "platform-client/timeout";
import { listDocuments } from "platform-contract/advisory/documents";
import type { Endpoint } from "platform-contract/endpoint";
import { kinds } from "platform-contract/kinds";
import { ECOSYSTEMS, listArtifacts } from "platform-contract/libraries/artifacts";
import { ping } from "platform-contract/ping/ping";
import { countedList } from "platform-contract/resource";

/** One area of the API, with its cheapest request. */
export interface Area {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly query: object;
}

/** Results of the requests to one area. */
export interface Measured extends Area {
  /** Time in ms until each response was read, including error responses. */
  readonly times: readonly number[];
  /** The error after which no more requests were sent. */
  readonly problem?: { readonly kind: ApiError["kind"]; readonly message: string };
}

/** Number of requests per area, sent sequentially. */
export const SAMPLES = 5;
/** Timeout in ms after which an area counts as unreachable. */
const REQUEST_TIMEOUT_MS = 10_000;

const areaOf = ({ path }: Pick<Endpoint, "path">): string => path.split("/")[1] ?? "";

/** Ping, and one list for each area of the contract. */
export const AREAS: readonly Area[] = [
  ping,
  ...new Map(kinds.toReversed().map((kind) => [kind.area, countedList(kind)])).values(),
  listDocuments,
  listArtifacts,
]
  .map((endpoint) => ({
    name: areaOf(endpoint),
    endpoint,
    query: {
      ...(endpoint.verb === "list" && { page_size: 1 }),
      ...("ecosystems" in endpoint.query && { ecosystems: ECOSYSTEMS }),
    },
  }))
  .toSorted((one, other) => Number(other.name === "ping") - Number(one.name === "ping"));

/** What an administrator calls an area; a report of a problem has its name in the API. */
export const AREA_WORDS: Readonly<Record<string, string>> = {
  ping: "Ping",
  iam: "Access",
  registry: "Registry",
  libraries: "Libraries",
  vulnerabilities: "Advisories",
  advisory: "Packages and reports",
  events: "Event subscriptions",
};

/** Returns the median; undefined if there are no times. */
export function medianOf(times: readonly number[]): number | undefined {
  const sorted = times.toSorted((one, other) => one - other);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  return upper === undefined || lower === undefined ? undefined : (upper + lower) / 2;
}

function problemOf(error: unknown): NonNullable<Measured["problem"]> {
  if (error instanceof ApiError) return { kind: error.kind, message: error.message };
  if (error instanceof DOMException && error.name === "TimeoutError")
    return { kind: "unreachable", message: `No response within ${REQUEST_TIMEOUT_MS / 1000} seconds.` };
  throw error;
}

async function measure(area: Area, leaving: AbortSignal): Promise<Measured> {
  const { endpoint, query } = area;
  const times: number[] = [];
  while (times.length < SAMPLES) {
    const start = performance.now();
    const took = () => times.push(performance.now() - start);
    try {
      await withTimeout(REQUEST_TIMEOUT_MS, (signal) => call(endpoint, { query, signal }), leaving);
      took();
    } catch (error) {
      if (leaving.aborted) throw error;
      const problem = problemOf(error);
      if (problem.kind !== "unreachable") took();
      return { ...area, times, problem };
    }
  }
  return { ...area, times };
}

/** Measures the areas sequentially, so that they don't slow each other down. Rejects when `leaving` is aborted. */
export async function measureAll(leaving: AbortSignal, tell: (measured: Measured) => void): Promise<void> {
  for (const area of AREAS) tell(await measure(area, leaving));
}
