import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { OFFBOARDING } from "~/api/bulk/offboarding";
import { startJob } from "~/api/bulk/start-job";
import { ownerOf } from "~/auth/session";
import { useJobOpen } from "~/frame/bulk-delete/use-job-open";
import { useJustification } from "~/frame/form/use-justification";
import { useCurrentUser } from "~/frame/permissions/current-user";
import { useRefusal } from "~/frame/permissions/use-can";
import { isPerson } from "~/frame/scope/people";
import "~/ui/controls/button-styles";
import { Check } from "~/ui/controls/check";
import { Segmented } from "~/ui/controls/segmented";
import { formatQuantity } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { Notice } from "~/ui/feedback/notice";
import { useWritesPaused } from "~/ui/feedback/writes-paused";
import { DisabledReason } from "~/ui/overlay/disabled-reason";

import { planOf, type Cut } from "./plan";
import type { LeakAnswer } from "./read";
import classes from "./styles.module.css";

const CUTS = [
  { value: "roles", label: "Remove its roles" },
  { value: "identity", label: "Delete the identity" },
] as const satisfies readonly { value: Cut; label: string }[];

interface PlanSectionProps {
  readonly answer: LeakAnswer;
  readonly who: string;
  /** True if the token is accepted no more. */
  readonly hasEnded: boolean;
}

/** The steps that end the token and what it left, each of which can be left out, before anything runs. */
export function PlanSection({ answer, who, hasEnded }: PlanSectionProps): ReactNode {
  const client = useQueryClient();
  const { person, identityUid: self } = useCurrentUser();
  const refusal = useRefusal();
  const jobOpen = useJobOpen();
  const paused = useWritesPaused();
  const { justification, field } = useJustification();
  const [cut, setCut] = useState<Cut>("roles");
  /** Steps that the user chose otherwise than the plan. */
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const { whose } = answer;
  const { lines, byHand } = planOf(answer, { cut, hasEnded, self });
  const steps = lines.map((line) => {
    const reason = refusal({ access: line.access }, line.uid);
    return { ...line, reason, isOn: reason === undefined && line.chosen !== turned.has(line.id) };
  });
  const chosen = steps.filter(({ isOn }) => isOn);
  const disabled =
    chosen.length === 0
      ? steps.every(({ reason }) => reason !== undefined)
        ? "Your role allows none of these steps"
        : "No step is chosen"
      : jobOpen
        ? "Another job is still running"
        : paused?.reason;
  const turn = (id: string) => {
    const next = new Set(turned);
    if (!next.delete(id)) next.add(id);
    setTurned(next);
  };
  const start = () =>
    startJob(
      { client, owner: ownerOf(person) },
      {
        ...OFFBOARDING,
        words: {
          doing: "Cutting off",
          done: "Done",
          one: "step",
          many: "steps",
          of: `leaked token of ${who}`,
          by: person.email ?? person.subject,
        },
        justification,
      },
      chosen.map(({ item }) => item),
    );
  const isMachine = whose.some(({ uid, record }) => record && !isPerson(uid));
  return (
    <Section
      title="Plan"
      count={lines.length}
      description="In this order: first the token, then whoever could undo it, then the other ways in. Nothing happens before you press the button."
    >
      {isMachine ? (
        <div className={classes["cut"]}>
          <Segmented label="How the token is stopped" value={cut} options={CUTS} onChange={setCut} />
          <p className={classes["quiet"]}>
            {cut === "roles"
              ? hasEnded
                ? "No token of this identity can do anything. You can grant the roles again when the leak is closed."
                : "The token is still accepted until it ends, but can do nothing. You can grant the roles again when the workload has another token: that gives them to this token too, until it ends."
              : "No token of this identity is accepted any more, and workloads that use it stop. This can't be undone."}
          </p>
        </div>
      ) : null}
      {whose.some(({ uid }) => uid === self) ? (
        <Notice tone="warning" title="This token is your own">
          Your roles are left out, since the other steps need them. Change your password and end all other
          sessions under Security of your account. {hasEnded ? null : "The token is accepted until it ends."}
        </Notice>
      ) : whose.some(({ uid }) => isPerson(uid)) ? (
        <Notice tone="warning" title="Sessions of a person stay">
          The plan takes away roles. Nobody else can sign a person out: they end all other sessions, and
          change their password, under Security of their account. Roles that come from a group at an identity
          provider come back with the next sign-in.
        </Notice>
      ) : null}
      <p className={classes["quiet"]}>
        Tokens that were signed for the registry alone stay valid for some minutes.
      </p>
      {steps.length === 0 ? (
        <p className={classes["quiet"]}>Nothing is left to do that you can see.</p>
      ) : (
        <ol className={classes["steps"]} aria-label="Steps">
          {steps.map(({ id, title, note, reason, isOn }) => (
            <li key={id} data-off={!isOn || undefined}>
              <Check label={title} checked={isOn} disabled={reason !== undefined} onChange={() => turn(id)} />
              <p className={classes["note"]}>{reason ?? note}</p>
            </li>
          ))}
        </ol>
      )}
      {byHand.length > 0 ? (
        <Notice tone="warning" title="What the plan can't do">
          <ul className={classes["list"]}>
            {byHand.map(({ id, title, why }) => (
              <li key={id}>
                <bdi>{title}</bdi>: {why}
              </li>
            ))}
          </ul>
        </Notice>
      ) : null}
      {steps.length > 0 ? (
        <div className={classes["run"]}>
          {field}
          <DisabledReason reason={disabled}>
            <Button color="danger" onClick={start}>
              Cut it off: {formatQuantity(chosen.length, "step", "steps")}
            </Button>
          </DisabledReason>
          <p className={classes["quiet"]}>
            The panel below shows each step, and keeps a report as a file. Removed roles can be granted again
            from it. When it is done, this page looks again: whoever still had a way in may have made another
            one meanwhile.
          </p>
        </div>
      ) : null}
    </Section>
  );
}
