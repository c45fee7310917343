import { call } from "~/api/client/client";
import { ApiError } from "~/api/client/errors";
import { withTimeout } from "~/auth/timeout";
import { listDocuments } from "~/contract/advisory/documents";
import type { Endpoint } from "~/contract/endpoint";
import { kinds } from "~/contract/kinds";
import { ECOSYSTEMS, listArtifacts } from "~/contract/libraries/artifacts";
import { ping } from "~/contract/ping/ping";
import { countedList } from "~/contract/resource";

/** One area of the API, and the cheapest request that it answers. */
export interface Area {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly query: object;
}

/** What some requests of one area came to. */
export interface Measured extends Area {
  /** Milliseconds until each answer was read, a refusal included. */
  readonly times: readonly number[];
  /** Why no more were sent. */
  readonly problem?: { readonly kind: ApiError["kind"]; readonly message: string };
}

/** Requests of each area, one after the other. */
export const SAMPLES = 5;
/** Milliseconds after which an area counts as out of reach. */
const PATIENCE = 10_000;

const areaOf = ({ path }: Pick<Endpoint, "path">): string => path.split("/")[1] ?? "";

/** Ping, and one list of each area that the contract has. */
export const AREAS: readonly Area[] = [
  ping,
  ...new Map(kinds.toReversed().map((kind) => [kind.area, countedList(kind)])).values(),
  listDocuments,
  listArtifacts,
]
  .map((endpoint) => ({
    name: areaOf(endpoint),
    endpoint: endpoint as unknown as Endpoint,
    query: {
      ...(endpoint.verb === "list" && { page_size: 1 }),
      ...("ecosystems" in endpoint.query && { ecosystems: ECOSYSTEMS }),
    },
  }))
  .toSorted((one, other) => Number(other.name === "ping") - Number(one.name === "ping"));

/** The middle one of some times, or the mean of the two in the middle; undefined of none. */
export function medianOf(times: readonly number[]): number | undefined {
  const sorted = times.toSorted((one, other) => one - other);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  return upper === undefined || lower === undefined ? undefined : (upper + lower) / 2;
}

function problemOf(error: unknown): NonNullable<Measured["problem"]> {
  if (error instanceof ApiError) return { kind: error.kind, message: error.message };
  if (error instanceof DOMException && error.name === "TimeoutError")
    return { kind: "unreachable", message: `No answer within ${PATIENCE / 1000} seconds.` };
  throw error;
}

async function measure(area: Area, leaving: AbortSignal): Promise<Measured> {
  const { endpoint, query } = area;
  const times: number[] = [];
  while (times.length < SAMPLES) {
    const start = performance.now();
    const took = () => times.push(performance.now() - start);
    try {
      await withTimeout(PATIENCE, (signal) => call(endpoint, { query, signal }), leaving);
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

/** Measures one area after the other, so that none waits for another one's answer. Rejects when `leaving` is aborted. */
export async function measureAll(leaving: AbortSignal, tell: (measured: Measured) => void): Promise<void> {
  for (const area of AREAS) tell(await measure(area, leaving));
}
