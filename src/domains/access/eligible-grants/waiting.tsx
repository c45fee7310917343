import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";

import { rowsOf } from "~/api/queries/queries";
import { useCurrentUser } from "~/frame/permissions/current-user";
import { useCan, useRefusal } from "~/frame/permissions/use-can";
import { GroupLink } from "~/frame/scope/group-link";
import { parentOf } from "platform-contract/aip";
import { approveEligibleGrant, type EligibleGrant } from "platform-contract/iam/eligible-grants";
import { ActionButton } from "~/ui/controls/action-button";
import "~/ui/controls/button-styles";
import { Section } from "~/ui/display/section";
import { errorFacts } from "~/ui/feedback/error-facts";
import { Notice } from "~/ui/feedback/notice";
import { onDemand } from "~/ui/on-demand";
import { ShowMore } from "~/ui/table/show-more";

import { grantsQuery, NOT_HELD, personOf, roleOf } from "./data";
import { StandingOf } from "./standing";
import classes from "./styles.module.css";
import { useDeed } from "./use-deed";

const Decline = onDemand(async () => (await import("./decline")).Decline);

interface WaitingActivationsProps {
  /** uid; undefined for everything that the user can see. */
  readonly group: string | undefined;
}

/** Who waits for somebody's approval to switch on a role; nothing if nobody does. */
export function WaitingActivations({ group }: WaitingActivationsProps): ReactNode {
  const config = useRouteContext({ strict: false, select: (context) => context.config });
  const { allowed } = useCan(approveEligibleGrant, group);
  const query = useInfiniteQuery({
    ...grantsQuery({
      activation_state: "ACTIVATION_STATE_WAITING",
      ...(group !== undefined && { "uidp.descendants_of": group }),
    }),
    enabled: allowed && config?.eligibleGrants === true,
  });
  const [declined, setDeclined] = useState<EligibleGrant>();
  const { identityUid } = useCurrentUser();
  // Nobody approves their own.
  const rows = rowsOf(query.data).rows.filter((grant) => grant.identityUid !== identityUid);
  if (rows.length === 0) return null;
  return (
    <Section title="Waiting for approval" description={`People who want to switch on a role. ${NOT_HELD}`}>
      <ul className={classes["list"]}>
        {rows.map((grant) => (
          <One key={grant.uid} grant={grant} onDecline={() => setDeclined(grant)} />
        ))}
      </ul>
      {declined ? <Decline grant={declined} onClose={() => setDeclined(undefined)} /> : null}
      <ShowMore query={query} />
    </Section>
  );
}

function One({
  grant,
  onDecline,
}: {
  readonly grant: EligibleGrant;
  readonly onDecline: () => void;
}): ReactNode {
  const { uid, activation } = grant;
  const group = parentOf(uid);
  const name = personOf(grant);
  const refusal = useRefusal();
  const { mutate, isPending, error } = useDeed(
    approveEligibleGrant,
    () => `Approved ${roleOf(grant)} for ${name}`,
  );
  const requestTime = activation?.requestTime ?? "";
  return (
    <li aria-label={`${name}, ${roleOf(grant)}`}>
      <div>
        <strong>
          <bdi>{name}</bdi>
        </strong>{" "}
        wants <bdi>{roleOf(grant)}</bdi> in <GroupLink uid={group} />
      </div>
      <StandingOf grant={grant} />
      {error ? (
        <Notice tone="danger" role="alert" title="It wasn't approved">
          {errorFacts(error).message}
        </Notice>
      ) : null}
      <div className={classes["deeds"]}>
        <ActionButton
          reason={refusal(approveEligibleGrant, group) ?? (isPending ? "Approving" : undefined)}
          onClick={() => mutate({ uid, body: { requestTime } })}
        >
          Approve
        </ActionButton>
        <Button variant="default" onClick={onDecline}>
          Decline
        </Button>
      </div>
    </li>
  );
}
