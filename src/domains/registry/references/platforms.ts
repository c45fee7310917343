import { queryOptions, useQuery } from "@tanstack/react-query";

import { useCan } from "~/frame/permissions/use-can";
import type { QueryFacts } from "~/api/client/request-info";
import { call } from "~/api/client/client";
import { limiter } from "~/api/paging/limiter";
import { ApiError } from "platform-client/errors";
import { parseInt64 } from "platform-contract/aip";
import { by } from "platform-contract/order";
import { getArchitectures, getSize } from "platform-contract/registry/images";
import { errorFacts } from "~/ui/feedback/error-facts";

import { useRegistryConnected } from "./use-registry-connected";

/** An image for one architecture. */
export interface Platform {
  readonly architecture: string;
  /** Bytes; undefined if the service does not report it. */
  readonly size: number | bigint | undefined;
}

/** Why the image's platforms are unknown, in a sentence. */
const imageProblem = (error: unknown, isConnected: boolean): string =>
  error instanceof ApiError && error.code === "NOT_FOUND"
    ? isConnected
      ? "This service hasn't seen this image in the registry."
      : "Not compared with a registry: none is connected."
    : errorFacts(error).message;

/** Shared by all images: a list can show many, and its own pages have priority. */
const limited = limiter(4);

const FIRST = ["amd64", "arm64"];

/** Sort order used everywhere: amd64, arm64, then the others by name. */
export const byArchitecture = by<string>(
  (architecture) => (FIRST.includes(architecture) ? FIRST.indexOf(architecture) : FIRST.length),
  (architecture) => architecture,
);

async function sizeOf(path: { uid: string; digest: string }, architecture: string, signal: AbortSignal) {
  try {
    const { size } = await call(getSize, { path, query: { architecture }, signal });
    const bytes = size === undefined ? undefined : parseInt64(size);
    return bytes === undefined || bytes < 0 ? undefined : bytes;
  } catch (error) {
    // The sizes of other architectures may still be available.
    if (error instanceof ApiError && error.kind === "refused" && !error.passing) return undefined;
    throw error;
  }
}

async function readPlatforms(uid: string, digest: string, signal: AbortSignal): Promise<readonly Platform[]> {
  const path = { uid, digest };
  const { architectures = [] } = await call(getArchitectures, { path, signal });
  const platforms: Platform[] = [];
  // One at a time, so that all images together have at most four requests in flight.
  for (const architecture of [...new Set(architectures)].filter(Boolean).toSorted(byArchitecture))
    platforms.push({ architecture, size: await sizeOf(path, architecture, signal) });
  return platforms;
}

/** Architectures of an image and their sizes, sorted by `byArchitecture`. */
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
    queryFn: ({ signal }) => limited(() => readPlatforms(repo, digest, signal), signal),
    // A digest always identifies the same image.
    staleTime: Infinity,
  });

/** Architectures of an image, or why they are unknown; `enabled`: false while they are not needed. */
export function usePlatforms(repo: string, digest: string | undefined, enabled = true) {
  const { allowed, reason } = useCan(getArchitectures, repo);
  const isConnected = useRegistryConnected();
  const { data, error } = useQuery({
    ...platformsQuery(repo, digest ?? ""),
    enabled: enabled && allowed && digest !== undefined,
  });
  return { data, problem: reason ?? (error && !data ? imageProblem(error, isConnected) : undefined) };
}
