import { queryOptions } from "@tanstack/react-query";

import { withTimeout } from "platform-client/timeout";

import { readDescription, type ApiDescription } from "./document";

const TIMEOUT_MS = 30_000;

/** The address of the description of an API. */
export const descriptionAddress = (apiBaseUrl: string): string => `${apiBaseUrl}/openapi.json`;

/**
 * The API's own description. It is the same for everybody and read without a token. The result is null where there is
 * none, as with another service, or it is not readable; a service that can't be reached is an error.
 */
export const apiDescription = (apiBaseUrl: string) =>
  queryOptions({
    queryKey: ["openapi", "get", apiBaseUrl] as const,
    queryFn: ({ signal }) =>
      withTimeout(
        TIMEOUT_MS,
        async (limit): Promise<ApiDescription | null> => {
          const response = await fetch(descriptionAddress(apiBaseUrl), {
            headers: { accept: "application/json" },
            credentials: "omit",
            signal: limit,
          });
          if (!response.ok) return null;
          const document: unknown = await response.json().catch(() => undefined);
          return readDescription(document) ?? null;
        },
        signal,
      ),
    // It changes with a new version of the service.
    staleTime: Infinity,
  });
