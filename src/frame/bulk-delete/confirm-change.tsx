import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";

import type { RequestInfo } from "platform-client/request-info";

import { isJobOpen } from "~/api/bulk/current-job";
import { startJob } from "~/api/bulk/start-job";
import { updatePlan, type RecordToUpdate } from "~/api/bulk/updates";
import { ownerOf } from "~/auth/session";
import { usePerson } from "~/auth/use-session";
import { ConfirmManyDialog, type ChangeWords } from "~/ui/overlay/confirm-many-dialog";

import { useJustification } from "~/frame/form/use-justification";
import { WriteRequests } from "~/frame/request-inspector/write-requests";
import { GroupsAbove } from "~/frame/scope/groups-above";
import { splitBy } from "./split";

interface ConfirmChangeProps<T> {
  readonly resource: {
    readonly collection: string;
    readonly affects: readonly string[];
    readonly noun: string;
    readonly update: RequestInfo["endpoint"];
  };
  readonly many: string;
  readonly words: ChangeWords;
  readonly records: readonly T[];
  /** Why a record is left out; undefined if nothing known prevents the change. */
  readonly refusal: (record: T) => string | undefined;
  readonly changeOf: (record: T) => Pick<RecordToUpdate, "mask" | "before" | "body">;
  readonly consequence: string;
  /** It changes what somebody can do: asks for a reason, where the service keeps one. */
  readonly changesAccess?: boolean;
  readonly onClose: () => void;
  /** Called when the job has started. */
  readonly onStarted: () => void;
  /** Fields that say what to change them to. */
  readonly children: ReactNode;
}

/** Asks what to change in the selected records, and starts the job. */
export function ConfirmChange<T extends { readonly uid: string; readonly name?: string | undefined }>(
  props: ConfirmChangeProps<T>,
): ReactNode {
  const {
    resource,
    many,
    words,
    records,
    refusal,
    changeOf,
    onStarted,
    children,
    changesAccess = false,
    ...rest
  } = props;
  const { justification, field } = useJustification(changesAccess);
  const client = useQueryClient();
  const owner = ownerOf(usePerson());
  const { able, excluded } = splitBy(records, refusal);
  const start = () => {
    const items = able.map((record) => ({
      uid: record.uid,
      name: record.name ?? record.uid,
      ...changeOf(record),
    }));
    const plan = { ...updatePlan(resource, { one: resource.noun, many }), justification };
    startJob({ client, owner }, plan, items);
    onStarted();
  };
  return (
    <ConfirmManyDialog
      {...rest}
      one={resource.noun}
      many={many}
      change={words}
      records={able.map(({ uid, name = uid }) => ({ uid, name, where: <GroupsAbove uid={uid} /> }))}
      excluded={excluded}
      disabled={isJobOpen() ? "Another job is still running" : undefined}
      behind={
        able.length > 0 && words.missing === undefined ? (
          <WriteRequests
            requests={() =>
              able.map((record) => {
                const { mask, body } = changeOf(record);
                const query = { updateMask: mask.join(",") };
                return { endpoint: resource.update, path: { uid: record.uid }, query, body, justification };
              })
            }
          />
        ) : null
      }
      onConfirm={start}
    >
      {children}
      {field}
    </ConfirmManyDialog>
  );
}
