import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { rowsOf } from "~/api/queries/queries";
import { REPORT_DAYS, type RetentionRule, type RetentionRun } from "platform-contract/registry/retention";
import { FactTable } from "~/ui/display/fact-table";
import { formatCount } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { ExactTimes, Time } from "~/ui/display/time";
import { FailedPages } from "~/ui/feedback/failed-pages";
import { AppLink } from "~/ui/layout/link";
import { ShowMore } from "~/ui/table/show-more";

import classes from "../styles.module.css";
import { runsQuery } from "./data";
import { retentionPage } from "~/domains/registry/retention-fact/place";

/** How often to look for the end of a run, in milliseconds. */
const LOOK_MS = 2_000;

interface RunsProps {
  readonly place: string;
  readonly isRepo: boolean;
  readonly rule: RetentionRule | undefined;
}

/** True while a run is expected, or not over. */
function isAwaited(rule: RetentionRule | undefined, last: RetentionRun | undefined): boolean {
  if (last && !last.endTime) return true;
  const confirmed = Date.parse(rule?.confirmTime ?? "");
  return (
    rule?.state === "RETENTION_STATE_RUNNING" &&
    !(Date.parse(last?.startTime ?? "") >= confirmed) &&
    confirmed > 0
  );
}

/** What the runs of a place's rule did, the newest first. */
export function Runs({ place, isRepo, rule }: RunsProps): ReactNode {
  const query = useInfiniteQuery({
    ...runsQuery(place),
    refetchInterval: ({ state }) => (isAwaited(rule, rowsOf(state.data).rows[0]) ? LOOK_MS : false),
  });
  const { rows } = rowsOf(query.data);
  return (
    <Section
      title="Runs"
      description={`What was deleted, and what can be restored. Reports are kept for ${REPORT_DAYS} days.`}
    >
      {query.isPending ? <p className={classes["quiet"]}>Loading…</p> : null}
      {query.data && rows.length === 0 ? (
        <p role="status" className={classes["quiet"]}>
          {isAwaited(rule, undefined) ? "The first run begins…" : "No rule of this place has run yet."}
        </p>
      ) : null}
      {rows.length > 0 ? (
        <ExactTimes value>
          <FactTable
            caption="Runs so far"
            stacks
            head={["Started", "State", "Deleted", "Kept", "Failed", "Restored"]}
            numbers={[2, 3, 4, 5]}
            rows={rows.map((run) => [
              <AppLink key="started" target={retentionPage(place, isRepo, run.uid)}>
                <Time value={run.startTime} />
              </AppLink>,
              run.endTime ? (run.stopReason ?? "Done") : "Running…",
              formatCount(run.deletions ?? 0),
              formatCount(run.kept ?? 0),
              formatCount(run.failures ?? 0),
              formatCount(run.restored ?? 0),
            ])}
          />
        </ExactTimes>
      ) : null}
      <FailedPages title="The runs couldn't be loaded" query={query} />
      <ShowMore query={query} />
    </Section>
  );
}
