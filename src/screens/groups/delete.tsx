import { useState, type ReactNode } from "react";

import { useCurrentUser } from "~/access/current-user";
import { ApiError } from "~/api/client/errors";
import { useDelete } from "~/api/mutations/writes";
import { parentOf } from "~/contract/aip";
import { groups, type Group } from "~/contract/iam/groups";
import { ConfirmDelete } from "~/ui/overlay/confirm-delete";
import { toast } from "~/ui/feedback/toast-store";
import type { DeleteProps } from "~/resource/drawers";

import { holdsOnlyOwnBindings, isFull } from "./contents";
import { groupScreens } from "./data";
import { Inside } from "./inside";
import { useListOf } from "./links";
import { isNotEmpty, refusalOf } from "./refusal";
import { useContents } from "./use-contents";
import { kindOf } from "./words";

/** Asks before a group is deleted, says what is inside, and explains a refusal in place. */
export function DeleteGroup({ record, onClose, onDeleted }: DeleteProps<Group>): ReactNode {
  const { uid } = record;
  // As it reads on the page: spaces that nobody sees are not asked for when the name is typed.
  const name = groupScreens.nameOf(record).replace(/\s+/g, " ").trim();
  const kind = kindOf(uid);
  const inside = useContents(uid, { fresh: true });
  const listOf = useListOf(uid);
  const { bindings, state } = useCurrentUser();
  const own = bindings.filter((binding) => parentOf(binding.uid) === uid).length;
  // An organization takes the caller's own bindings with it (contract B1).
  const endsAccess = kind === "organization" && holdsOnlyOwnBindings(inside.contents, own);
  const goWithIt = kind === "folder" ? 0 : state === "known" ? own : undefined;
  const full = isFull(inside.contents, goWithIt);
  const { mutateAsync } = useDelete(groups);
  const [refused, setRefused] = useState<ApiError>();

  const remove = async () => {
    setRefused(undefined);
    try {
      await mutateAsync({ uid, endsAccess });
    } catch (error) {
      if (error instanceof ApiError && isNotEmpty(error)) {
        // Somebody may have put something in since it was counted.
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
      consequence={full ? undefined : `The ${kind} is deleted for good. This cannot be undone.`}
      typeName
      blocked={full ? `The ${kind} is not empty` : undefined}
      onDelete={remove}
      onDeleted={() => {
        toast(`Deleted ${kind} ${name}`);
        onDeleted();
      }}
      refusal={refused && refusalOf(inside.contents, refused, listOf)}
    >
      {refused ? null : <Inside uid={uid} kind={kind} endsAccess={endsAccess} {...inside} />}
    </ConfirmDelete>
  );
}
