import { useQueryClient } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";

import { currentUserQuery } from "~/frame/permissions/read-current-user";
import { retryPolicyOf } from "~/api/paging/retry-policy";
import { roleBindings } from "platform-contract/iam/role-bindings";
import { usePerson } from "~/auth/use-session";
import { useHasAuditLog } from "~/domains/audit/log/use-audit-log";

import { useRecordsUse } from "~/domains/access/use/queries";
import type { Live } from "./read";

/** The key of what was read for a review: every write of a role binding in this tab makes it stale. */
export const liveKey = (review: string) => [roleBindings.collection, "review", review] as const;

/** What nobody needs before a review has begun. */
export const loadSteps = () => import("./steps");

/** Reads a scope on request; a new reading ends the one before, and so does leaving the page. */
export function useReading() {
  const client = useQueryClient();
  const hasLog = useHasAuditLog();
  const countsPulls = useRouteContext({
    strict: false,
    select: ({ config }) => config?.registryUsage === true,
  });
  const recordsUse = useRecordsUse();
  const person = usePerson();
  /** What is being read; undefined if nothing is. */
  const [doing, setDoing] = useState<string>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const stop = useCallback(() => {
    running.current?.abort();
    running.current = undefined;
    setDoing(undefined);
  }, []);
  /** Resolves to undefined if it was stopped. */
  const read = useCallback(
    async (scope: string, reviewed: readonly string[]): Promise<Live | undefined> => {
      running.current?.abort();
      const own = new AbortController();
      running.current = own;
      setDoing("role bindings");
      try {
        // Before someone reads, the screen needs none of it.
        const { readScope } = await loadSteps();
        const { identityUid: me } = await client.query(currentUserQuery(person));
        return await readScope(scope, reviewed, {
          me,
          hasLog,
          countsPulls,
          recordsUse,
          signal: own.signal,
          retryPolicy: retryPolicyOf(client),
          tell: (what) => (own.signal.aborted ? undefined : setDoing(what)),
        });
      } catch (error) {
        if (own.signal.aborted) return undefined;
        throw error;
      } finally {
        if (running.current === own) {
          running.current = undefined;
          setDoing(undefined);
        }
      }
    },
    [client, hasLog, countsPulls, recordsUse, person],
  );
  return { doing, read, stop };
}
