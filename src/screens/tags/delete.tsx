import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { useCan } from "~/access/use-can";
import { total } from "~/api/queries/queries";
import { useDelete } from "~/api/mutations/writes";
import { parentOf } from "~/contract/aip";
import { tags, type Tag } from "~/contract/registry/tags";
import { ConfirmDelete } from "~/ui/overlay/confirm-delete";
import { formatQuantity } from "~/ui/display/numbers";
import { toast } from "~/ui/feedback/toast-store";

import { nameOf } from "./columns";
import { ALL_KINDS } from "./queries";
import classes from "./tags.module.css";

interface DeleteTagProps {
  readonly tag: Tag;
  readonly onClose: () => void;
  /** After it is gone, or was gone already. */
  readonly onDeleted: () => void;
}

/** Asks before a tag is deleted, and says that no other name of the image goes with it. */
export function DeleteTag({ tag, onClose, onDeleted }: DeleteTagProps): ReactNode {
  const { uid, digest } = tag;
  const name = nameOf(tag);
  const { mutateAsync } = useDelete(tags);
  const { allowed } = useCan(tags.list, uid);
  const query = { "uidp.children_of": parentOf(uid), digest, ...ALL_KINDS };
  const { data } = useQuery({ ...total(tags.list, query), enabled: allowed && digest !== undefined });
  const others = data === undefined ? undefined : Math.max(0, Number(data) - 1);
  return (
    <ConfirmDelete
      opened
      onClose={onClose}
      kind="tag"
      name={name}
      consequence="Whoever pulls by this name no longer finds an image. This cannot be undone."
      onDelete={() => mutateAsync({ uid })}
      onDeleted={() => {
        toast(`Deleted tag ${name}`);
        onDeleted();
      }}
    >
      <p className={classes["quiet"]}>
        {others === undefined
          ? "Only this name goes."
          : others === 0
            ? "It is the only name of its image."
            : `Only this name goes: ${formatQuantity(others, "other name", "other names")} of the same image ${others === 1 ? "stays" : "stay"}.`}
      </p>
    </ConfirmDelete>
  );
}
