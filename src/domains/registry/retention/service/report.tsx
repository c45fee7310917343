import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { rowsOf } from "~/api/queries/queries";
import { useRefusal } from "~/frame/permissions/use-can";
import { MakeProof } from "~/frame/record/history";
import { identityLink } from "~/frame/record/identity-link";
import { repoPage } from "~/domains/registry/references/repo-links";
import { rootOf } from "platform-contract/aip";
import {
  restoreRetentionRun,
  UNDO_DAYS,
  type RetentionDeletion,
  type RetentionRun,
} from "platform-contract/registry/retention";
import { useNow } from "~/ui/clock";
import "~/ui/controls/button-styles";
import { BYTE_ORDER_MARK, csvLine } from "~/ui/display/csv";
import { DefinitionList } from "~/ui/display/definition-list";
import { FactTable } from "~/ui/display/fact-table";
import { formatCount } from "~/ui/display/numbers";
import { saveAs } from "~/ui/display/save-as";
import { Section } from "~/ui/display/section";
import { Time } from "~/ui/display/time";
import { NotFound } from "~/ui/feedback/empty";
import { FailedPages } from "~/ui/feedback/failed-pages";
import { Notice } from "~/ui/feedback/notice";
import { AppLink } from "~/ui/layout/link";
import { onDemand } from "~/ui/on-demand";
import { DisabledReason } from "~/ui/overlay/disabled-reason";
import { ShowMore } from "~/ui/table/show-more";

import classes from "../styles.module.css";
import { deletionsQuery, runQuery } from "./data";
import { retentionPage } from "~/domains/registry/retention-fact/place";

interface ReportProps {
  /** uid of the run. */
  readonly run: string;
  readonly place: string;
  readonly isRepo: boolean;
}

const RestoreDialog = onDemand(async () => (await import("./restore")).RestoreDialog);

/** The report of one run: what it deleted and why, and what can be restored. */
export function Report({ run: uid, place, isRepo }: ReportProps): ReactNode {
  const query = useInfiniteQuery({
    ...runQuery(uid),
    refetchInterval: ({ state }) => {
      const [run] = rowsOf(state.data).rows;
      return run && !run.endTime ? 2_000 : false;
    },
  });
  const [run] = rowsOf(query.data).rows;
  return (
    <>
      <p>
        <AppLink target={retentionPage(place, isRepo)}>Back to the rule</AppLink>
      </p>
      <FailedPages title="The report couldn't be loaded" query={query} />
      {query.isPending ? <p className={classes["quiet"]}>Loading…</p> : null}
      {query.data && !run ? <NotFound kind="report" sought={uid} /> : null}
      {run ? <Run run={run} /> : null}
    </>
  );
}

