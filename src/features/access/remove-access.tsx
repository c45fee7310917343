import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { infinite } from "~/api/queries/queries";
import type { Patience } from "~/api/paging/scan-pages";
import { PAGE_SIZE_MAX } from "~/contract/aip";
import { roleBindings, type RoleBinding } from "~/contract/iam/role-bindings";
import { ConfirmDeletion } from "~/features/bulk-delete/confirm-deletion";
import { readAll } from "~/features/bulk-delete/read-all";
import { GroupsAbove } from "~/features/scope/groups-above";
import { FailedPart } from "~/ui/feedback/failed-part";

import { roleNameOf } from "./bindings";
import { useBulkRefusal } from "./use-bulk-refusal";

export interface RemoveAccessProps {
  /** uid of the identity. */
  readonly identity: string;
  readonly onClose: () => void;
}

/** Reads every role binding of an identity, and asks before it deletes them together. */
export function RemoveAccess({ identity, onClose }: RemoveAccessProps): ReactNode {
  const client = useQueryClient();
  const refusal = useBulkRefusal();
  const { data, error, refetch } = useQuery({
    queryKey: [roleBindings.collection, "all", identity],
    queryFn: ({ signal }) => {
      const list = infinite(roleBindings.list, { identity, order_by: "uid", page_size: PAGE_SIZE_MAX });
      const patience = client.getDefaultOptions().queries as Patience;
      return readAll<RoleBinding>(list, () => true, { patience, signal });
    },
    staleTime: 0,
    gcTime: 0,
  });
  if (error)
    return <FailedPart title="Role bindings couldn't be read" error={error} onRetry={() => refetch()} />;
  if (!data) return null;
  return (
    <ConfirmDeletion
      resource={roleBindings}
      one={roleBindings.noun}
      many={roleBindings.plural}
      nameOf={roleNameOf}
      Where={GroupsAbove}
      records={data}
      refusal={refusal}
      consequence="Every role that you can see is removed immediately. This can't be undone. Roles in groups that you can't see, and invites that were sent, stay."
      onClose={onClose}
      onStarted={onClose}
    />
  );
}
