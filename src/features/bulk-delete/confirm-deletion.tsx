import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { isLedgerBusy, startDeletion } from "~/api/bulk/deletion";
import { ownerOf } from "~/auth/session";
import { usePerson } from "~/auth/use-session";
import { ConfirmManyDialog } from "~/ui/overlay/confirm-many-dialog";

import type { DeleteManyOptions } from "./use-delete-many";

interface ConfirmDeletionProps<T> extends Omit<DeleteManyOptions<T>, "view" | "list" | "matches"> {
  readonly records: readonly T[];
  readonly onClose: () => void;
  /** After it was confirmed: the ledger has them now. */
  readonly onBegun: () => void;
}

/** Asks before records are deleted; those that may not be are told and left out. */
export function ConfirmDeletion<T extends { readonly uid: string }>(
  props: ConfirmDeletionProps<T>,
): ReactNode {
  const { resource, one, many, nameOf, Where, typed = false, consequence, records, refusal } = props;
  const { onClose, onBegun } = props;
  const client = useQueryClient();
  const owner = ownerOf(usePerson());
  const reasons = new Map<string, number>();
  const deletable = records.filter((record) => {
    const reason = refusal(record);
    if (reason !== undefined) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    return reason === undefined;
  });
  const start = () => {
    const items = deletable.map((record) => ({ uid: record.uid, name: nameOf(record) }));
    startDeletion({ client, owner }, resource, { one, many }, items);
    onBegun();
  };
  return (
    <ConfirmManyDialog
      {...{ one, many, consequence, typed, onClose }}
      records={deletable.map((record) => ({
        uid: record.uid,
        name: nameOf(record),
        where: <Where uid={record.uid} />,
      }))}
      excluded={[...reasons].map(([reason, count]) => ({ reason, count }))}
      disabled={isLedgerBusy() ? "Another deletion is not over yet" : undefined}
      onConfirm={start}
    />
  );
}
