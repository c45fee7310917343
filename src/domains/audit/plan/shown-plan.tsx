import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import { useEffect, useRef, useState, type ReactNode } from "react";

import { orderOf } from "platform-client/plan/apply";
import { digestOf } from "platform-client/plan/digest";
import { checkPaths } from "platform-client/plan/shown";
import type { PlanFile } from "platform-client/plan/plan-file";
import { kindIn, type Contents } from "platform-client/snapshots/format";
import { applicationPlan, stepToApply } from "~/api/bulk/plan-application";
import { startJob } from "~/api/bulk/start-job";
import { checksWrites } from "~/api/client/client";
import { thePast } from "~/api/client/moment";
import { missingOf, pluralOf } from "~/domains/audit/snapshots/parts";
import { ownerOf } from "~/auth/session";
import { usePerson } from "~/auth/use-session";
import { fileName } from "~/frame/export/export-file";
import { useJobOpen } from "~/frame/bulk-delete/use-job-open";
import { useJustification } from "~/frame/form/use-justification";
import { useRefusal } from "~/frame/permissions/use-can";
import { currentUserQuery } from "~/frame/permissions/read-current-user";
import "~/ui/controls/button-styles";
import { FactTable } from "~/ui/display/fact-table";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { saveAs } from "~/ui/display/save-as";
import { Section } from "~/ui/display/section";
import { visible } from "~/ui/display/visible";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";
import { useWritesPaused } from "~/ui/feedback/writes-paused";
import { Dialog } from "~/ui/overlay/dialog";
import { DisabledReason } from "~/ui/overlay/disabled-reason";

import { checkSteps, notAllowed } from "./make-plan";
import classes from "./plan.module.css";
import { Steps } from "./steps";

/** Lines of what is left alone until the reader wants all. */
const SHOWN = 30;
const NONE: ReadonlyMap<string, string> = new Map();

interface ShownPlanProps {
  readonly plan: PlanFile;
  /** Kinds that could not be read when it was shown. */
  readonly unread: Contents["missing"];
  /** False for a plan from a file. */
  readonly isMadeHere: boolean;
  /** Reads what is there now; resolves to undefined if the user stopped that. */
  readonly now: () => Promise<Contents | undefined>;
  /** Called if what is there has changed since the plan was made. */
  readonly onStale: () => void;
}

/** "3 to create, 2 to change, 1 to delete". */
function summaryOf({ steps }: Pick<PlanFile, "steps">): string {
  const count = (how: string) => formatCount(steps.filter((step) => step.how === how).length);
  return `${count("create")} to create, ${count("update")} to change, ${count("delete")} to delete`;
}

