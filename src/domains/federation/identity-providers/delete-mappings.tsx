import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { ApiError } from "~/api/client/errors";
import { callOnce } from "~/api/mutations/call-once";
import { invalidateDependents, removeAll } from "~/api/mutations/patch";
import { sendDelete } from "~/api/mutations/send-delete";
import {
  batchDeleteMappings,
  externalGroupRoleMappings,
  type ExternalGroupRoleMapping,
} from "platform-contract/iam/external-group-role-mappings";
import { WriteRequests } from "~/frame/request-inspector/write-requests";
import { formatQuantity } from "~/ui/display/numbers";
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
  return (
    <ConfirmDelete
      opened
      onClose={onClose}
      kind={names.length === 1 ? "mapping" : "mappings"}
      name={mappings.map(({ externalGroupId }) => externalGroupId).join(", ")}
      consequence="Members of these groups lose the roles immediately, unless another mapping or role binding also grants them."
      onDelete={async () => {
        try {
          // A service that did it already skips those that are gone.
          await callOnce(batchDeleteMappings, { body }, crypto.randomUUID());
          removeAll(client, externalGroupRoleMappings.collection, names);
        } catch (error) {
          if (!(error instanceof ApiError && error.operationMissing)) throw error;
          // Not in the specification. One by one: a retry skips those that are gone.
          for (const uid of names) {
            await sendDelete(externalGroupRoleMappings, uid);
            removeAll(client, externalGroupRoleMappings.collection, [uid]);
          }
        }
        invalidateDependents(client, externalGroupRoleMappings.affects);
      }}
      onDeleted={() => {
        toast(`Deleted ${what}`);
        onDeleted();
      }}
    >
      <WriteRequests requests={() => [{ endpoint: batchDeleteMappings, body }]} />
    </ConfirmDelete>
  );
}
