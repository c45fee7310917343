import { useState, type ReactNode } from "react";

import { useCurrentUser } from "~/frame/permissions/current-user";
import { ApiError } from "~/api/client/errors";
import { useDelete } from "~/api/mutations/writes";
import { parentOf } from "platform-contract/aip";
import { groups, type Group } from "platform-contract/iam/groups";
import { ConfirmDelete } from "~/ui/overlay/confirm-delete";
import { toast } from "~/ui/feedback/toast-store";
import type { DeleteProps } from "~/frame/form/drawers";
import { useListLink } from "~/frame/list/list-link";
import { useChildCounts } from "./use-child-counts";
import { PlanButton } from "./teardown/plan-button";

import { holdsOnlyOwnBindings, isFull } from "./contents";
import { groupScreens } from "./data";
import { Inside } from "./inside";
import { isNotEmpty, refusalOf } from "./refusal";
import { kindOf } from "~/frame/scope/group-words";

/** Confirms the deletion of a group, lists its contents, and explains a refusal in place. */
export function DeleteGroup({ record, onClose, onDeleted }: DeleteProps<Group>): ReactNode {
  const { uid } = record;
  // As displayed: users can't type whitespace that HTML collapses.
  const name = groupScreens.nameOf(record).replace(/\s+/g, " ").trim();
  const kind = kindOf(uid);
  const inside = useChildCounts("groups", uid, { fresh: true });
  const linkTo = useListLink();
  const { bindings, state } = useCurrentUser();
  const own = bindings.filter((binding) => parentOf(binding.uid) === uid).length;
  // The caller's own bindings are deleted with an organization.
  const endsAccess = kind === "organization" && holdsOnlyOwnBindings(inside.counts, own);
  const goWithIt = kind === "folder" ? 0 : state === "known" ? own : undefined;
  const full = isFull(inside.counts, goWithIt);
  const { mutateAsync } = useDelete(groups);
  const [refused, setRefused] = useState<ApiError>();

  const remove = async () => {
    setRefused(undefined);
    try {
      await mutateAsync({ uid, endsAccess });
    } catch (error) {
      if (error instanceof ApiError && isNotEmpty(error)) {
        // Something may have been added since the count.
        await inside.recount();
        setRefused(error);
      }
      throw error;
    }
  };
  return (
    <ConfirmDelete
      opened
      onClose={onClose}
      kind={kind}
      name={name}
      consequence={full ? undefined : "This can't be undone."}
      typeName
      blocked={full ? `The ${kind} isn't empty` : undefined}
      onDelete={remove}
      onDeleted={() => {
        toast(`Deleted ${kind} ${name}`);
        onDeleted();
      }}
      refusal={refused && refusalOf(inside.counts, refused, (collection) => linkTo(collection, uid, "here"))}
    >
      {refused ? null : <Inside uid={uid} kind={kind} endsAccess={endsAccess} {...inside} />}
      {full || refused ? <PlanButton uid={uid} /> : null}
    </ConfirmDelete>
  );
}