function Run({ run }: { readonly run: RetentionRun }): ReactNode {
  const query = useInfiniteQuery(deletionsQuery(run.uid));
  const { rows } = rowsOf(query.data);
  const refused = useRefusal()(restoreRetentionRun, run.uid);
  const now = useNow(60);
  const [restoring, setRestoring] = useState<readonly string[] | "all">();
  const unrestorable =
    (run.deletions ?? 0) <= (run.restored ?? 0)
      ? "Nothing is left to restore."
      : Date.parse(run.undoEndTime ?? "") > now
        ? undefined
        : `The ${UNDO_DAYS} days to restore are over.`;
  return (
    <>
      <Section title="Run">
        {run.stopReason ? <Notice tone="warning">{run.stopReason}</Notice> : null}
        <DefinitionList
          items={[
            { term: "Rule", value: run.sentence, wide: true },
            { term: "Started", value: <Time value={run.startTime} /> },
            { term: "Ended", value: run.endTime ? <Time value={run.endTime} /> : "Running…" },
            { term: "Deleted", value: formatCount(run.deletions ?? 0) },
            { term: "Kept", value: formatCount(run.kept ?? 0) },
            { term: "Failed", value: formatCount(run.failures ?? 0) },
            { term: "Restored", value: formatCount(run.restored ?? 0) },
            {
              term: "Confirmed by",
              value: run.confirmedBy ? (
                <AppLink target={identityLink(run.confirmedBy)}>
                  <bdi>{run.confirmedByName || "Unknown"}</bdi>
                </AppLink>
              ) : undefined,
            },
            {
              term: "Restorable until",
              value: run.undoEndTime ? <Time value={run.undoEndTime} /> : undefined,
            },
          ]}
        />
      </Section>
      <Section
        title="Tags"
        description={`Each can be restored for ${UNDO_DAYS} days, with its image, bundles and deprecation, under a new uid.`}
      >
        {query.data && rows.length === 0 ? (
          <p role="status" className={classes["quiet"]}>
            Nothing was deleted.
          </p>
        ) : null}
        {rows.length > 0 ? (
          <>
            <div className={classes["buttons"]}>
              <DisabledReason reason={refused ?? unrestorable}>
                <Button variant="default" onClick={() => setRestoring("all")}>
                  Restore all…
                </Button>
              </DisabledReason>
              <Button
                variant="default"
                onClick={() => saveAs("retention-report.csv", fileOf(rows), "text/csv")}
              >
                Download report
              </Button>
              {run.endTime ? (
                <MakeProof
                  subject={{
                    ask: {
                      kind: "retention",
                      run: run.uid,
                      place: run.placeUid ?? "",
                      version: run.version ?? 0,
                      from: run.startTime ?? "",
                      until: run.endTime ?? "",
                    },
                    name: `${run.placeName ?? ""} ${(run.startTime ?? "").slice(0, 10)}`,
                    organization: rootOf(run.uid),
                  }}
                />
              ) : null}
            </div>
            <FactTable
              caption="Tags of the run"
              stacks
              head={["Name", "Repo", "Why", "State", ""]}
              rows={rows.map((row) => [
                <code key="name">{row.name}</code>,
                <AppLink key="repo" target={repoPage(row.repoUid ?? "")}>
                  <bdi>{row.repoName}</bdi>
                </AppLink>,
                row.why,
                <Became key="state" of={row} />,
                row.undoEndTime && Date.parse(row.undoEndTime) > now ? (
                  <DisabledReason key="restore" reason={refused}>
                    <Button
                      variant="default"
                      size="compact-sm"
                      aria-label={`Restore ${row.name}`}
                      onClick={() => setRestoring([row.uid])}
                    >
                      Restore…
                    </Button>
                  </DisabledReason>
                ) : (
                  " "
                ),
              ])}
            />
          </>
        ) : null}
        <FailedPages title="The tags couldn't be loaded" query={query} />
        <ShowMore query={query} />
      </Section>
      {restoring ? (
        <RestoreDialog run={run.uid} which={restoring} onClose={() => setRestoring(undefined)} />
      ) : null}
    </>
  );
}

function Became({ of }: { readonly of: RetentionDeletion }): ReactNode {
  if (of.state === "RETENTION_DELETION_STATE_FAILED") return `Not deleted: ${of.failure ?? ""}`;
  if (of.state === "RETENTION_DELETION_STATE_RESTORED")
    return (
      <span>
        Restored by <bdi>{of.restoredByName || "Unknown"}</bdi>, <Time value={of.restoreTime} />
      </span>
    );
  return (
    <span>
      Deleted <Time value={of.createTime} />
    </span>
  );
}

const fileOf = (rows: readonly RetentionDeletion[]): string =>
  BYTE_ORDER_MARK +
  [
    ["repo", "tag", "digest", "state", "deleted", "why", "failure"],
    ...rows.map(
      ({ repoName = "", name = "", digest = "", state = "", createTime = "", why = "", failure = "" }) => [
        repoName,
        name,
        digest,
        state.replace("RETENTION_DELETION_STATE_", "").toLowerCase(),
        createTime,
        why,
        failure,
      ],
    ),
  ]
    .map(csvLine)
    .join("");