/** A plan with what it leaves alone; can be checked, saved and applied. */
export function ShownPlan({ plan, unread, isMadeHere, now, onStale }: ShownPlanProps): ReactNode {
  const { config } = useRouteContext({ from: "__root__" });
  const client = useQueryClient();
  const person = usePerson();
  const jobOpen = useJobOpen();
  const paused = useWritesPaused();
  const { justification, field } = useJustification();
  const refusal = useRefusal();
  const [asking, setAsking] = useState(false);
  const [doing, setDoing] = useState<string>();
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>();
  const [failure, setFailure] = useState<{ readonly error: unknown; readonly retry: () => void }>();
  const [isStale, setStale] = useState(false);
  const [all, setAll] = useState(false);
  const left = useRef<AbortController>(undefined);
  useEffect(() => () => left.current?.abort(), []);

  const { steps, said, scope, service } = plan;
  const isElsewhere = service !== config.apiBaseUrl;
  const denied = notAllowed(steps, refusal);
  const free = steps.filter(({ needs }) => needs.length === 0);
  const check = async () => {
    const { signal } = (left.current = new AbortController());
    setFailure(undefined);
    setDoing("Checking…");
    try {
      const tell = (done: number) => setDoing(`Checked ${formatCount(done)} of ${formatCount(free.length)}…`);
      setRefused(await checkSteps(free, tell, signal));
    } catch (error) {
      if (!signal.aborted) setFailure({ error, retry: () => void check() });
    } finally {
      if (!signal.aborted) setDoing(undefined);
    }
  };
  const apply = async () => {
    setAsking(false);
    setFailure(undefined);
    setDoing("Reading what is there…");
    try {
      const current = await now();
      if (!current) return;
      const lost = missingOf(current).find(({ collection }) => unread[collection] === undefined);
      if (lost && lost.collection !== "tags") throw new Error(`${pluralOf(lost.collection)}: ${lost.why}`);
      if ((await digestOf(current.records)) !== plan.reality) {
        setStale(true);
        if (isMadeHere) onStale();
        return;
      }
      checkPaths(plan, current);
      const user = await client.ensureQueryData(currentUserQuery(person)).catch(() => undefined);
      const order = orderOf({ plan, reality: current, self: user?.identityUid });
      startJob(
        { client, owner: ownerOf(person) },
        {
          ...applicationPlan({ run: crypto.randomUUID() }, scope.name, person.email ?? person.subject),
          justification,
        },
        order.map(stepToApply),
      );
    } catch (error) {
      setFailure({ error, retry: () => void apply() });
    } finally {
      setDoing(undefined);
    }
  };
  const save = () =>
    saveAs(
      fileName({ list: "plan", scope: scope.name, partial: false, now: new Date() }, "json"),
      `${JSON.stringify(plan, undefined, 2)}\n`,
      "application/json",
    );
  const reason =
    (isElsewhere ? "It is for another service" : undefined) ??
    (denied.size === steps.length ? "Your role allows none of these steps" : undefined) ??
    (thePast() ? "This page shows a moment of the past: go back to now" : undefined) ??
    (jobOpen ? "Another job is still running" : undefined) ??
    (doing === undefined ? paused?.reason : "Wait until this is read");
  const deletions = steps.filter(({ how }) => how === "delete").length;
  const what = formatQuantity(steps.length, "step");
  return (
    <Section
      title="Plan"
      count={steps.length}
      description={
        steps.length === 0
          ? "Nothing would change: it is as the files say."
          : "In this order; what takes away rights of your own comes last. Nothing happens before you apply it."
      }
    >
      {isElsewhere ? (
        <Notice tone="warning" title="This plan is for another service">
          It was made for <bdi>{visible(service)}</bdi>, and this is {config.apiBaseUrl}.
        </Notice>
      ) : null}
      {isStale && !isMadeHere ? (
        <Notice tone="warning" title="This plan is out of date" role="alert">
          What is there has changed since it was made. Nothing was done: make a new plan.
        </Notice>
      ) : null}
      {steps.length > 0 ? <p role="status">{summaryOf(plan)}.</p> : null}
      {steps.length > 0 ? <Steps steps={steps} refused={new Map([...(refused ?? NONE), ...denied])} /> : null}
      {denied.size > 0 && !refused ? (
        <p role="status">Your role doesn&apos;t allow {formatQuantity(denied.size, "step")}.</p>
      ) : null}
      {refused ? (
        <p role="status">
          {refused.size === 0
            ? `The service would do each of ${formatQuantity(free.length, "step")} that ${free.length === 1 ? "needs" : "need"} no other one.`
            : `The service would refuse ${formatQuantity(refused.size, "step")}.`}{" "}
          {steps.length > free.length
            ? `${formatQuantity(steps.length - free.length, "step depends", "steps depend")} on others and can't be checked before.`
            : null}
        </p>
      ) : null}
      {failure === undefined ? null : (
        <FailedPart
          title="Nothing was done: the service didn't answer all of it"
          error={failure.error}
          onRetry={failure.retry}
        />
      )}
      {steps.length > 0 ? (
        <div className={classes["buttons"]}>
          <DisabledReason reason={reason}>
            <Button {...(deletions > 0 && { color: "danger" })} onClick={() => setAsking(true)}>
              Apply {what}
            </Button>
          </DisabledReason>
          {checksWrites() && !isElsewhere ? (
            <Button variant="default" disabled={doing !== undefined} onClick={() => void check()}>
              Check without applying
            </Button>
          ) : null}
          <Button variant="default" onClick={save}>
            Download plan
          </Button>
          <span role="status">{doing}</span>
        </div>
      ) : null}
      {said.length > 0 ? (
        <Section
          title="Left alone"
          count={said.length}
          description="What differs, or can't be compared, and no step changes."
        >
          <FactTable
            caption="Left alone"
            stacks
            head={["Record", "Kind", "Why"]}
            rows={(all ? said : said.slice(0, SHOWN)).map(({ path, collection, why }) => [
              path === "" ? `All ${kindIn(collection).plural}` : <bdi key="path">{visible(path)}</bdi>,
              kindIn(collection).noun,
              visible(why),
            ])}
          />
          {all || said.length <= SHOWN ? null : (
            <Button variant="default" onClick={() => setAll(true)}>
              Show {formatQuantity(said.length - SHOWN, "more line")}
            </Button>
          )}
        </Section>
      ) : null}
      {asking ? (
        <Dialog
          size="32rem"
          title={
            <>
              Apply this plan to <bdi>{visible(scope.name)}</bdi>?
            </>
          }
          onClose={() => setAsking(false)}
          footer={
            <>
              <Button {...(deletions > 0 && { color: "danger" })} onClick={() => void apply()}>
                Apply {what}
              </Button>
              <Button variant="default" onClick={() => setAsking(false)} data-autofocus>
                Cancel
              </Button>
            </>
          }
        >
          <p>{summaryOf(plan)}.</p>
          {deletions > 0 ? <p>What is deleted can't be taken back from here.</p> : null}
          <p>
            What is there is read once more first. If it has changed, nothing is done. The panel below then
            shows each step, and keeps a report as a file.
          </p>
          {field}
        </Dialog>
      ) : null}
    </Section>
  );
}
