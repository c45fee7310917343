import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, type ReactNode } from "react";

import { retryPolicyOf } from "~/api/paging/retry-policy";
import { useJobOpen } from "~/frame/bulk-delete/use-job-open";
import { useNow } from "~/ui/clock";
import "~/ui/controls/button-styles";
import { ExactTimes } from "~/ui/display/time";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";

import { CanDo } from "./can-do";
import { Did } from "./did";
import { Outlives } from "./outlives";
import { PlanSection } from "./plan-section";
import { Reach } from "./reach";
import { namesOf, readAnswer } from "./read";
import { readLeak, type Leak } from "./read-leak";
import classes from "./styles.module.css";
import { WhoseItIs } from "./whose-it-is";

/** Nothing of a token is in the key of a cache. */
const keys = new WeakMap<Leak, string>();
function keyOf(leak: Leak): string {
  const key = keys.get(leak) ?? crypto.randomUUID();
  keys.set(leak, key);
  return key;
}

interface AnswerProps {
  readonly leak: Leak;
  /** uid of the identity whose token it should be. */
  readonly expected: string | undefined;
}

/** Reads everything about a token, again after each job, and shows it. */
export function Answer({ leak, expected }: AnswerProps): ReactNode {
  const { config } = useRouteContext({ from: "__root__" });
  const client = useQueryClient();
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ["leaked-token", keyOf(leak)],
    queryFn: ({ signal }) => readAnswer(leak, { config, retryPolicy: retryPolicyOf(client), signal }),
    // A plan is about what was read: it changes only when a job has ended or the user reads again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const now = useNow(60);
  const jobOpen = useJobOpen();
  const wasOpen = useRef(jobOpen);
  useEffect(() => {
    if (wasOpen.current && !jobOpen) void refetch();
    wasOpen.current = jobOpen;
  }, [jobOpen, refetch]);
  const failed = error ? (
    <FailedPart
      title={
        data
          ? "It couldn't be read again. What was read before is below"
          : "What the token did couldn't be read"
      }
      error={error}
      onRetry={() => void refetch()}
    />
  ) : null;
  if (!data)
    return (
      failed ?? (
        <p role="status" className={classes["quiet"]}>
          Reading the audit log, and what is left of what it made…
        </p>
      )
    );
  const { whose } = data;
  const hasEnded = leak.ends !== undefined && leak.ends <= now;
  return (
    <ExactTimes value>
      {failed}
      <Reach leak={leak} answer={data} hasLog={config.auditLog} />
      {expected !== undefined && whose.length > 0 && !whose.some(({ uid }) => uid === expected) ? (
        <Notice tone="warning" title="It is of another identity than the one that you came from">
          The answer is about <bdi>{namesOf(whose)}</bdi>.
        </Notice>
      ) : null}
      <WhoseItIs leak={leak} answer={data} />
      {whose.length > 0 ? (
        <>
          <CanDo answer={data} hasEnded={hasEnded} />
          {config.auditLog ? (
            <>
              <Did
                answer={data}
                again={
                  <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
                    Look again
                  </Button>
                }
              />
              <Outlives survivors={data.survivors} />
            </>
          ) : null}
          <PlanSection answer={data} who={namesOf(whose)} hasEnded={hasEnded} />
        </>
      ) : null}
    </ExactTimes>
  );
}

interface ReadProps {
  readonly text: string;
  /** An ID that the user wants to be looked for. */
  readonly byId: Leak | undefined;
  readonly onId: (leak: Leak) => void;
  readonly expected: string | undefined;
}

/** Reads what was pasted, and shows the answer or why there is none. */
export function Read({ text, byId, onId: setById, expected }: ReadProps): ReactNode {
  const { config } = useRouteContext({ from: "__root__" });
  const reading = useMemo(() => readLeak(text, config), [text, config]);
  const leak = reading?.is === "leak" ? reading.leak : byId;
  return (
    <>
      {reading?.is === "unreadable" ? (
        <Notice tone="danger" role="status" title={reading.title}>
          {reading.text}
        </Notice>
      ) : null}
      {reading?.is === "id" && !byId ? (
        <Notice
          title="This is no token and no claims"
          role="status"
          actions={
            <Button
              variant="default"
              onClick={() =>
                setById({
                  jti: reading.jti,
                  token: undefined,
                  exchangedFor: undefined,
                  issued: undefined,
                  ends: undefined,
                })
              }
            >
              Look for a token with this ID
            </Button>
          }
        >
          If it is the ID of a token (its jti claim), the audit log can be searched for it. That sends the ID
          to the service, so don&apos;t do it with a secret.
        </Notice>
      ) : null}
      {leak ? <Answer key={keyOf(leak)} leak={leak} expected={expected} /> : null}
    </>
  );
}
