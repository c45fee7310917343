import { useRouteContext } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from "react";
import { Button } from "@mantine/core";

import { ApiError } from "platform-client/errors";
import type { PlanFile } from "platform-client/plan/plan-file";
import { StateProblem } from "platform-client/plan/state";
import type { Contents } from "platform-client/snapshots/format";
import { groups } from "platform-contract/iam/groups";
import { call } from "~/api/client/client";
import { TextProblem } from "~/frame/untrusted-text/outcome";
import { Missing, missingOf, Reading } from "~/domains/audit/snapshots/parts";
import { useContents } from "~/domains/audit/snapshots/use-contents";
import "~/ui/controls/button-styles";
import { DefinitionList } from "~/ui/display/definition-list";
import { visible } from "~/ui/display/visible";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";

import { planOf, UNPLANNED } from "./make-plan";
import type { FoundFile } from "./found-files";
import { open, type Opened } from "./open";
import classes from "./plan.module.css";
import { ShownPlan } from "./shown-plan";

interface Made {
  readonly plan: PlanFile;
  readonly reality: Contents;
}

/** True if the user can't see a group, as opposed to a read that failed. */
const isHidden = (uid: string, signal: AbortSignal): Promise<boolean> =>
  call(groups.get, { path: { uid }, signal }).then(
    () => false,
    (error: unknown) => error instanceof ApiError && ["PERMISSION_DENIED", "NOT_FOUND"].includes(error.code),
  );

interface PlanFromFilesProps {
  readonly files: Promise<readonly FoundFile[]>;
}

/** Reads a state, or a plan that was made elsewhere, and shows what it would do now. */
export function PlanFromFiles({ files }: PlanFromFilesProps): ReactNode {
  const { config } = useRouteContext({ from: "__root__" });
  const { progress, read, stop } = useContents();
  const [opened, setOpened] = useState<Opened>();
  const [made, setMade] = useState<Made>();
  const [problem, setProblem] = useState<string>();
  const [failure, setFailure] = useState<unknown>();
  const newest = useRef<AbortController>(undefined);

  /** What is there now; undefined if the user stopped or something newer began. */
  const reality = (uid: string): Promise<Contents | undefined> => read(uid, UNPLANNED);
  const plan = async (chosen: Opened) => {
    const { signal } = (newest.current = new AbortController());
    setMade(undefined);
    setFailure(undefined);
    setProblem(undefined);
    try {
      const { scope } = "state" in chosen ? chosen.state : chosen.plan;
      const now = await reality(scope.uid);
      if (!now || signal.aborted) return;
      const unread = now.missing.groups;
      if (unread !== undefined)
        return setProblem(
          (await isHidden(scope.uid, signal))
            ? `You can't see ${scope.name}, or it isn't there any more. Choose files of an organization or folder that you can see.`
            : `What ${scope.name} has now couldn't be read: ${unread}`,
        );
      const next = "state" in chosen ? await planOf(chosen.state, now, config.apiBaseUrl) : chosen.plan;
      if (!signal.aborted) setMade({ plan: next, reality: now });
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof StateProblem) setProblem(error.message);
      else setFailure(error);
    }
  };
  const start = useEffectEvent(async () => {
    const { signal } = (newest.current = new AbortController());
    try {
      const chosen = await open(await files, signal);
      if (signal.aborted) return;
      setOpened(chosen);
      await plan(chosen);
    } catch (error) {
      if (signal.aborted) return;
      setProblem(error instanceof TextProblem ? error.message : "This couldn't be read.");
    }
  });
  useEffect(() => {
    void start();
    return () => newest.current?.abort();
  }, []);
  const { scope } = opened ? ("state" in opened ? opened.state : opened.plan) : {};
  return (
    <>
      <div className={classes["panel"]}>
        <div role="alert">
          {problem === undefined ? null : (
            <Notice tone="warning" title="No plan can be made of this">
              {visible(problem)}
            </Notice>
          )}
        </div>
        {opened || problem !== undefined ? null : <p role="status">Reading the files…</p>}
        {scope ? (
          <DefinitionList
            items={[
              {
                term: opened && "plan" in opened ? "Plan of" : "State of",
                value: <bdi>{visible(scope.name)}</bdi>,
              },
              ...(opened && "plan" in opened
                ? [{ term: "Service", value: <bdi>{visible(opened.plan.service)}</bdi> }]
                : []),
            ]}
          />
        ) : null}
        {progress ? <Reading {...progress} /> : null}
        {opened ? (
          <Button variant="default" onClick={progress ? stop : () => void plan(opened)}>
            {progress ? "Stop" : "Read again"}
          </Button>
        ) : null}
        {failure === undefined || !opened ? null : (
          <FailedPart
            title={`What ${visible(scope?.name ?? "")} has now couldn't be read`}
            error={failure}
            onRetry={() => void plan(opened)}
          />
        )}
      </div>
      {made && opened ? (
        <>
          <Missing
            title="Not compared"
            kinds={missingOf(made.reality).filter(({ collection }) => collection !== "tags")}
          />
          <ShownPlan
            key={JSON.stringify([made.plan.reality, made.plan.state])}
            plan={made.plan}
            unread={made.reality.missing}
            isMadeHere={"state" in opened}
            now={() => reality(made.plan.scope.uid)}
            onStale={() => void plan(opened)}
          />
        </>
      ) : null}
    </>
  );
}
