import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { ApiError } from "platform-client/errors";
import {
  externalGroupRoleMappings,
  type ExternalGroupRoleMapping,
  batchDeleteMappings,
} from "platform-contract/iam/external-group-role-mappings";
import { againOf } from "~/api/bulk/recreation-plan";
import { callOnce } from "~/api/mutations/call-once";
import { invalidateDependents, removeAll } from "~/api/mutations/patch";
import { sendDelete } from "~/api/mutations/send-delete";
import { useCanRecreate, useRecreate } from "~/frame/bulk-delete/use-recreation";
import { CREATED_AGAIN, CREATED_AGAIN_ONE } from "~/frame/bulk-delete/words";
import { useJustification } from "~/frame/form/use-justification";
import { WriteRequests } from "~/frame/request-inspector/write-requests";
import { formatQuantity } from "~/ui/display/numbers";
import { shorten } from "~/ui/display/shorten";
import { toast } from "~/ui/feedback/toast-store";
import { ConfirmDelete } from "~/ui/overlay/confirm-delete";

interface DeleteMappingsProps {
  readonly provider: string;
  readonly mappings: readonly ExternalGroupRoleMapping[];
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Confirms the deletion of several mappings, in one request where the service has batches. */
export function DeleteMappings({ provider, mappings, onClose, onDeleted }: DeleteMappingsProps): ReactNode {
  const client = useQueryClient();
  const names = mappings.map(({ uid }) => uid);
  const body = { parent: provider, names };
  const what = formatQuantity(names.length, "mapping", "mappings");
  const recreate = useRecreate();
  const { justification, field } = useJustification();
  const canRecreate = useCanRecreate(externalGroupRoleMappings.collection)(names);
  const undo = () =>
    recreate(
      mappings.map((mapping) => ({
        uid: mapping.uid,
        name: mapping.externalGroupId ?? shorten(mapping.uid),
        again: againOf("externalGroupRoleMappings", provider, mapping),
      })),
    );
  const again = names.length === 1 ? CREATED_AGAIN_ONE : CREATED_AGAIN;
  return (
    <ConfirmDelete
      opened
      onClose={onClose}
      kind={names.length === 1 ? "mapping" : "mappings"}
      name={mappings.map(({ externalGroupId }) => externalGroupId).join(", ")}
      consequence={`Members of these groups lose the roles immediately, unless another mapping or role binding also grants them. ${canRecreate ? `${again} Members get the roles again with their next sign-in, or at once if a directory pushes groups.` : "This can't be undone."}`}
      onDelete={async () => {
        try {
          // A service that did it already skips those that are gone.
          await callOnce(batchDeleteMappings, { body, justification }, crypto.randomUUID());
          removeAll(client, externalGroupRoleMappings.collection, names);
        } catch (error) {
          if (!(error instanceof ApiError && error.operationMissing)) throw error;
          // Not in the specification. One by one: a retry skips those that are gone.
          for (const uid of names) {
            await sendDelete(externalGroupRoleMappings, uid, { justification });
            removeAll(client, externalGroupRoleMappings.collection, [uid]);
          }
        }
        invalidateDependents(client, externalGroupRoleMappings.affects);
      }}
      onDeleted={() => {
        toast(`Deleted ${what}`, canRecreate ? { label: "Undo", onSelect: undo } : undefined);
        onDeleted();
      }}
    >
      {field}
      <WriteRequests requests={() => [{ endpoint: batchDeleteMappings, body, justification }]} />
    </ConfirmDelete>
  );
}
