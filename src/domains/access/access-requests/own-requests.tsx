import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import { useSyncExternalStore, type ReactNode } from "react";

import { call } from "~/api/client/client";
import { ownAccessRequests, type OwnRequest } from "platform-contract/iam/access-requests";
import { Badge } from "~/ui/display/badge";
import { Section } from "~/ui/display/section";
import { Time } from "~/ui/display/time";
import { exactTime } from "~/ui/display/time-text";
import "~/ui/controls/button-styles";
import { useNow } from "~/ui/clock";
import { readPreference, subscribePreferences, writePreference } from "~/ui/preferences";
import { FailedPart } from "~/ui/feedback/failed-part";

import { OWN } from "./keys";
import { Place } from "./place";
import classes from "./styles.module.css";
import { isKeyOf } from "~/ui/keys";

const STATES = {
  pending: { tone: "quiet", word: "Waiting" },
  granted: { tone: "success", word: "Granted" },
  ended: { tone: "quiet", word: "Ended" },
  removed: { tone: "quiet", word: "Removed since" },
  declined: { tone: "danger", word: "Declined" },
} as const;

const SEEN = "answers-seen";
const keyOf = ({ groupUid, state, createTime }: OwnRequest): string => `${groupUid} ${createTime} ${state}`;

/** The requests whose answers the person has put away, by `keyOf`, in this browser. */
function useSeen(): [ReadonlySet<string>, (requests: readonly OwnRequest[]) => void] {
  const text = useSyncExternalStore(subscribePreferences, () => readPreference(SEEN)) ?? "";
  return [
    new Set(text.split("\n")),
    (requests) => writePreference(SEEN, requests.map(keyOf).join("\n") || null),
  ];
}

interface OwnRequestsProps {
  /** Leaves out those whose answers were put away, and lets the person put them away. */
  readonly unseen?: boolean;
}

/** What the person asked for in the last 30 days, and the answers; nothing if they never asked. */
export function OwnRequests({ unseen = false }: OwnRequestsProps): ReactNode {
  const config = useRouteContext({ strict: false, select: (context) => context.config });
  const { data, error, refetch } = useQuery({
    queryKey: OWN,
    queryFn: ({ signal }) => call(ownAccessRequests, { signal }),
    enabled: config?.accessRequests === true,
  });
  const [seen, putAway] = useSeen();
  if (error && !data)
    return <FailedPart title="Your requests couldn't be loaded" error={error} onRetry={refetch} />;
  const all = data?.accessRequests ?? [];
  const requests = unseen ? all.filter((request) => !seen.has(keyOf(request))) : all;
  const isAnswered = ({ state }: OwnRequest): boolean => state !== "pending";
  if (requests.length === 0) return null;
  return (
    <Section
      title="Your requests"
      count={requests.length}
      description={unseen ? "Access you asked for." : undefined}
      actions={
        unseen && requests.some(isAnswered) ? (
          <Button variant="default" onClick={() => putAway(all.filter(isAnswered))}>
            Hide answers
          </Button>
        ) : undefined
      }
    >
      <ul className={classes["list"]}>
        {requests.map((request) => (
          <Own key={`${request.groupUid} ${request.createTime}`} request={request} />
        ))}
      </ul>
    </Section>
  );
}

/** Granted access may have ended, or its role may have been removed. */
function stateOf(
  { state = "", expirationTime, roleNames = [] }: OwnRequest,
  now: number,
): keyof typeof STATES {
  if (state !== "granted") return isKeyOf(STATES, state) ? state : "pending";
  if (expirationTime && Date.parse(expirationTime) <= now) return "ended";
  return roleNames.length === 0 ? "removed" : "granted";
}

function Own({ request }: { readonly request: OwnRequest }) {
  const { groupUid, message, state = "", reason, createTime, expirationTime, roleNames = [] } = request;
  const { decideTime, byName, byEmail, grantedRoleName, removeTime, removedByName } = request;
  const current = stateOf(request, useNow(30));
  const { tone, word } = STATES[current];
  const roles = roleNames.length > 0 || grantedRoleName === undefined ? roleNames : [grantedRoleName];
  return (
    <li>
      <div className={classes["who"]}>
        <Badge tone={tone}>{word}</Badge> <Place uid={groupUid} />{" "}
        <span className={classes["quiet"]}>
          asked <Time value={createTime} />
          {roles.length > 0 ? (
            <>
              , as <bdi>{roles.join(", ")}</bdi>
            </>
          ) : null}
          {decideTime ? (
            <>
              , {state === "granted" ? "granted" : "declined"} <Time value={decideTime} />
              {byName === undefined ? null : (
                <>
                  {" "}
                  by <bdi>{byName}</bdi>
                  {byEmail === undefined ? null : <bdi> ({byEmail})</bdi>}
                </>
              )}
            </>
          ) : null}
          {current !== "removed" ? null : removeTime === undefined ? (
            ", removed; when and by whom is unknown"
          ) : (
            <>
              , removed <Time value={removeTime} />
              {removedByName === undefined ? null : (
                <>
                  {" "}
                  by <bdi>{removedByName}</bdi>
                </>
              )}
            </>
          )}
          {state === "granted" && expirationTime ? (
            <>
              , {current === "ended" ? "ended" : current === "removed" ? "was due to end" : "until"}{" "}
              {exactTime(new Date(expirationTime))}
            </>
          ) : null}
        </span>
      </div>
      {message ? (
        <p className={classes["message"]} dir="auto">
          {message}
        </p>
      ) : null}
      {reason ? (
        <p dir="auto">
          Reason: <bdi>{reason}</bdi>
        </p>
      ) : null}
    </li>
  );
}
