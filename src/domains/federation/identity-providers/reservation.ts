import { queryOptions, useQuery, type QueryClient } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";

import { call } from "~/api/client/client";
import { useCan } from "~/frame/permissions/use-can";
import { ApiError } from "platform-client/errors";
import { reserveProvider } from "platform-contract/iam/provider-setup";

/** In this tab's storage: a redirect URI that is registered at the provider survives a reload. */
const KEY = "pc.reserved-provider";

interface Kept {
  readonly parent: string;
  readonly reservation: string;
}

function readKept(parent: string): string | undefined {
  try {
    const kept: Kept | null = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    return kept?.parent === parent ? kept.reservation : undefined;
  } catch {
    // Not written by this console.
    return undefined;
  }
}

function keep(kept: Kept): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // The storage is full: a reload reserves anew.
  }
}

/** Milliseconds after which a reservation is renewed: half of its life. */
const RENEWED_MS = 30 * 60_000;

const reservationQuery = (parent: string) =>
  queryOptions({
    // Not below the collection, whose writes make everything there stale.
    queryKey: ["reserved provider", parent] as const,
    meta: { requests: () => [{ endpoint: reserveProvider, path: { parent } }] },
    async queryFn({ signal }) {
      const reserve = (reservation?: string) =>
        call(reserveProvider, { path: { parent }, query: reservation ? { reservation } : {}, signal });
      const made = await reserve(readKept(parent)).catch((error: unknown) => {
        // Another user's, or older than a day.
        if (error instanceof ApiError && error.code === "INVALID_ARGUMENT") return reserve();
        throw error;
      });
      keep({ parent, reservation: made.reservation });
      return made;
    },
    staleTime: RENEWED_MS,
    refetchInterval: RENEWED_MS,
  });

/**
 * The uid and redirect URI reserved for a new provider in a group. Neither `reserved` nor `isComing` if the service has no
 * reservations, the user may not create one there, or it failed.
 */
export function useReservation(parent: string) {
  const { providerSetup } = useRouteContext({ from: "__root__" }).config;
  const { allowed } = useCan(reserveProvider, parent || undefined);
  const enabled = providerSetup && parent !== "" && allowed;
  const { data, isPending, isError } = useQuery({ ...reservationQuery(parent), enabled });
  return {
    reserved: enabled ? data : undefined,
    isComing: providerSetup && (parent === "" || (enabled && isPending && !isError)),
  };
}

/** The provider is created: the next one gets another uid. */
export function forgetReservation(client: QueryClient, parent: string): void {
  sessionStorage.removeItem(KEY);
  client.removeQueries({ queryKey: reservationQuery(parent).queryKey });
}
