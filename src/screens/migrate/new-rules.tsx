import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useState, type ReactNode } from "react";

import { useCurrentUser } from "~/access/current-user";
import { useRefusal } from "~/access/use-can";
import { MIGRATIONS } from "~/api/bulk/migration-plan";
import { ownerOf } from "~/auth/session";
import { usePerson } from "~/auth/use-session";
import { identities } from "~/contract/iam/identities";
import { heldAt } from "~/features/access/roles";
import { startLater } from "~/features/bulk-delete/start";
import { useJobOpen } from "~/features/bulk-delete/use-job-open";
import { WriteRequests } from "~/features/request-inspector/write-requests";
import "~/ui/controls/button-styles";
import { formatQuantity } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { Notice } from "~/ui/feedback/notice";
import { useWritesPaused } from "~/ui/feedback/writes-paused";
import { DisabledReason } from "~/ui/overlay/disabled-reason";

import { fixed } from "./mapping";
import type { Edit } from "./edit";
import { MappingForm } from "./mapping-form";
import { plan, targetsOf, type PlannedIdentity } from "./plan";
import { Planned } from "./planned";
import type { Mapping } from "./proposal";
import type { Place } from "./read";
import classes from "./styles.module.css";
import { useDraft } from "./use-draft";

/** Identities until the reader wants more. */
const SHOWN = 25;

export interface StepProps {
  /** uid of the group. */
  readonly group: string;
  readonly place: Place;
  /** True while it is read again. */
  readonly reading: boolean;
  readonly onReadAgain: () => void;
}

/** What is still missing in the mapping; undefined if it can be tried. */
function missing({ move, newIssuer, owner, newOwner, suffix }: Mapping): string | undefined {
  if (move !== "owner" && newIssuer.trim() === "") return "Enter the new issuer to see the new rules.";
  if (move === "owner" && (owner.trim() === "" || newOwner.trim() === ""))
    return "Enter both owners to see the new rules.";
  return suffix.trim() === ""
    ? "Enter an end for the new names: two of the same name are hard to tell apart."
    : undefined;
}

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

/** The new rule of each identity beside the old one, and the button that creates them. */
export function NewRules({ group, place, reading, onReadAgain }: StepProps): ReactNode {
  const client = useQueryClient();
  const owner = ownerOf(usePerson());
  const refusal = useRefusal();
  const who = useCurrentUser();
  const jobOpen = useJobOpen();
  const paused = useWritesPaused();
  const { mapping, edits, set } = useDraft(group);
  const [shown, setShown] = useState(SHOWN);
  const [started, setStarted] = useState(false);
  const hint = missing(mapping);
  const rows = useMemo(
    () => (hint === undefined ? plan(place, mapping, edits, { refusal, held: (at) => heldAt(who, at) }) : []),
    [hint, place, mapping, edits, refusal, who],
  );
  const targets = useMemo(() => targetsOf(rows), [rows]);
  const others = place.identities.flatMap(({ uid, name, ...identity }) => {
    const why = fixed({ uid, name, ...identity });
    return why === undefined ? [] : [{ uid, name, why }];
  });
  const edit = (uid: string, change: Edit) =>
    set({ mapping, edits: { ...edits, [uid]: { ...edits[uid], ...change } } });
  const start = () => {
    startLater({ client, owner }, MIGRATIONS, targets);
    setStarted(true);
  };
  // Of those that are there already.
  const adding = rows.filter((row) => row.lacking > 0 && row.problems.length === 0 && !row.left).length;
  const blocked =
    (jobOpen ? "Another job is still running" : undefined) ??
    (reading ? "The identities are being read again" : undefined) ??
    (targets.length === 0 ? "Nothing is left to create" : undefined) ??
    paused?.reason;
  return (
    <>
      <Section
        title="What moves"
        description="A new identity is created beside each old one, with the same roles. Both can sign in until you retire the old."
      >
        <MappingForm
          identities={place.identities}
          mapping={mapping}
          onChange={(next) => {
            set({ mapping: next, edits: next.move === mapping.move ? edits : {} });
            setStarted(false);
          }}
        />
      </Section>
      {started ? (
        <Notice>
          The panel below says how far it is. Change the jobs next; once they have signed in by the new rules,
          go on with “Retire the old”.
        </Notice>
      ) : null}
      <Section
        title="Old and new rules"
        count={rows.length}
        description={hint ?? "Nothing is created before you press the button."}
        actions={
          <Button variant="default" onClick={onReadAgain}>
            {reading ? "Reading…" : "Read again"}
          </Button>
        }
      >
        {hint === undefined ? (
          <p role="status">
            {rows.length === 0 ? "No identity here has this issuer." : `${summary(rows, targets.length)}.`}
          </p>
        ) : null}
        {rows.length > 0 ? (
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
        ) : null}
        {others.length > 0 ? (
          <details className={classes["quiet"]}>
            <summary>
              {formatQuantity(others.length, "other identity", "other identities")} here can't move
            </summary>
            <ul className={classes["notes"]}>
              {others.slice(0, 200).map(({ uid, name, why }) => (
                <li key={uid}>
                  <bdi>{name}</bdi>: {why}.
                </li>
              ))}
            </ul>
          </details>
        ) : null}
        <ul className={classes["list"]}>
          {rows.slice(0, shown).map((row) => (
            <Planned key={row.old.uid} row={row} onEdit={(change) => edit(row.old.uid, change)} />
          ))}
        </ul>
        {rows.length > shown ? (
          <div>
            <Button variant="default" onClick={() => setShown(shown + 4 * SHOWN)}>
              Show more of {formatQuantity(rows.length - shown, "identity", "identities")}
            </Button>
          </div>
        ) : null}
      </Section>
    </>
  );
}
