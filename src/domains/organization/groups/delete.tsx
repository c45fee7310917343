import { useState, type ReactNode } from "react";

import { useCurrentUser } from "~/frame/permissions/current-user";
import { useDelete } from "~/api/mutations/writes";
import { ApiError } from "platform-client/errors";
import { parentOf } from "platform-contract/aip";
import { groups, type Group } from "platform-contract/iam/groups";
import { ConfirmDelete } from "~/ui/overlay/confirm-delete";
import { toast } from "~/ui/feedback/toast-store";
import type { DeleteProps } from "~/frame/form/drawers";
import { useListLink } from "~/frame/list/list-link";
import { kindOf, type GroupKind } from "~/frame/scope/group-words";
import { wordsInside } from "platform-contract/kinds";
import { AppLink } from "~/ui/layout/link";
import { Notice } from "~/ui/feedback/notice";

import { useChildCounts, type LiveChildCounts } from "./use-child-counts";
import { PlanButton } from "./teardown/plan-button";
import { holdsOnlyOwnBindings, isFull } from "./contents";
import { groupScreens } from "./data";
import { isNotEmpty, refusalOf } from "./refusal";
import { childrenIn, isEmpty, quantityOf, uncountedIn, type Children } from "./child-kinds";
import classes from "./styles.module.css";

interface InsideProps extends Pick<LiveChildCounts, "counts" | "pending"> {
  readonly uid: string;
  readonly kind: GroupKind;
  /** True if the group contains only the caller's own role bindings. */
  readonly endsAccess: boolean;
}

/** Shows the contents of a group before it is deleted. */
function Inside({ uid, kind, endsAccess, counts, pending }: InsideProps): ReactNode {
  if (pending) return <p className={classes["counting"]}>Counting contents…</p>;
  if (endsAccess)
    return (
      <Notice tone="warning" title="You'll lose access">
        Only your own role binding is left in this organization. It's deleted too.
      </Notice>
    );
  if (isEmpty("groups", counts)) return <p className={classes["counting"]}>The {kind} is empty.</p>;
  const blockers = childrenIn("groups", counts, "blocks");
  const uncounted = uncountedIn("groups", counts).map((each) => wordsInside(each)[1]);
  const title =
    blockers.length > 0 ? "isn't empty" : uncounted.length > 0 ? "might not be empty" : "has contents";
  const said = [
    ["blocks", "Directly in it:"],
    ["lapses", `Blocking until expired (invites) or accepted (terms), then deleted with the ${kind}:`],
    ["goes", `Deleted with the ${kind}:`],
  ] as const;
  return (
    <Notice tone="info" title={`The ${kind} ${title}`}>
      {said.map(([effect, words]) => (
        <Quantities key={effect} of={childrenIn("groups", counts, effect)} uid={uid} words={words} />
      ))}
      {uncounted.length > 0 && <p>Not counted: {uncounted.join(", ")}.</p>}
    </Notice>
  );
}

interface QuantitiesProps extends Pick<InsideProps, "uid"> {
  readonly of: readonly Children[];
  readonly words: string;
}

function Quantities({ of, uid, words }: QuantitiesProps): ReactNode {
  const linkTo = useListLink();
  if (of.length === 0) return null;
  return (
    <>
      <p>{words}</p>
      <ul className={classes["inside"]}>
        {of.map((content) => {
          const { collection } = content.kind;
          const link = linkTo(collection, uid, "here");
          const quantity = quantityOf(content);
          return <li key={collection}>{link ? <AppLink target={link}>{quantity}</AppLink> : quantity}</li>;
        })}
      </ul>
    </>
  );
}

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
