import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore, type ReactNode } from "react";

import { currentJob, subscribeCurrentJob, type CurrentJob } from "~/api/bulk/current-job";
import { RECREATE, recordToRecreate, recreationPlan } from "~/api/bulk/recreation-plan";
import { restoreJob, startJob } from "~/api/bulk/start-job";
import { ownerOf } from "~/auth/session";
import { usePerson } from "~/auth/use-session";
import { kindOf } from "platform-contract/kinds";
import { Notice } from "~/ui/feedback/notice";
import { formatQuantity } from "~/ui/display/numbers";

import classes from "./bulk-delete.module.css";
import { CloseButton } from "./buttons";
import { BulkView } from "./view";

/** What is over when all of it is done. */
const ENDS: readonly string[] = ["delete", RECREATE];

/** This tab's bulk job; after a reload it is restored in the paused state. */
export function BulkPanel(): ReactNode {
  const client = useQueryClient();
  const person = usePerson();
  const owner = ownerOf(person);
  const current = useSyncExternalStore(subscribeCurrentJob, currentJob);
  useEffect(() => (currentJob() ? undefined : restoreJob({ client, owner })), [client, owner]);
  if (!current) return null;
  const { id, plan, job, restored, close } = current;
  if (!job) return <RunsElsewhere {...current} />;
  const undo = () => {
    const lost = job
      .get()
      .items.flatMap((item) =>
        item.state === "done" && item.again ? recordToRecreate(item, item.again) : [],
      );
    const [{ collection } = { collection: "" }] = lost;
    const { noun: one = "record", plural: many = "records" } = kindOf(collection) ?? {};
    const { of } = plan.words;
    const report = of === undefined ? {} : { of, by: person.email ?? person.subject };
    startJob({ client, owner }, recreationPlan({ one, many, ...report }), lost);
  };
  return (
    <BulkView
      key={id}
      words={{ ...plan.words, why: plan.justification }}
      job={job}
      restored={restored}
      // Others have a report: what was created, copied, or taken from somebody.
      ends={ENDS.includes(plan.action) && plan.words.of === undefined}
      onClose={close}
      onUndo={undo}
    />
  );
}

/** Shown in a duplicated tab while the other tab runs the job. */
function RunsElsewhere({ plan, count, close }: CurrentJob): ReactNode {
  const { doing, one, many } = plan.words;
  const title = `${doing} ${formatQuantity(count, one, many)} in another tab`;
  return (
    <section className={classes["panel"]} aria-label={title} data-small>
      <h2 className={classes["title"]}>{title}</h2>
      <Notice>Another tab is running this. You can pause, resume, or cancel it there.</Notice>
      <div className={classes["buttons"]}>
        <CloseButton onClose={close} />
      </div>
    </section>
  );
}
