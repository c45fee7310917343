import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { call } from "~/api/client/client";
import { invalidateDependents } from "~/api/mutations/patch";
import { WriteRequests } from "~/frame/request-inspector/write-requests";
import {
  listRetentionDeletions,
  MOST_RESTORED,
  restoreRetentionRun,
  type RestoreOutcome,
} from "platform-contract/registry/retention";
import "~/ui/controls/button-styles";
import { formatQuantity } from "~/ui/display/numbers";
import { FailedPart } from "~/ui/feedback/failed-part";
import { toast } from "~/ui/feedback/toast-store";
import { Dialog } from "~/ui/overlay/dialog";

import { RETENTION } from "./data";

/** What is told of tags that can't be restored. */
const MOST_NAMED = 10;

async function deletedIn(run: string, signal: AbortSignal): Promise<string[]> {
  const found: string[] = [];
  let token: string | undefined;
  do {
    const page = await call(listRetentionDeletions, {
      path: { uid: run },
      query: {
        state: "RETENTION_DELETION_STATE_DELETED",
        page_size: 1_000,
        ...(token !== undefined && { page_token: token }),
      },
      signal,
    });
    found.push(...page.items.map(({ uid }) => uid));
    token = page.nextPageToken;
  } while (token !== undefined);
  return found;
}

/** Asks the service about deletions, as many at once as it takes. */
async function restore(
  run: string,
  uids: readonly string[],
  validateOnly: boolean,
  signal?: AbortSignal,
): Promise<RestoreOutcome[]> {
  const outcomes: RestoreOutcome[] = [];
  for (let from = 0; from < uids.length; from += MOST_RESTORED) {
    const body = {
      deletionUids: uids.slice(from, from + MOST_RESTORED),
      ...(validateOnly && { validateOnly }),
    };
    const answer = await call(restoreRetentionRun, { path: { uid: run }, body, signal });
    outcomes.push(...(answer.outcomes ?? []));
  }
  return outcomes;
}

interface RestoreDialogProps {
  readonly run: string;
  /** uids of deletions, or all that are not restored. */
  readonly which: readonly string[] | "all";
  readonly onClose: () => void;
}

/** Says which tags can be restored, and restores those. */
export function RestoreDialog({ run, which, onClose }: RestoreDialogProps): ReactNode {
  const client = useQueryClient();
  const check = useQuery({
    queryKey: ["retentionRuns", "restorable", run, which] as const,
    queryFn: async ({ signal }) =>
      restore(run, which === "all" ? await deletedIn(run, signal) : which, true, signal),
    gcTime: 0,
    staleTime: Infinity,
  });
  const [working, setWorking] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const outcomes = check.data ?? [];
  const able = outcomes.filter(({ restored }) => restored);
  const refused = outcomes.filter(({ restored }) => !restored);
  const uids = able.map(({ uid }) => uid);
  const go = async () => {
    if (working) return;
    setWorking(true);
    setFailure(undefined);
    try {
      const done = (await restore(run, uids, false)).filter(({ restored }) => restored);
      const left = uids.length - done.length;
      toast(
        `Restored ${formatQuantity(done.length, "tag", "tags")}${left > 0 ? `. ${formatQuantity(left, "tag", "tags")} can't be restored any more` : ""}`,
      );
      onClose();
    } catch (error) {
      setFailure(error);
    } finally {
      setWorking(false);
      invalidateDependents(client, [...RETENTION, "tags"]);
    }
  };
  return (
    <Dialog
      title="Restore tags?"
      size="32rem"
      onClose={onClose}
      footer={
        <>
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          {able.length > 0 ? (
            <Button onClick={() => void go()} loading={working}>
              Restore {formatQuantity(able.length, "tag", "tags")}
            </Button>
          ) : null}
        </>
      }
    >
      {check.isPending ? <p role="status">Asking which tags can be restored…</p> : null}
      {check.error ? (
        <FailedPart
          title="Which tags can be restored couldn't be found out"
          error={check.error}
          onRetry={() => void check.refetch()}
        />
      ) : null}
      {check.data ? (
        <p role="status">
          {able.length === 0
            ? "None of them can be restored."
            : `${formatQuantity(able.length, "tag", "tags")} can be restored, each with its image. The rule leaves them alone from then on, as long as they name it.`}
        </p>
      ) : null}
      {refused.length > 0 ? (
        <ul aria-label="Can't be restored">
          {refused.slice(0, MOST_NAMED).map(({ uid, name, repoName, refusal }) => (
            <li key={uid}>
              <bdi>
                {repoName}:{name}
              </bdi>
              : {refusal}
            </li>
          ))}
          {refused.length > MOST_NAMED ? (
            <li>And {formatQuantity(refused.length - MOST_NAMED, "more tag", "more tags")}</li>
          ) : null}
        </ul>
      ) : null}
      {failure === undefined ? null : (
        <FailedPart title="Not all of them were restored" error={failure} onRetry={() => void go()} />
      )}
      {able.length > 0 ? (
        <WriteRequests
          requests={() => [
            {
              endpoint: restoreRetentionRun,
              path: { uid: run },
              body: { deletionUids: uids.slice(0, MOST_RESTORED) },
            },
          ]}
        />
      ) : null}
    </Dialog>
  );
}
