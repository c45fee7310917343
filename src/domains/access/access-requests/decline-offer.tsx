import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { call } from "~/api/client/client";
import { PAGE_SIZE_MAX } from "platform-contract/aip";
import type { Offer } from "platform-contract/iam/offers";
import { roleBindings } from "platform-contract/iam/role-bindings";
import "~/ui/controls/button-styles";
import { errorFacts } from "~/ui/feedback/error-facts";
import { Notice } from "~/ui/feedback/notice";
import { toast } from "~/ui/feedback/toast-store";
import { Sheet } from "~/ui/overlay/sheet";

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

export function DeclineOffer({ offer, identity, onClose }: DeclineOfferProps): ReactNode {
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
