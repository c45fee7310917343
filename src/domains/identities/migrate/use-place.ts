import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";

import { retryPolicyOf } from "~/api/paging/retry-policy";
import { useJobOpen } from "~/frame/bulk-delete/use-job-open";

import { readPlace } from "./read";

/** Reads the identities of a group and their roles, again after each job. */
export function usePlace(group: string) {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ["migrate", group],
    queryFn: ({ signal }) => readPlace(group, { retryPolicy: retryPolicyOf(client), signal }),
    // A plan is about what was read: it changes only when a job has ended or the user reads again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const { refetch } = query;
  const jobOpen = useJobOpen();
  const wasOpen = useRef(jobOpen);
  useEffect(() => {
    if (wasOpen.current && !jobOpen) void refetch();
    wasOpen.current = jobOpen;
  }, [jobOpen, refetch]);
  return query;
}
