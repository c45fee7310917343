import { useQueryClient } from "@tanstack/react-query";

import { isJobOpen } from "~/api/bulk/current-job";
import { recordToRecreate, recreationPlan, type Again } from "~/api/bulk/recreation-plan";
import { ownerOf } from "~/auth/session";
import { usePerson } from "~/auth/use-session";
import { useRefusal } from "~/frame/permissions/use-can";
import { parentOf } from "platform-contract/aip";
import { kindOf } from "platform-contract/kinds";
import { toast } from "~/ui/feedback/toast-store";

import { startLater } from "./start";

/** Says whether the user may create a collection's records again where they were, as "Undo" does. */
export function useCanRecreate(collection: string): (uids: readonly string[]) => boolean {
  const refused = useRefusal();
  const create = kindOf(collection)?.access.create;
  return (uids) =>
    create !== undefined && uids.every((uid) => refused({ access: create }, parentOf(uid)) === undefined);
}

interface Deleted {
  readonly uid: string;
  readonly name: string;
  readonly again: Again;
}

/** Starts the job that creates deleted records of one kind again. */
export function useRecreate(): (deleted: readonly Deleted[]) => void {
  const client = useQueryClient();
  const owner = ownerOf(usePerson());
  return (deleted) => {
    if (isJobOpen())
      return toast(
        "Another job is still running. You can also undo this from its entry in the audit log.",
        undefined,
        "info",
      );
    const { noun: one = "record", plural: many = "records" } =
      kindOf(deleted[0]?.again.collection ?? "") ?? {};
    startLater(
      { client, owner },
      recreationPlan({ one, many }),
      deleted.map(({ again, ...record }) => recordToRecreate(record, again)),
    );
  };
}
