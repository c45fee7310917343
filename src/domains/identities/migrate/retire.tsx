import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useState, type ReactNode } from "react";

import { useRefusal } from "~/frame/permissions/use-can";
import { unchangedDeletionPlan, type RecordToDelete } from "~/api/bulk/unchanged-deletions";
import { ownerOf } from "~/auth/session";
import { usePerson } from "~/auth/use-session";
import { identities } from "platform-contract/iam/identities";
import { splitBy } from "~/frame/bulk-delete/split";
import { startLater } from "~/frame/bulk-delete/start";
import { useJobOpen } from "~/frame/bulk-delete/use-job-open";
import { WriteRequests } from "~/frame/request-inspector/write-requests";
import { GroupsAbove } from "~/frame/scope/groups-above";
import { LastSeen } from "~/domains/identities/identities/last-seen-column";
import "~/ui/controls/button-styles";
import { Check } from "~/ui/controls/check";
import { FactTable } from "~/ui/display/fact-table";
import { formatQuantity } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { State } from "~/ui/display/state";
import { identityLink } from "~/frame/record/identity-link";
import { AppLink } from "~/ui/layout/link";
import { ConfirmManyDialog } from "~/ui/overlay/confirm-many-dialog";
import { DisabledReason } from "~/ui/overlay/disabled-reason";

import type { StepProps } from "./new-rules";
import { pairsOf, type MigrationPair, type MigrationProgress } from "./pairs";
import classes from "./styles.module.css";

const PROGRESS: Record<MigrationProgress, readonly [tone: "success" | "warning", words: string]> = {
  done: ["success", "Only the new one is used"],
  "old used": ["warning", "The old one may still be used"],
  unused: ["warning", "The new one was never used"],
  "fewer roles": ["warning", "The new one has fewer roles"],
};

/** Pairs until the reader wants more. */
const SHOWN = 100;

/** Pairs of old and new identities, and the deletion of the old ones. */
export function Retire({ place, reading, onReadAgain }: StepProps): ReactNode {
  const client = useQueryClient();
  const owner = ownerOf(usePerson());
  const refusal = useRefusal();
  const jobOpen = useJobOpen();
  const pairs = useMemo(() => pairsOf(place), [place]);
  /** What the user chose differently from the proposal. */
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  const [asking, setAsking] = useState(false);
  const [shown, setShown] = useState(SHOWN);
  const isChosen = ({ old, progress }: MigrationPair) => (progress === "done") !== changed.has(old.uid);
  const toggle = (uid: string) => {
    const next = new Set(changed);
    if (!next.delete(uid)) next.add(uid);
    setChanged(next);
  };
  const chosen = pairs.filter(isChosen);
  const early = chosen.filter(({ progress }) => progress !== "done").length;
  const { able, excluded } = splitBy(chosen, ({ old }) => refusal(identities.delete, old.uid));
  const start = () => {
    const targets = able.map(({ old: { uid, name, updateTime } }): RecordToDelete => ({
      uid,
      name,
      updateTime,
    }));
    startLater(
      { client, owner },
      unchangedDeletionPlan(identities, { one: "identity", many: "identities" }),
      targets,
    );
    setAsking(false);
  };
  return (
    <Section
      title="Identities with a replacement"
      count={pairs.length}
      description="A replacement says in its description which identity it replaces. Old ones that nothing has used since their replacement was created are preselected."
      actions={
        <Button variant="default" onClick={onReadAgain}>
          {reading ? "Reading…" : "Read again"}
        </Button>
      }
    >
      {pairs.length === 0 ? (
        <p className={classes["quiet"]}>
          Nothing to retire: no identity here says that it replaces another one that is still there.
        </p>
      ) : (
        <>
          <FactTable
            caption="Old and new identities"
            stacks
            head={["Old", "Last seen", "New", "Last seen", "State"]}
            rows={pairs.slice(0, shown).map((pair) => [
              <span key="old" className={classes["pick"]}>
                <Check
                  bare
                  label={`Retire ${pair.old.name}`}
                  checked={isChosen(pair)}
                  onChange={() => toggle(pair.old.uid)}
                />
                <AppLink target={identityLink(pair.old.uid)}>
                  <bdi className={classes["name"]}>{pair.old.name}</bdi>
                </AppLink>
              </span>,
              <LastSeen key="seen" identity={pair.old} />,
              <AppLink key="new" target={identityLink(pair.made.uid)}>
                <bdi className={classes["name"]}>{pair.made.name}</bdi>
              </AppLink>,
              <LastSeen key="made" identity={pair.made} />,
              <State key="state" tone={PROGRESS[pair.progress][0]}>
                {PROGRESS[pair.progress][1]}
              </State>,
            ])}
          />
          {pairs.length > shown ? (
            <div>
              <Button variant="default" onClick={() => setShown(shown + SHOWN)}>
                Show more of {formatQuantity(pairs.length - shown, "pair")}
              </Button>
            </div>
          ) : null}
          <div className={classes["buttons"]}>
            <DisabledReason
              reason={
                chosen.length === 0
                  ? "Choose an identity first"
                  : able.length === 0
                    ? excluded[0]?.reason
                    : undefined
              }
            >
              <Button color="danger" onClick={() => setAsking(true)}>
                Retire {formatQuantity(chosen.length, "identity", "identities")}
              </Button>
            </DisabledReason>
          </div>
        </>
      )}
      {asking ? (
        <ConfirmManyDialog
          one="identity"
          many="identities"
          typed
          consequence={
            early === 0
              ? "Jobs with the old rules lose access immediately. The new identities stay. This can't be undone."
              : `Jobs with the old rules lose access immediately. ${formatQuantity(early, "of these has", "of these have")} no replacement that certainly took over. This can't be undone.`
          }
          excluded={excluded}
          records={able.map(({ old }) => ({
            uid: old.uid,
            name: old.name,
            where: <GroupsAbove uid={old.uid} />,
          }))}
          disabled={jobOpen ? "Another job is still running" : undefined}
          behind={
            able.length > 0 ? (
              <WriteRequests
                requests={() =>
                  able.map(({ old: { uid } }) => ({ endpoint: identities.delete, path: { uid } }))
                }
              />
            ) : null
          }
          onClose={() => setAsking(false)}
          onConfirm={start}
        />
      ) : null}
    </Section>
  );
}
