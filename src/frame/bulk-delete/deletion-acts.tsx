import type { ReactNode } from "react";
import { useQueryClient } from "@tanstack/react-query";

import { formatQuantity } from "~/ui/display/numbers";
import { deletionPlan } from "~/api/bulk/deletion";
import { isJobOpen } from "~/api/bulk/current-job";
import { startJob } from "~/api/bulk/start-job";
import { ownerOf } from "~/auth/session";
import { usePerson } from "~/auth/use-session";
import { ConfirmManyDialog } from "~/ui/overlay/confirm-many-dialog";
import { useJustification } from "~/frame/form/use-justification";
import { WriteRequests } from "~/frame/request-inspector/write-requests";

import { ActButton } from "./act-button";
import type { DeleteManyOptions } from "./use-delete-many";
import type { ActsProps } from "./use-selectable";
import { splitBy } from "./split";
import { useCanRecreate } from "./use-recreation";
import { CREATED_AGAIN } from "./words";

interface ConfirmDeletionProps<T> extends Omit<DeleteManyOptions<T>, "view" | "list" | "matches"> {
  readonly records: readonly T[];
  readonly onClose: () => void;
  /** Called when the job has started. */
  readonly onStarted: () => void;
}

/** Asks for confirmation before deleting records; lists and excludes those that the user cannot delete. */
function ConfirmDeletion<T extends { readonly uid: string }>(props: ConfirmDeletionProps<T>): ReactNode {
  const { resource, one, many, nameOf, Where, typed = false, consequence, records, refusal } = props;
  const { onClose, onStarted, again, differs, changesAccess = false } = props;
  const client = useQueryClient();
  const owner = ownerOf(usePerson());
  const canRecreate = useCanRecreate(resource.collection);
  const { justification, field } = useJustification(changesAccess);
  const { able: deletable, excluded } = splitBy(records, refusal);
  const recreate = canRecreate(deletable.map(({ uid }) => uid)) ? again : undefined;
  const items = deletable.map((record) => ({
    uid: record.uid,
    name: nameOf(record),
    again: recreate?.(record),
  }));
  const undo = items.some((item) => item.again) ? [CREATED_AGAIN, differs] : ["This can't be undone."];
  const start = () => {
    startJob({ client, owner }, { ...deletionPlan(resource, { one, many }), justification }, items);
    onStarted();
  };
  return (
    <ConfirmManyDialog
      {...{ one, many, typed, excluded, onClose }}
      consequence={[consequence, ...undo].filter(Boolean).join(" ")}
      records={deletable.map((record) => ({
        uid: record.uid,
        name: nameOf(record),
        where: <Where uid={record.uid} />,
      }))}
      disabled={isJobOpen() ? "Another deletion is still running" : undefined}
      behind={
        deletable.length > 0 ? (
          <>
            {field}
            <WriteRequests
              requests={() =>
                deletable.map(({ uid }) => ({ endpoint: resource.delete, path: { uid }, justification }))
              }
            />
          </>
        ) : null
      }
      onConfirm={start}
    />
  );
}

/** A button that deletes the selected records, after those that a list has besides. */
export function DeletionActs<T extends { readonly uid: string }>(
  props: ActsProps<T> & { readonly of: DeleteManyOptions<T> },
): ReactNode {
  const { of, ...selected } = props;
  const { one, many, More } = of;
  const { records } = selected;
  return (
    <>
      {More ? <More {...selected} /> : null}
      <ActButton
        {...selected}
        danger
        dialog={(ends) => <ConfirmDeletion {...of} records={records} {...ends} />}
      >
        Delete {formatQuantity(records.length, one, many)}
      </ActButton>
    </>
  );
}
