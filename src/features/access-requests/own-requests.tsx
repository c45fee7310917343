import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { call } from "~/api/client/client";
import { ownAccessRequests, type OwnRequest } from "~/contract/iam/access-requests";
import { Badge } from "~/ui/display/badge";
import { Section } from "~/ui/display/section";
import { shorten } from "~/ui/display/shorten";
import { Time } from "~/ui/display/time";
import { FailedPart } from "~/ui/feedback/failed-part";

import { OWN } from "./keys";
import classes from "./styles.module.css";

const STATES = {
  pending: { tone: "quiet", word: "Waiting" },
  granted: { tone: "success", word: "Granted" },
  declined: { tone: "danger", word: "Declined" },
} as const;

/** What the person asked for in the last 30 days, and the answers; nothing if they never asked. */
export function OwnRequests(): ReactNode {
  const { data, error, refetch } = useQuery({
    queryKey: OWN,
    queryFn: ({ signal }) => call(ownAccessRequests, { signal }),
  });
  if (error && !data)
    return <FailedPart title="Your requests couldn't be loaded" error={error} onRetry={refetch} />;
  const requests = data?.accessRequests ?? [];
  if (requests.length === 0) return null;
  return (
    <Section title="Your requests" count={requests.length}>
      <ul className={classes["list"]}>
        {requests.map((request) => (
          <Own key={`${request.groupUid} ${request.createTime}`} request={request} />
        ))}
      </ul>
    </Section>
  );
}

function Own({ request: { groupUid, state = "", reason, createTime } }: { readonly request: OwnRequest }) {
  const { tone, word } = STATES[state as keyof typeof STATES] ?? STATES.pending;
  return (
    <li>
      <div className={classes["who"]}>
        <Badge tone={tone}>{word}</Badge> <code title={groupUid}>{shorten(groupUid)}</code>{" "}
        <span className={classes["quiet"]}>
          asked <Time value={createTime} />
        </span>
      </div>
      {reason ? <p dir="auto">{reason}</p> : null}
    </li>
  );
}
