import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useState, type ReactNode } from "react";

import { useCurrentUser } from "~/frame/permissions/current-user";
import { useRefusal } from "~/frame/permissions/use-can";
import { MIGRATIONS } from "~/api/bulk/migration-plan";
import { ownerOf } from "~/auth/session";
import { usePerson } from "~/auth/use-session";
import { identities } from "platform-contract/iam/identities";
import { heldAt } from "~/domains/access/grants/roles";
import { startLater } from "~/frame/bulk-delete/start";
import { useJobOpen } from "~/frame/bulk-delete/use-job-open";
import { WriteRequests } from "~/frame/request-inspector/write-requests";
import "~/ui/controls/button-styles";
import { formatQuantity } from "~/ui/display/numbers";
import { useWritesPaused } from "~/ui/feedback/writes-paused";
import { DisabledReason } from "~/ui/overlay/disabled-reason";

import type { Edit } from "./edit";
import { plan, targetsOf, whyNothing, type PlannedIdentity } from "./plan";
import { Planned } from "./planned";
import type { RuleMapping } from "./proposal";
import type { MigrationPlace } from "./read";
import classes from "./styles.module.css";
import type { Draft } from "./use-draft";

/** Identities until the reader wants more. */
const SHOWN = 25;

/** "2 identities would be created; 1 stays as it is". */
function summary(rows: readonly PlannedIdentity[], targets: number): string {
  const there = rows.filter((row) => row.there !== undefined && !row.left);
  const lacking = there.filter((row) => row.lacking > 0 && row.problems.length === 0).length;
  const staying = rows.length - targets - (there.length - lacking);
  return [
    `${formatQuantity(targets - lacking, "identity", "identities")} would be created`,
    ...(there.length > 0 ? [formatQuantity(there.length, "is there already", "are there already")] : []),
    ...(lacking > 0 ? [formatQuantity(lacking, "of them lacks roles", "of them lack roles")] : []),
    ...(staying > 0 ? [formatQuantity(staying, "stays as it is", "stay as they are")] : []),
  ].join("; ");
}

interface RulesProps {
  readonly place: MigrationPlace;
  readonly mapping: RuleMapping;
  readonly edits: Draft["edits"];
  /** True while the place is read again. */
  readonly reading: boolean;
  readonly onEdit: (uid: string, edit: Edit) => void;
  /** Called when the job has started. */
  readonly onStarted: () => void;
  /** Below, as soon as the rules are there: it would move if it came before their code. */
  readonly children: ReactNode;
}

/** The new rule of each identity beside the old one, and the button that creates them. */
export function Rules({
  place,
  mapping,
  edits,
  reading,
  onEdit,
  onStarted,
  children,
}: RulesProps): ReactNode {
  const client = useQueryClient();
  const owner = ownerOf(usePerson());
  const refusal = useRefusal();
  const who = useCurrentUser();
  const jobOpen = useJobOpen();
  const paused = useWritesPaused();
  const [shown, setShown] = useState(SHOWN);
  const rows = useMemo(
    () => plan(place, mapping, edits, { refusal, held: (at) => heldAt(who, at) }),
    [place, mapping, edits, refusal, who],
  );
  const targets = useMemo(() => targetsOf(rows), [rows]);
  // Of those that are there already.
  const adding = rows.filter((row) => row.lacking > 0 && row.problems.length === 0 && !row.left).length;
  const blocked =
    (jobOpen ? "Another job is still running" : undefined) ??
    (reading ? "The identities are being read again" : undefined) ??
    (targets.length === 0 ? whyNothing(rows, refusal) : undefined) ??
    paused?.reason;
  const start = () => {
    startLater({ client, owner }, MIGRATIONS, targets);
    onStarted();
  };
  return (
    <>
      <p role="status">{summary(rows, targets.length)}.</p>
      <div className={classes["buttons"]}>
        <DisabledReason reason={blocked}>
          <Button variant="filled" onClick={start}>
            {targets.length > 0 && targets.length === adding
              ? `Add roles to ${formatQuantity(adding, "identity", "identities")}`
              : `Create ${formatQuantity(targets.length, "new rule")}`}
          </Button>
        </DisabledReason>
        {targets.length > 0 ? (
          <WriteRequests
            requests={() =>
              targets.map(({ parent, body }) => ({ endpoint: identities.create, path: { parent }, body }))
            }
            note="The roles of each follow, once it has a uid."
          />
        ) : null}
      </div>
      <ul className={classes["list"]}>
        {rows.slice(0, shown).map((row) => (
          <Planned key={row.old.uid} row={row} onEdit={(change) => onEdit(row.old.uid, change)} />
        ))}
      </ul>
      {rows.length > shown ? (
        <div>
          <Button variant="default" onClick={() => setShown(shown + 4 * SHOWN)}>
            Show more of {formatQuantity(rows.length - shown, "identity", "identities")}
          </Button>
        </div>
      ) : null}
      {children}
    </>
  );
}
