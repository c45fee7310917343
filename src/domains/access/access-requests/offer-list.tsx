import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { useCurrentUser } from "~/frame/permissions/current-user";
import { call } from "~/api/client/client";
import { acceptAccess, type Offer } from "platform-contract/iam/offers";
import { ActionButton } from "~/ui/controls/action-button";
import "~/ui/controls/button-styles";
import { Section } from "~/ui/display/section";
import { Time } from "~/ui/display/time";
import { errorFacts } from "~/ui/feedback/error-facts";
import { Notice } from "~/ui/feedback/notice";
import { toast } from "~/ui/feedback/toast-store";
import { PAGE_SIZE_MAX } from "platform-contract/aip";
import { roleBindings } from "platform-contract/iam/role-bindings";
import { Sheet } from "~/ui/overlay/sheet";

import classes from "./styles.module.css";

interface DeclineOfferProps {
  readonly offer: Offer;
  /** uid of the person. */
  readonly identity: string;
  readonly onClose: () => void;
}

/** Deletes all role bindings of a person in an organization, page by page. */
async function giveUp(identity: string, organization: string): Promise<void> {
  const query = { identity, "uidp.descendants_of": organization, page_size: PAGE_SIZE_MAX };
  const { items, nextPageToken } = await call(roleBindings.list, { query });
  for (const { uid } of items) await call(roleBindings.delete, { path: { uid } });
  if (nextPageToken) await giveUp(identity, organization);
}

function DeclineOffer({ offer, identity, onClose }: DeclineOfferProps): ReactNode {
  const { groupUid, groupName = groupUid } = offer;
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => giveUp(identity, groupUid),
    onSuccess: () => {
      toast(`Declined access to ${groupName}`);
      onClose();
    },
    onSettled: () => client.invalidateQueries(),
  });
  return (
    <Sheet
      title={`Decline access to ${groupName}?`}
      onClose={onClose}
      at="centre"
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button data-autofocus loading={isPending} onClick={() => mutate()}>
            Decline
          </Button>
        </>
      }
    >
      <p>
        Your role bindings there are deleted. Afterwards the organization can't give you roles again, only
        invite you.
      </p>
      {error ? (
        <Notice tone="danger" role="alert" title="Access wasn't declined">
          {errorFacts(error).message}
        </Notice>
      ) : null}
    </Sheet>
  );
}

const inWords = new Intl.ListFormat("en");

/** Offers of access, each to accept or decline. */
export function OfferList({ offers }: { readonly offers: readonly Offer[] }): ReactNode {
  const { identityUid } = useCurrentUser();
  const [declined, setDeclined] = useState<Offer>();
  return (
    <Section
      title="Access offered to you"
      count={offers.length}
      description="Organizations that gave you a role. They appear in your lists once you accept. Only accept ones you know."
    >
      <ul className={classes["list"]}>
        {offers.map((offer) => (
          <One key={offer.groupUid} offer={offer} onDecline={() => setDeclined(offer)} />
        ))}
      </ul>
      {declined && identityUid !== undefined ? (
        <DeclineOffer offer={declined} identity={identityUid} onClose={() => setDeclined(undefined)} />
      ) : null}
    </Section>
  );
}

function One({ offer, onDecline }: { readonly offer: Offer; readonly onDecline: () => void }): ReactNode {
  const { groupUid, groupName = groupUid, roles = [], byName, byEmail, createTime } = offer;
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(acceptAccess, { path: { uid: groupUid }, body: {} }),
    onSuccess: () => toast(`Joined ${groupName}`),
    // Lists of everything now include the organization.
    onSettled: () => client.invalidateQueries(),
  });
  return (
    <li aria-label={`Offer of ${groupName}`}>
      <div className={classes["who"]}>
        <strong>
          <bdi>{groupName}</bdi>
        </strong>
        <span className={classes["quiet"]}>
          as <bdi>{inWords.format(roles)}</bdi>
          {byName === undefined ? null : (
            <>
              , by <bdi>{byName}</bdi>
              {byEmail === undefined ? null : <bdi> ({byEmail})</bdi>}
            </>
          )}
          , <Time value={createTime} />
        </span>
      </div>
      {error ? (
        <Notice tone="danger" role="alert" title="The offer wasn't accepted">
          {errorFacts(error).message}
        </Notice>
      ) : null}
      <div className={classes["deeds"]}>
        <Button variant="default" loading={isPending} onClick={() => mutate()}>
          Accept
        </Button>
        <ActionButton reason={undefined} onClick={onDecline}>
          Decline
        </ActionButton>
      </div>
    </li>
  );
}
