import { Button } from "@mantine/core";
import { useState, type ReactNode } from "react";

import { useRecreate } from "~/frame/bulk-delete/use-recreation";
import { useJobOpen } from "~/frame/bulk-delete/use-job-open";
import { useCan } from "~/frame/permissions/use-can";
import type { AuditEntry } from "platform-contract/audit/entries";
import { getAuditEntry } from "platform-contract/audit/entries";
import { kindOf } from "platform-contract/kinds";
import "~/ui/controls/button-styles";
import { ActionButton } from "~/ui/controls/action-button";
import { Section } from "~/ui/display/section";
import { shorten } from "~/ui/display/shorten";
import { AppLink } from "~/ui/layout/link";
import { onDemand } from "~/ui/on-demand";
import { DisabledReason } from "~/ui/overlay/disabled-reason";

import classes from "./audit.module.css";
import { undoingOf, type Undoing } from "./undo";
import { recordLink } from "~/frame/scope/record-link";
import { nounOf } from "./words";

const UndoUpdate = onDemand(async () => (await import("~/domains/audit/undo-update/undo-update")).UndoUpdate);

/** Takes back what an entry did, where the API can; otherwise says why not. Nothing if it changed nothing. */
export function UndoSection({ entry }: { readonly entry: AuditEntry }): ReactNode {
  const undoing = undoingOf(entry);
  if (!undoing) return null;
  return (
    <Section title={undoing.by === undefined ? "Can't be undone" : "Undo"}>
      {undoing.by === undefined ? (
        <p className={classes["quiet"]}>{undoing.why}</p>
      ) : (
        <Undo entry={entry} undoing={undoing} />
      )}
    </Section>
  );
}

interface UndoProps {
  readonly entry: AuditEntry;
  readonly undoing: Extract<Undoing, { readonly by: string }>;
}

function Undo({ entry, undoing }: UndoProps): ReactNode {
  return undoing.by === "create" ? (
    <CreateAgain entry={entry} undoing={undoing} />
  ) : (
    <ChangeBack entry={entry} undoing={undoing} />
  );
}

interface CreateAgainProps {
  readonly entry: AuditEntry;
  readonly undoing: Extract<Undoing, { readonly by: "create" }>;
}

function CreateAgain({ entry, undoing: { uid, again } }: CreateAgainProps): ReactNode {
  const recreate = useRecreate();
  const access = kindOf(again.collection)?.access.create ?? getAuditEntry.access;
  const { reason } = useCan({ access }, again.parent);
  const jobOpen = useJobOpen();
  const noun = nounOf(again.collection);
  const { name = shorten(uid) } = entry.record ?? {};
  return (
    <>
      <p className={classes["quiet"]}>
        Creates a {noun} with the same fields, a new ID, new times and no history. Fails if there is one like
        it by now.
      </p>
      <div>
        <ActionButton
          reason={reason ?? (jobOpen ? "Another job is still running" : undefined)}
          onClick={() => recreate([{ uid, name, again }])}
        >
          Create this {noun} again
        </ActionButton>
      </div>
    </>
  );
}

interface ChangeBackProps {
  readonly entry: AuditEntry;
  readonly undoing: Extract<Undoing, { readonly by: "update" | "delete" }>;
}

function ChangeBack({ entry, undoing: { by, collection, uid } }: ChangeBackProps): ReactNode {
  const [opened, setOpened] = useState(false);
  const access = kindOf(collection)?.access[by] ?? getAuditEntry.access;
  const { reason } = useCan({ access }, uid);
  const noun = nounOf(collection);
  if (by === "update")
    return (
      <>
        <p className={classes["quiet"]}>
          Restores the previous values of these fields, unless they have changed since.
        </p>
        <div>
          <ActionButton reason={reason} onClick={() => setOpened(true)}>
            Undo this update
          </ActionButton>
        </div>
        {opened ? <UndoUpdate entry={entry} onClose={() => setOpened(false)} /> : null}
      </>
    );
  const page = recordLink({ kind: collection, uid });
  if (!page || !kindOf(collection)?.screens)
    return <p className={classes["quiet"]}>Delete it from the page of the record it belongs to.</p>;
  return (
    <>
      <p className={classes["quiet"]}>
        Deletes the {noun}, if it still exists. Its page asks first, and lists what is deleted with it.
      </p>
      <div>
        <DisabledReason reason={reason}>
          <Button variant="default" component={AppLink} target={{ ...page, search: { drawer: "delete" } }}>
            Delete this {noun}
          </Button>
        </DisabledReason>
      </div>
    </>
  );
}
