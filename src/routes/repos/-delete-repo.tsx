import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { useCan } from "~/access/use-can";
import { total } from "~/api/queries";
import { useDelete } from "~/api/writes";
import { repos, type Repo } from "~/contract/registry/repos";
import { tags } from "~/contract/registry/tags";
import { ConfirmDelete } from "~/kit/confirm-delete";
import { Notice } from "~/kit/notice";
import { formatQuantity } from "~/kit/numbers";
import { toast } from "~/kit/toast-store";

import { nameOf } from "./-repo-words";
import classes from "./repos.module.css";

interface DeleteRepoProps {
  readonly repo: Repo;
  readonly onClose: () => void;
  /** After it is gone, or was gone already. */
  readonly onDeleted: () => void;
}

/** Every tag of a repo: a list leaves three families of names out unless it is asked for them (contract 1.11). */
const allTags = (uid: string) => ({
  "uidp.children_of": uid,
  includeReferrers: true,
  includeDates: true,
  includeEpochs: true,
});

/** Asks before a repo is deleted, and says how many tags go with it. */
export function DeleteRepo({ repo, onClose, onDeleted }: DeleteRepoProps): ReactNode {
  const { uid } = repo;
  const name = nameOf(repo);
  const { mutateAsync } = useDelete(repos);
  // An unscoped list answers "none" for what may not be seen (contract B7): that is not a count.
  const { allowed, reason } = useCan(tags.list, uid);
  const counted = useQuery({ ...total(tags.list, allTags(uid)), enabled: allowed });
  return (
    <ConfirmDelete
      opened
      onClose={onClose}
      kind="repo"
      name={name}
      consequence="Nobody can pull its images from then on. This cannot be undone."
      typeName
      onDelete={() => mutateAsync({ uid })}
      onDeleted={() => {
        toast(`Deleted repo ${name}`);
        onDeleted();
      }}
    >
      <Tags
        count={allowed ? counted.data : undefined}
        pending={counted.isLoading}
        why={reason === undefined ? counted.error?.message : `${reason}.`}
      />
    </ConfirmDelete>
  );
}

interface TagsProps {
  readonly count: number | bigint | undefined;
  readonly pending: boolean;
  /** Why there is no count. */
  readonly why: string | undefined;
}

function Tags({ count, pending, why }: TagsProps): ReactNode {
  if (pending) return <p className={classes["quiet"]}>Counting its tags…</p>;
  if (count === undefined)
    return <Notice title="Its tags go with it">How many they are is not known. {why}</Notice>;
  if (Number(count) === 0) return <p className={classes["quiet"]}>It has no tags.</p>;
  return <Notice>{formatQuantity(count, "tag goes", "tags go")} with it.</Notice>;
}
