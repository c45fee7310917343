import type { ReactNode } from "react";

import { useDelete } from "~/api/mutations/writes";
import { WriteRequests } from "~/frame/request-inspector/write-requests";
import { ConfirmDelete, type ConfirmDeleteProps } from "~/ui/overlay/confirm-delete";
import { Notice } from "~/ui/feedback/notice";
import { formatQuantity } from "~/ui/display/numbers";
import { AppLink, type LinkTarget } from "~/ui/layout/link";
import { toast } from "~/ui/feedback/toast-store";

import type { Again } from "~/api/bulk/recreation-plan";
import { useCanRecreate, useRecreate } from "~/frame/bulk-delete/use-recreation";
import { CREATED_AGAIN_ONE } from "~/frame/bulk-delete/words";
import type { Contract, Item, Screens } from "~/frame/define";
import type { DeleteProps } from "~/frame/form/drawers";
import { useJustification } from "~/frame/form/use-justification";
import classes from "./delete-record.module.css";
import type { Count } from "./use-count";

type Question = Pick<
  ConfirmDeleteProps,
  "title" | "verb" | "consequence" | "typeName" | "undecided" | "blocked" | "refusal" | "children"
>;

interface DeleteRecordProps<T extends Item, I> extends DeleteProps<T>, Question {
  readonly of: Screens<T, I>;
  /** Its name and where it is, for the toast, if its name alone doesn't tell. */
  readonly called?: string;
  /** What the toast says; default: "Deleted identity ci". */
  readonly done?: string;
  /** What it is created from when that is taken back; `consequence` then says whether the user can. */
  readonly again?: Again | undefined;
  /** Called before the error is shown, to find out why the deletion failed. */
  readonly onRefused?: (error: unknown) => unknown;
}

type Deletable<T, I> = Contract<T, I> & Required<Pick<Contract<T, I>, "delete">>;

/** The dialog that confirms a deletion. */
export function DeleteRecord<T extends Item, I>(props: DeleteRecordProps<T, I>): ReactNode {
  const {
    of: screens,
    record,
    onClose,
    onDeleted,
    onRefused,
    children,
    called,
    done,
    again,
    ...question
  } = props;
  const { noun } = screens.resource;
  const name = screens.nameOf(record);
  const recreate = useRecreate();
  const canRecreate = useCanRecreate(screens.resource.collection)([record.uid]);
  const undo = again && canRecreate ? () => recreate([{ uid: record.uid, name, again }]) : undefined;
  const resource = screens.resource as Deletable<T, I>;
  const { mutateAsync } = useDelete(resource);
  const { justification, field } = useJustification(screens.deletion.changesAccess === true);
  return (
    <ConfirmDelete
      opened
      onClose={onClose}
      kind={noun}
      name={name}
      onDelete={async () => {
        try {
          await mutateAsync({ uid: record.uid, justification });
        } catch (error) {
          await onRefused?.(error);
          throw error;
        }
      }}
      onDeleted={() => {
        toast(done ?? `Deleted ${noun} ${called ?? name}`, undo && { label: "Undo", onSelect: undo });
        onDeleted();
      }}
      {...question}
      {...(again && {
        consequence: `${question.consequence} ${undo ? CREATED_AGAIN_ONE : "This can't be undone."}`,
      })}
    >
      {children}
      {question.blocked === undefined ? (
        <>
          {field}
          <WriteRequests
            requests={() => [{ endpoint: resource.delete, path: { uid: record.uid }, justification }]}
          />
        </>
      ) : null}
    </ConfirmDelete>
  );
}

interface CountedProps extends Count {
  /** "tags" */
  readonly what: string;
  /** "tag goes with it", "tags go with it". */
  readonly one: string;
  readonly many: string;
  readonly none: string;
  /** The list that shows them. */
  readonly link?: LinkTarget;
}

/** How many other records a deletion affects, from `useCount()`. */
export function Counted({ count, pending, why, what, one, many, none, link }: CountedProps): ReactNode {
  if (pending) return <p className={classes["quiet"]}>Counting {what}…</p>;
  if (count === undefined) return <Notice title={`Its ${many}`}>We don't know how many. {why}</Notice>;
  if (Number(count) === 0) return <p className={classes["quiet"]}>{none}</p>;
  const words = formatQuantity(count, one, many);
  return <Notice>{link ? <AppLink target={link}>{words}</AppLink> : words}.</Notice>;
}
