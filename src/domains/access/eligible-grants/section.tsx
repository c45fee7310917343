import { Button } from "@mantine/core";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { call } from "~/api/client/client";
import { rowsOf } from "~/api/queries/queries";
import { useRefusal } from "~/frame/permissions/use-can";
import { identityLink } from "~/frame/record/identity-link";
import { groupPage } from "~/frame/scope/group-link";
import { useSight } from "~/frame/scope/use-sight";
import { parentOf } from "platform-contract/aip";
import {
  deactivateEligibleGrant,
  eligibleGrants,
  type EligibleGrant,
} from "platform-contract/iam/eligible-grants";
import { ActionButton } from "~/ui/controls/action-button";
import "~/ui/controls/button-styles";
import { FactTable } from "~/ui/display/fact-table";
import { Section } from "~/ui/display/section";
import { Time } from "~/ui/display/time";
import { errorFacts } from "~/ui/feedback/error-facts";
import { FailedPages } from "~/ui/feedback/failed-pages";
import { Notice } from "~/ui/feedback/notice";
import { toast } from "~/ui/feedback/toast-store";
import { AppLink } from "~/ui/layout/link";
import { onDemand } from "~/ui/on-demand";
import { DisabledReason } from "~/ui/overlay/disabled-reason";
import { Sheet } from "~/ui/overlay/sheet";
import { ShowMore } from "~/ui/table/show-more";

import { grantsQuery, NOT_HELD, personOf, placeOf, refreshAll, roleOf, termsOf } from "./data";
import { StandingOf } from "./standing";
import classes from "./styles.module.css";
import { useDeed } from "./use-deed";

const MakeForm = onDemand(async () => (await import("./make-form")).MakeForm);

type EligibleSectionProps = {
  /** uid: who is eligible for a role there. */
  readonly group?: string;
  /** The name of that group, if it lies above the one of the page: nothing is shown without anybody. */
  readonly above?: string | undefined;
  /** uid: what this person is eligible for. */
  readonly identity?: string;
};

/** Who can switch on a role in a group, or what one person can switch on; none of it counts as access. */
export function EligibleSection({ group, above, identity }: EligibleSectionProps): ReactNode {
  const query = useInfiniteQuery(
    grantsQuery(identity === undefined ? { "uidp.children_of": group } : { identity }),
  );
  const { rows, total } = rowsOf(query.data);
  const refusal = useRefusal();
  const sight = useSight(eligibleGrants.list, group, rows.length === 0);
  const [making, setMaking] = useState(false);
  const [removed, setRemoved] = useState<EligibleGrant>();
  if (above !== undefined && rows.length === 0) return null;
  return (
    <Section
      title={above === undefined ? "Eligible" : `Eligible in ${above}`}
      count={rows.length > 0 ? total : undefined}
      description={`${identity === undefined ? "People who can switch on a role for a few hours." : "Roles that they can switch on for a few hours."} ${NOT_HELD}`}
      actions={
        <ActionButton reason={refusal(eligibleGrants.create, group)} onClick={() => setMaking(true)}>
          Make eligible
        </ActionButton>
      }
    >
      {making ? <MakeForm scope={group} identity={identity} onClose={() => setMaking(false)} /> : null}
      {removed ? <Remove grant={removed} onClose={() => setRemoved(undefined)} /> : null}
      {query.isPending ? <p className={classes["quiet"]}>Loading…</p> : null}
      <FailedPages title="Eligible grants couldn't be loaded" query={query} />
      {query.data && rows.length === 0 ? (
        <p className={classes["quiet"]}>
          {sight.state === "seen"
            ? identity === undefined
              ? "Nobody is eligible for a role here."
              : "They are eligible for no role."
            : "None that you can see."}
        </p>
      ) : null}
      {rows.length > 0 ? (
        <FactTable
          caption="Eligible"
          stacks
          head={[identity === undefined ? "Who" : "Where", "Role", "Now", ""]}
          rows={rows.map((grant) => [
            identity === undefined ? (
              <AppLink key={grant.uid} target={identityLink(grant.identityUid ?? "")}>
                <bdi>{personOf(grant)}</bdi>
              </AppLink>
            ) : (
              <AppLink key={grant.uid} target={groupPage(parentOf(grant.uid))}>
                <bdi>{placeOf(grant)}</bdi>
              </AppLink>
            ),
            <span key="role" className={classes["what"]}>
              <bdi>{roleOf(grant)}</bdi>
              <span className={classes["quiet"]}>
                {termsOf(grant)}
                {grant.expirationTime ? (
                  <>
                    , until <Time value={grant.expirationTime} />
                  </>
                ) : null}
              </span>
            </span>,
            <StandingOf key="now" grant={grant} />,
            <Deeds key="deeds" grant={grant} onRemove={() => setRemoved(grant)} />,
          ])}
        />
      ) : null}
      <ShowMore query={query} />
    </Section>
  );
}

function Deeds({
  grant,
  onRemove,
}: {
  readonly grant: EligibleGrant;
  readonly onRemove: () => void;
}): ReactNode {
  const { uid, activation } = grant;
  const refusal = useRefusal();
  const [name, role] = [personOf(grant), roleOf(grant)];
  const { mutate, isPending, error } = useDeed(
    deactivateEligibleGrant,
    () => `Switched off ${role} of ${name}`,
  );
  const reason = refusal(eligibleGrants.delete, uid);
  return (
    <span className={classes["deeds"]}>
      {activation?.state === "ACTIVATION_STATE_ACTIVE" && reason === undefined ? (
        <Button
          variant="default"
          size="compact-sm"
          loading={isPending}
          aria-label={`Switch off ${role} of ${name}`}
          onClick={() => mutate({ uid, body: {} })}
        >
          Switch off
        </Button>
      ) : null}
      <DisabledReason reason={reason}>
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`Remove eligibility of ${name} for ${role}`}
          onClick={onRemove}
        >
          Remove
        </Button>
      </DisabledReason>
      {error ? <span role="alert">{errorFacts(error).message}</span> : null}
    </span>
  );
}

function Remove({
  grant,
  onClose,
}: {
  readonly grant: EligibleGrant;
  readonly onClose: () => void;
}): ReactNode {
  const client = useQueryClient();
  const [name, role] = [personOf(grant), roleOf(grant)];
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(eligibleGrants.delete, { path: { uid: grant.uid } }),
    onSuccess: () => {
      toast(`Removed eligibility of ${name} for ${role}`);
      onClose();
    },
    onSettled: () => refreshAll(client),
  });
  return (
    <Sheet
      title={`Remove eligibility of ${name} for ${role}?`}
      onClose={onClose}
      at="centre"
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button data-autofocus loading={isPending} onClick={() => mutate()}>
            Remove
          </Button>
        </>
      }
    >
      <p>They can no longer switch it on in {placeOf(grant)}. If it is switched on, it ends now.</p>
      {error ? (
        <Notice tone="danger" role="alert" title="It wasn't removed">
          {errorFacts(error).message}
        </Notice>
      ) : null}
    </Sheet>
  );
}
