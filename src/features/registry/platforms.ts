import { queryOptions, useQuery } from "@tanstack/react-query";

import { useCan } from "~/access/use-can";
import type { QueryFacts } from "~/api/client/request-info";
import { call } from "~/api/client/client";
import { ApiError } from "~/api/client/errors";
import { lane } from "~/api/paging/lane";
import { parseInt64 } from "~/contract/aip";
import { getArchitectures, getSize } from "~/contract/registry/images";
import { errorFacts } from "~/ui/feedback/error-facts";

/** What an image is for one architecture. */
export interface Platform {
  readonly architecture: string;
  /** Bytes; undefined where the service does not say. */
  readonly size: number | bigint | undefined;
}

/** Why an image has no facts, in a sentence. */
const imageProblem = (error: unknown): string =>
  error instanceof ApiError && error.code === "NOT_FOUND"
    ? "The registry has no such image."
    : errorFacts(error).message;

/** For all images together: a list may have many in view, and its own pages go first. */
const inTurn = lane(4);

const FIRST = ["amd64", "arm64"];

/** The same order everywhere: amd64, arm64, then the others by name. */
export function byArchitecture(a: string, b: string): number {
  const [first, second] = [a, b].map((each) => {
    const place = FIRST.indexOf(each);
    return place < 0 ? FIRST.length : place;
  }) as [number, number];
  return first - second || (a < b ? -1 : a > b ? 1 : 0);
}

async function sizeOf(path: { uid: string; digest: string }, architecture: string, signal: AbortSignal) {
  try {
    const { size } = await call(getSize, { path, query: { architecture }, signal });
    const bytes = size === undefined ? undefined : parseInt64(size);
    return bytes === undefined || bytes < 0 ? undefined : bytes;
  } catch (error) {
    // The sizes of the other architectures may be known.
    if (error instanceof ApiError && error.kind === "refused" && !error.passing) return undefined;
    throw error;
  }
}

async function readPlatforms(uid: string, digest: string, signal: AbortSignal): Promise<readonly Platform[]> {
  const path = { uid, digest };
  const { architectures = [] } = await call(getArchitectures, { path, signal });
  const platforms: Platform[] = [];
  // One by one, so that all images together have at most four requests under way.
  for (const architecture of [...new Set(architectures)].filter(Boolean).toSorted(byArchitecture))
    platforms.push({ architecture, size: await sizeOf(path, architecture, signal) });
  return platforms;
}

/** Architectures of an image and their sizes, in the order above. */
export const platformsQuery = (repo: string, digest: string) =>
  queryOptions({
    queryKey: ["images", "platforms", repo, digest] as const,
    meta: {
      requests: (known: readonly Platform[] | undefined) => {
        const path = { uid: repo, digest };
        const sizes = known?.map(({ architecture }) => ({
          endpoint: getSize,
          path,
          query: { architecture },
        }));
        return [{ endpoint: getArchitectures, path }, ...(sizes ?? [])];
      },
    } satisfies QueryFacts,
    queryFn: ({ signal }) => inTurn(() => readPlatforms(repo, digest, signal), signal),
    // A digest names the same image forever.
    staleTime: Infinity,
  });

/** Architectures of an image, or why they are not known; `enabled`: false as long as they are not needed. */
export function usePlatforms(repo: string, digest: string | undefined, enabled = true) {
  const { allowed, reason } = useCan(getArchitectures, repo);
  const { data, error } = useQuery({
    ...platformsQuery(repo, digest ?? ""),
    enabled: enabled && allowed && digest !== undefined,
  });
  return { data, problem: reason ?? (error && !data ? imageProblem(error) : undefined) };
}
