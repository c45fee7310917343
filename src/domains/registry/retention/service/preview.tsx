import { Button } from "@mantine/core";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { callOnce } from "~/api/mutations/call-once";
import { rowsOf } from "~/api/queries/queries";
import { invalidateDependents } from "~/api/mutations/patch";
import { useCan } from "~/frame/permissions/use-can";
import { WriteRequests } from "~/frame/request-inspector/write-requests";
import { tagPage } from "~/domains/registry/references/repo-links";
import {
  confirmRetentionRule,
  UNDO_DAYS,
  type RetentionDecision,
  type RetentionRule,
} from "platform-contract/registry/retention";
import "~/ui/controls/button-styles";
import { Segmented } from "~/ui/controls/segmented";
import { FactTable } from "~/ui/display/fact-table";
import { BYTE_ORDER_MARK, csvLine } from "~/ui/display/csv";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { saveAs } from "~/ui/display/save-as";
import { Section } from "~/ui/display/section";
import { Time } from "~/ui/display/time";
import { FailedPages } from "~/ui/feedback/failed-pages";
import { toast } from "~/ui/feedback/toast-store";
import { AppLink } from "~/ui/layout/link";
import { ConfirmDelete } from "~/ui/overlay/confirm-delete";
import { DisabledReason } from "~/ui/overlay/disabled-reason";
import { ShowMore } from "~/ui/table/show-more";

import classes from "../styles.module.css";
import { decisionsQuery, RETENTION } from "./data";

const SHOWN = ["delete", "keep"] as const;
type Shown = (typeof SHOWN)[number];

/** What stands beside the rows of the first page. */
interface Counted {
  readonly previewToken?: string;
  readonly deletions?: number;
  readonly kept?: number;
  readonly repos?: number;
  readonly unnamedImages?: number;
  readonly reasons?: readonly { readonly reason: string; readonly tagCount: number }[];
}

/** What the rule would delete now, as the service decides it, and the button that makes it run. */
export function ServicePreview({ rule }: { readonly rule: RetentionRule }): ReactNode {
  const [asked, setAsked] = useState(false);
  return (
    <Section
      title="Preview"
      description="What the service would delete now, and why each other tag stays. Nothing is deleted by looking."
    >
      {asked ? (
        <Previewed rule={rule} />
      ) : (
        <div>
          <Button variant="default" onClick={() => setAsked(true)}>
            Preview
          </Button>
        </div>
      )}
    </Section>
  );
}

function Previewed({ rule }: { readonly rule: RetentionRule }): ReactNode {
  const client = useQueryClient();
  const [shown, setShown] = useState<Shown>("delete");
  const query = useInfiniteQuery({
    ...decisionsQuery(rule.uid, shown === "delete"),
    // Its token is of this moment.
    refetchOnWindowFocus: false,
  });
  const [confirming, setConfirming] = useState(false);
  const { reason } = useCan(confirmRetentionRule, rule.uid);
  const counted: Counted = Object(query.data?.pages[0]);
  const { previewToken = "", deletions = 0, kept = 0, repos = 0, unnamedImages = 0, reasons = [] } = counted;
  const { rows } = rowsOf(query.data);
  const { version = 0 } = rule;
  const body = { previewToken, version };
  return (
    <>
      <p role="status">
        {query.data
          ? `${formatQuantity(deletions, "tag", "tags")} would be deleted, ${formatQuantity(kept, "tag", "tags")} kept, in ${formatQuantity(repos, "repo", "repos")}.${unnamedImages > 0 ? ` ${formatQuantity(unnamedImages, "image keeps", "images keep")} no tag.` : ""}`
          : query.isError
            ? null
            : "The service is deciding…"}
      </p>
      {query.data ? (
        <>
          <div>
            <Segmented
              label="Show"
              value={shown}
              onChange={setShown}
              options={[
                { value: "delete", label: `To delete (${formatCount(deletions)})` },
                { value: "keep", label: `Kept (${formatCount(kept)})` },
              ]}
            />
          </div>
          {shown === "keep" && kept > 0 ? (
            <FactTable
              caption="Why tags are kept"
              head={["Reason", "Tags"]}
              numbers={[1]}
              rows={reasons.flatMap(({ reason: why, tagCount }) =>
                why === "Meets the rule" ? [] : [[why, formatCount(tagCount)]],
              )}
            />
          ) : null}
          {rows.length > 0 ? (
            <FactTable
              caption={shown === "delete" ? "Tags to delete" : "Kept tags"}
              stacks
              head={["Name", "Repo", "Why", "Updated"]}
              rows={rows.map(rowOf)}
            />
          ) : null}
          <ShowMore query={query} />
        </>
      ) : null}
      <FailedPages title="The preview couldn't be made" query={query} />
      <div className={classes["buttons"]}>
        {query.data ? (
          <DisabledReason reason={reason}>
            <Button color="danger" onClick={() => setConfirming(true)}>
              Confirm this preview…
            </Button>
          </DisabledReason>
        ) : null}
        {query.data || query.isError ? (
          <Button variant="default" onClick={() => void query.refetch()} loading={query.isRefetching}>
            Preview again
          </Button>
        ) : null}
        {rows.length > 0 ? (
          <Button variant="default" onClick={() => saveAs("retention-preview.csv", fileOf(rows), "text/csv")}>
            Download {formatQuantity(rows.length, "row", "rows")}
          </Button>
        ) : null}
      </div>
      {confirming ? (
        <ConfirmDelete
          opened
          kind="rule"
          name={rule.placeName ?? ""}
          title="Run this rule?"
          verb={{ act: "Confirm and run", acting: "Confirming" }}
          consequence={`It runs now, and then once a day. As of this preview, ${formatQuantity(deletions, "tag is", "tags are")} deleted now: pulls of ${deletions === 1 ? "it" : "them"} by name will fail. From each deletion on, tags can be restored for ${UNDO_DAYS} days, with a registry as long as it has their images.`}
          onDelete={() =>
            callOnce(confirmRetentionRule, { path: { uid: rule.uid }, body }, crypto.randomUUID())
          }
          onDeleted={() => {
            setConfirming(false);
            invalidateDependents(client, RETENTION);
            toast("The rule runs");
          }}
          onClose={() => setConfirming(false)}
        >
          <WriteRequests
            requests={() => [{ endpoint: confirmRetentionRule, path: { uid: rule.uid }, body }]}
          />
        </ConfirmDelete>
      ) : null}
    </>
  );
}

const rowOf = ({ uid, name, repoName, why, updateTime }: RetentionDecision): ReactNode[] => [
  <AppLink key="name" target={tagPage(uid)}>
    <code>{name}</code>
  </AppLink>,
  <bdi key="repo">{repoName}</bdi>,
  why,
  <Time key="updated" value={updateTime} />,
];

const fileOf = (rows: readonly RetentionDecision[]): string =>
  BYTE_ORDER_MARK +
  [
    ["repo", "tag", "digest", "updated", "deleted", "why"],
    ...rows.map(({ repoName = "", name = "", digest = "", updateTime = "", deleted, why = "" }) => [
      repoName,
      name,
      digest,
      updateTime,
      deleted ? "yes" : "no",
      why,
    ]),
  ]
    .map(csvLine)
    .join("");
