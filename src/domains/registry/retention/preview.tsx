import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState, type ReactNode } from "react";

import { useRefusal } from "~/frame/permissions/use-can";
import { againOf } from "~/api/bulk/recreation-plan";
import { CREATED_AGAIN } from "~/frame/bulk-delete/words";
import { unchangedDeletionPlan, type RecordToDelete } from "~/api/bulk/unchanged-deletions";
import { ownerOf } from "~/auth/session";
import { usePerson } from "~/auth/use-session";
import { parentOf } from "platform-contract/aip";
import { tags } from "platform-contract/registry/tags";
import { splitBy } from "~/frame/bulk-delete/split";
import { startLater } from "~/frame/bulk-delete/start";
import { useJobOpen } from "~/frame/bulk-delete/use-job-open";
import { tagPage } from "~/domains/registry/references/repo-links";
import { WriteRequests } from "~/frame/request-inspector/write-requests";
import "~/ui/controls/button-styles";
import { Segmented } from "~/ui/controls/segmented";
import { Badge } from "~/ui/display/badge";
import { FactTable } from "~/ui/display/fact-table";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { Time } from "~/ui/display/time";
import { ConfirmManyDialog } from "~/ui/overlay/confirm-many-dialog";
import { DisabledReason } from "~/ui/overlay/disabled-reason";
import { ListTable } from "~/ui/table/list-table";
import { READ, type Column } from "~/ui/table/types";

import {
  tally,
  unnamedImages,
  type Decision,
  type TagFacts,
} from "platform-contract/registry/retention-decision";
import classes from "./styles.module.css";

const SHOWN = ["delete", "keep"] as const;
type Shown = (typeof SHOWN)[number];

const keyOf = ({ tag }: Decision): string => tag.uid;
const nameOf = ({ tag }: Decision): string => tag.name;

const columnsOf = (facts: TagFacts): readonly Column<Decision>[] => [
  {
    id: "name",
    header: "Name",
    width: "minmax(9rem, 2fr)",
    cell: ({ tag }) => <code>{tag.name}</code>,
  },
  {
    id: "repo",
    header: "Repo",
    width: "minmax(7rem, 1fr)",
    hideBelow: 560,
    cell: ({ tag }) => <bdi>{facts.repos.get(parentOf(tag.uid))?.name}</bdi>,
  },
  { id: "why", header: "Why", width: "minmax(12rem, 3fr)", cell: ({ why }) => why },
  {
    id: "updated",
    header: "Updated",
    width: "9rem",
    hideBelow: 700,
    cell: ({ tag }) => <Time value={tag.updateTime} />,
  },
];

interface PreviewProps {
  readonly facts: TagFacts;
  readonly decisions: readonly Decision[];
  /** Called when the job has started. */
  readonly onStarted: () => void;
}

/** What the rules would delete and keep, with every reason, and the button that does it. */
export function Preview({ facts, decisions, onStarted }: PreviewProps): ReactNode {
  const client = useQueryClient();
  const owner = ownerOf(usePerson());
  const refusal = useRefusal();
  const jobOpen = useJobOpen();
  const [shown, setShown] = useState<Shown>("delete");
  const [asking, setAsking] = useState(false);
  const [going, staying] = useMemo(
    () => [decisions.filter((each) => each.deleted), decisions.filter((each) => !each.deleted)],
    [decisions],
  );
  const columns = useMemo(() => columnsOf(facts), [facts]);
  const rows = shown === "delete" ? going : staying;
  const { able, excluded } = splitBy(going, ({ tag }) => refusal(tags.delete, tag.uid));
  const canRecreate = able.every(({ tag }) => refusal(tags.create, parentOf(tag.uid)) === undefined);
  const unnamed = unnamedImages(decisions);
  const said = useRef<HTMLParagraphElement>(null);
  // The form above it fills a window.
  useEffect(() => void said.current?.scrollIntoView({ block: "center" }), [decisions]);
  const repoOf = (uid: string): string => facts.repos.get(parentOf(uid))?.name ?? "";
  const start = () => {
    const targets = able.map(({ tag }): RecordToDelete => ({
      uid: tag.uid,
      name: `${repoOf(tag.uid)}:${tag.name}`,
      updateTime: tag.updateTime,
      again: canRecreate ? againOf("tags", parentOf(tag.uid), tag) : undefined,
    }));
    startLater({ client, owner }, unchangedDeletionPlan(tags, { one: "tag", many: "tags" }), targets);
    setAsking(false);
    onStarted();
  };
  return (
    <Section
      title="Preview"
      count={decisions.length}
      description="Nothing is deleted yet. A tag that changes before its turn is kept."
    >
      <p ref={said} role="status">
        {formatQuantity(going.length, "tag", "tags")} would be deleted,{" "}
        {formatQuantity(staying.length, "tag", "tags")} kept.
        {unnamed > 0
          ? ` ${formatQuantity(unnamed, "image keeps", "images keep")} no tag: whether anyone pulls ${unnamed === 1 ? "it" : "them"} by digest is unknown.`
          : ""}
      </p>
      <div>
        <Segmented
          label="Show"
          value={shown}
          onChange={setShown}
          options={[
            { value: "delete", label: `To delete (${formatCount(going.length)})` },
            { value: "keep", label: `Kept (${formatCount(staying.length)})` },
          ]}
        />
      </div>
      {rows.length > 0 ? (
        <>
          {shown === "keep" ? (
            <FactTable
              caption="Why tags are kept"
              head={["Reason", "Tags"]}
              rows={tally(rows).map(([reason, count]) => [reason, formatCount(count)])}
            />
          ) : null}
          {/* As high as its rows, which are two lines in a narrow window. */}
          <div className={classes["table"]} style={{ maxHeight: `${rows.length * 3.75 + 6}rem` }}>
            <ListTable
              key={shown}
              label={shown === "delete" ? "Tags to delete" : "Kept tags"}
              query={READ}
              rows={rows}
              total={rows.length}
              rowKey={keyOf}
              rowName={nameOf}
              rowLink={({ tag }) => tagPage(tag.uid)}
              summary={({ why }) => why}
              aside={({ deleted }) =>
                deleted ? <Badge tone="danger">Delete</Badge> : <Badge tone="neutral">Keep</Badge>
              }
              columns={columns}
              emptyState={null}
            />
          </div>
        </>
      ) : null}
      {going.length > 0 ? (
        <div className={classes["buttons"]}>
          <DisabledReason reason={able.length === 0 ? excluded[0]?.reason : undefined}>
            <Button color="danger" onClick={() => setAsking(true)}>
              Delete {formatQuantity(going.length, "tag", "tags")}
            </Button>
          </DisabledReason>
        </div>
      ) : null}
      {asking ? (
        <ConfirmManyDialog
          one="tag"
          many="tags"
          consequence={`Pulls of these tags will fail. Other tags of the same images stay. ${canRecreate ? CREATED_AGAIN : "This can't be undone."}`}
          excluded={excluded}
          records={able.map(({ tag }) => ({
            uid: tag.uid,
            name: tag.name,
            where: <bdi>{repoOf(tag.uid)}</bdi>,
          }))}
          disabled={jobOpen ? "Another job is still running" : undefined}
          behind={
            able.length > 0 ? (
              <WriteRequests
                requests={() => able.map(({ tag: { uid } }) => ({ endpoint: tags.delete, path: { uid } }))}
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
