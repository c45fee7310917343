import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { call } from "~/api/client/client";
import type { Updatable } from "~/api/mutations/send-update";
import { useUpdate } from "~/api/mutations/writes";
import { ApiError } from "platform-client/errors";
import type { AuditEntry } from "platform-contract/audit/entries";
import type { Access } from "platform-contract/endpoint";
import { accountAssociations } from "platform-contract/iam/account-associations";
import { externalGroupRoleMappings } from "platform-contract/iam/external-group-role-mappings";
import { groupInvites } from "platform-contract/iam/group-invites";
import { groups } from "platform-contract/iam/groups";
import { guardRails } from "platform-contract/iam/guard-rails";
import { identities } from "platform-contract/iam/identities";
import { identityProviders } from "platform-contract/iam/identity-providers";
import { roleBindings } from "platform-contract/iam/role-bindings";
import { roles } from "platform-contract/iam/roles";
import { terms } from "platform-contract/iam/terms";
import type { KINDS } from "platform-contract/kinds";
import { repos } from "platform-contract/registry/repos";
import "~/ui/controls/button-styles";
import { errorFacts } from "~/ui/feedback/error-facts";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";
import { toast } from "~/ui/feedback/toast-store";
import { Sheet } from "~/ui/overlay/sheet";

import classes from "~/domains/audit/log/audit.module.css";
import { Changes } from "~/domains/audit/log/changes";
import { reversalOf } from "~/domains/audit/log/undo";
import { fieldWords } from "~/frame/record/field-words";
import { nounOf, recordWords } from "~/domains/audit/log/words";
import { isKeyOf } from "~/ui/keys";

interface Item {
  readonly uid: string;
  readonly updateTime?: string | undefined;
}

interface Contract extends Updatable<Item, object> {
  readonly collection: string;
  readonly affects: readonly string[];
}

type Updated = {
  [K in keyof typeof KINDS]: (typeof KINDS)[K]["access"] extends { readonly update: Access } ? K : never;
};

/** The compiler requires an entry for each kind that has an update. */
const CONTRACTS: Readonly<Record<Updated[keyof Updated], Contract>> = {
  groups,
  identities,
  roles,
  roleBindings,
  groupInvites,
  identityProviders,
  externalGroupRoleMappings,
  guardRails,
  repos,
  accountAssociations,
  terms,
};

interface UndoUpdateProps {
  readonly entry: AuditEntry;
  readonly onClose: () => void;
}

/** Shows what an undo would change, from what the record is now, and does it. */
export function UndoUpdate({ entry, onClose }: UndoUpdateProps): ReactNode {
  const { kind = "", uid = "" } = entry.record ?? {};
  // Never from a cache: whether someone changed it since is the question.
  const { data, error, refetch } = useQuery({
    queryKey: ["undo", entry.uid],
    queryFn: async () => {
      const contract: Contract | undefined = isKeyOf(CONTRACTS, kind) ? CONTRACTS[kind] : undefined;
      if (!contract) throw new Error(`There is no update of ${kind}`);
      return { contract, current: await call(contract.get, { path: { uid } }) };
    },
    gcTime: 0,
    staleTime: 0,
    retry: false,
  });
  const title = `Undo the update of ${recordWords(entry)}`;
  if (data) return <Ready {...data} entry={entry} title={title} onClose={onClose} />;
  const gone = error instanceof ApiError && error.code === "NOT_FOUND";
  return (
    <Sheet title={title} onClose={onClose} at="centre" footer={<Cancel onClose={onClose} />}>
      {gone ? (
        <Notice title="It can't be undone">The {nounOf(kind)} was deleted since.</Notice>
      ) : error ? (
        <FailedPart title="The record couldn't be loaded" error={error} onRetry={refetch} />
      ) : (
        <p className={classes["quiet"]}>Loading…</p>
      )}
    </Sheet>
  );
}

const Cancel = ({ onClose }: { readonly onClose: () => void }): ReactNode => (
  <Button variant="default" onClick={onClose}>
    Cancel
  </Button>
);

interface ReadyProps extends UndoUpdateProps {
  readonly title: string;
  readonly contract: Contract;
  readonly current: Item;
}

function Ready({ entry, title, contract, current, onClose }: ReadyProps): ReactNode {
  const { mutate, isPending, error } = useUpdate<Item, object>(contract);
  const { mask, body, moved } = reversalOf(entry, current);
  const undo = () => {
    if (isPending) return;
    mutate(
      { uid: current.uid, mask, body, opened: current },
      {
        onSuccess: () => {
          toast(`Undid the update of ${recordWords(entry)}`);
          onClose();
        },
      },
    );
  };
  const back = (entry.changes ?? []).map(({ field, before, after }) => ({
    field,
    ...(after !== undefined && { before: after }),
    ...(before !== undefined && { after: before }),
  }));
  return (
    <Sheet
      title={title}
      onClose={onClose}
      at="centre"
      footer={
        <>
          <Cancel onClose={onClose} />
          {moved.length === 0 ? (
            <Button loading={isPending} onClick={undo}>
              Undo this update
            </Button>
          ) : null}
        </>
      }
    >
      {moved.length > 0 ? (
        <Notice title="It can't be undone">
          {moved.map(({ field }) => fieldWords(field)).join(", ")} changed again since. Undo the later update
          first, or edit the {nounOf(contract.collection)}.
        </Notice>
      ) : (
        <Changes entry={entry} changes={back} change="updated" label="What the undo changes" />
      )}
      {error ? (
        <Notice tone="danger" role="alert" title="The update wasn't undone">
          {errorFacts(error).message}
        </Notice>
      ) : null}
    </Sheet>
  );
}
