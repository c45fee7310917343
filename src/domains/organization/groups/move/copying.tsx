import { useQueries } from "@tanstack/react-query";
import { useSyncExternalStore, type ReactNode } from "react";

import type { BulkJob } from "~/api/bulk/bulk-job";
import type { CopyData } from "~/api/bulk/copy-plan";
import { hasFailed } from "~/api/bulk/outcome";
import type { JobPlan } from "~/api/bulk/storage";
import { total } from "~/api/queries/queries";
import { BulkButtons } from "~/frame/bulk-delete/buttons";
import { BulkItems } from "~/frame/bulk-delete/items";
import { Reasons } from "~/frame/bulk-delete/view";
import { progressText, titleOf } from "~/frame/bulk-delete/words";
import { useRefusal } from "~/frame/permissions/use-can";
import { groupPage } from "~/frame/scope/group-link";
import { nameOf } from "~/frame/scope/group-words";
import { groups, type Group } from "platform-contract/iam/groups";
import { kinds, wordsInside } from "platform-contract/kinds";
import { ALL_KINDS } from "platform-contract/registry/tags";
import { capitalize } from "~/ui/display/capitalize";
import { FactTable } from "~/ui/display/fact-table";
import { formatCount } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { Notice } from "~/ui/feedback/notice";
import { AppLink } from "~/ui/layout/link";
import { Sheet } from "~/ui/overlay/sheet";

import { withDrawer } from "../group-menu";
import classes from "../styles.module.css";
import { listOf } from "../teardown/read";
import { LeftOutTable } from "./left-out";

interface CopyingProps {
  readonly folder: Group;
  readonly job: BulkJob;
  readonly plan: JobPlan;
  readonly data: CopyData;
  /** Ends the report of the job: the next time, the folder is planned again. */
  readonly onEnd: () => void;
  readonly onClose: () => void;
}

/** The job that copies a folder: its progress, then the new folder beside the old one. */
export function Copying({ folder, job, plan, data, onEnd, onClose }: CopyingProps): ReactNode {
  const snapshot = useSyncExternalStore(job.subscribe, job.get);
  const { status, items, counts, problem } = snapshot;
  const failed = items.filter(({ state }) => hasFailed(state));
  const made = items.find(({ uid }) => uid === folder.uid)?.newUid;
  const finished = status === "finished";
  const whole = counts.done === items.length;
  const title = titleOf(plan.words, snapshot);
  const kept = useRefusal()(groups.delete, folder.uid);
  const end = () => {
    onClose();
    onEnd();
  };
  return (
    <Sheet
      at="side"
      title={
        <>
          Move <bdi>{nameOf(folder)}</bdi>: copy it, then delete the old one
        </>
      }
      onClose={onClose}
    >
      <div>
        <p role="status">
          {title}
          {finished ? "" : `: ${progressText(counts, plan.words)}`}
        </p>
        <progress
          className={classes["bar"]}
          aria-label={title}
          max={items.length}
          value={items.length - counts.queued - counts.sending}
        />
      </div>
      {/* Not in the footer: a second click on the button that started it would land on "Cancel". */}
      <BulkButtons
        {...{ job, snapshot }}
        words={plan.words}
        failed={failed.length}
        onClose={end}
        onUndo={end}
      />
      {problem === undefined ? null : (
        <Notice tone="warning" title="Paused">
          {problem}
        </Notice>
      )}
      {finished ? (
        <Notice
          tone={whole ? "success" : "warning"}
          title={whole ? `It is in ${data.place} now, and still in the old place` : "Not everything is there"}
        >
          <ul className={classes["order"]}>
            {made === undefined ? null : (
              <li>
                <AppLink target={groupPage(made)}>Open the new folder</AppLink>. Scripts, pipelines and links
                that use an old ID need the new one: “Export as CSV” above lists the old and the new ID of
                each record.
              </li>
            )}
            {whole ? (
              <li>
                {kept ? (
                  `The old folder stays until somebody deletes it. ${kept}.`
                ) : (
                  <>
                    <AppLink target={withDrawer(folder.uid, "teardown")}>
                      Delete the old folder with its contents
                    </AppLink>{" "}
                    when nothing signs in or pulls there any more.
                  </>
                )}
              </li>
            ) : null}
          </ul>
        </Notice>
      ) : null}
      <Reasons items={failed} />
      {finished && made !== undefined ? <Comparison old={folder.uid} made={made} /> : null}
      <LeftOutTable left={data.left} />
      <div className={classes["plan"]}>
        <BulkItems words={plan.words} items={items} />
      </div>
    </Sheet>
  );
}

/** How many records of each kind are below the old folder and the new one, counted now. */
function Comparison({ old, made }: { readonly old: string; readonly made: string }): ReactNode {
  const refusal = useRefusal();
  const asked = kinds.flatMap((kind) => [old, made].map((uid) => ({ kind, uid })));
  const answers = useQueries({
    queries: asked.map(({ kind, uid }) => ({
      ...total(listOf(kind), { "uidp.descendants_of": uid, ...(kind.collection === "tags" && ALL_KINDS) }),
      enabled: refusal(listOf(kind), uid) === undefined,
      refetchOnMount: "always" as const,
    })),
  });
  const textOf = (index: number): ReactNode => {
    const { data, isLoading } = answers[index] ?? {};
    return data === undefined ? (isLoading ? "…" : "unknown") : formatCount(data);
  };
  const rows = kinds.flatMap((kind, index) => {
    const both = answers.slice(index * 2, index * 2 + 2);
    if (both.every(({ data, isLoading }) => (data === undefined ? isLoading : Number(data) === 0))) return [];
    return [[capitalize(wordsInside(kind)[1]), textOf(index * 2), textOf(index * 2 + 1)]];
  });
  if (rows.length === 0) return null;
  return (
    <Section title="Old and new" description="Below each folder, as far as you can see.">
      <FactTable caption="Old and new" head={["Kind", "Old", "New"]} numbers={[1, 2]} rows={rows} />
    </Section>
  );
}
