import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";

import {
  deleteAccessReview,
  updateAccessReview,
  type AccessReview,
  type AccessReviewItem,
} from "platform-contract/iam/access-reviews";
import { call } from "~/api/client/client";
import { fileName } from "~/frame/export/export-file";
import { useRefusal } from "~/frame/permissions/use-can";
import "~/ui/controls/button-styles";
import { FilterSelect } from "~/ui/controls/filters";
import { FactTable } from "~/ui/display/fact-table";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { saveAs } from "~/ui/display/save-as";
import { Time } from "~/ui/display/time";
import { errorFacts } from "~/ui/feedback/error-facts";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";
import { toast } from "~/ui/feedback/toast-store";
import { Tabs } from "~/ui/layout/tabs";
import { keysOf } from "~/ui/keys";
import { ConfirmDelete } from "~/ui/overlay/confirm-delete";
import { ActionMenu } from "~/ui/overlay/menu";

import { ResultStep } from "./apply";
import { itemsQuery, reviewQuery, useDecide, type Decided } from "./data";
import { reviewFile, type ReviewFile } from "./file";
import { Inherited } from "./inherited";
import { ReviewList } from "./list";
import { isOpenItem, OneByOne } from "./one";
import { OpenFile } from "./open-file";
import { nameFor, Report, saveCsv } from "./report";
import type { ReviewSearch, ReviewStep } from "./search";
import classes from "./styles.module.css";
import { flagsOf, stateWords } from "./words";

const STEP_WORDS: Readonly<Record<ReviewStep, string>> = {
  one: "One by one",
  list: "List",
  reviewers: "Reviewers",
  result: "Result",
};

interface CampaignProps {
  readonly uid: string;
  readonly search: ReviewSearch;
}

/** One review: its decisions, who makes them, what they do, and its report. */
export function Campaign({ uid, search }: CampaignProps): ReactNode {
  const review = useQuery(reviewQuery(uid));
  const items = useQuery(itemsQuery(uid));
  if (review.error && !review.data)
    return (
      <FailedPart
        title="This access review couldn't be loaded"
        error={review.error}
        onRetry={review.refetch}
      />
    );
  if (items.error && !items.data)
    return (
      <FailedPart title="Its role bindings couldn't be loaded" error={items.error} onRetry={items.refetch} />
    );
  if (!review.data || !items.data)
    return (
      <p role="status" className={classes["quiet"]}>
        Loading…
      </p>
    );
  return <Loaded review={review.data} items={items.data} search={search} />;
}

interface Filters {
  readonly state?: string | undefined;
  readonly reviewer?: string | undefined;
  readonly folder?: string | undefined;
  readonly flag?: string | undefined;
}

/** Choices of a filter with how many items each has. */
function choices(
  any: string,
  items: readonly AccessReviewItem[],
  keys: (item: AccessReviewItem) => readonly (readonly [string, string])[],
) {
  const found = new Map<string, { label: string; count: number }>();
  for (const item of items)
    for (const [value, label] of keys(item))
      found.set(value, { label, count: (found.get(value)?.count ?? 0) + 1 });
  return [
    { value: "", label: any },
    ...[...found]
      .map(([value, { label, count }]) => ({ value, label: `${label} (${count})` }))
      .toSorted((one, other) => one.label.localeCompare(other.label, "en")),
  ];
}

const DECIDED = [
  ["", "Not decided"],
  ["REVIEW_DECISION_KEEP", "Keep"],
  ["REVIEW_DECISION_REDUCE", "Reduce"],
  ["REVIEW_DECISION_REVOKE", "Revoke"],
] as const;
/** "" is no choice of a filter. */
const OPEN = "open";
const stateOf = ({ decision = "" }: AccessReviewItem): string => decision || OPEN;

interface LoadedProps {
  readonly review: AccessReview;
  readonly items: readonly AccessReviewItem[];
  readonly search: ReviewSearch;
}

function Loaded({ review, items: all, search }: LoadedProps): ReactNode {
  const { uid, groupName = "", makerName, createTime, dueTime, reviewState } = review;
  const { decide, problem, forget } = useDecide(uid);
  const [filters, setFilters] = useState<Filters>({});
  // A decision must not take the binding out of view while "not decided" is the filter: it would jump.
  const [pinned, setPinned] = useState<ReadonlySet<string>>(new Set());
  const items = all.filter(({ inherited }) => !inherited);
  const isClosed = reviewState === "REVIEW_STATE_CLOSED";
  const step = search.step ?? (reviewState === "REVIEW_STATE_OPEN" ? "one" : "result");
  const left = items.filter(isOpenItem).length;
  const { state, reviewer, folder, flag } = filters;
  const shown = items.filter(
    (item) =>
      pinned.has(item.uid) ||
      ((state === undefined || stateOf(item) === state) &&
        (reviewer === undefined || (item.reviewers ?? []).some((one) => one.uid === reviewer)) &&
        (folder === undefined || item.groupUid === folder) &&
        (flag === undefined || flagsOf(item).includes(flag))),
  );
  const filter = (change: Filters) => {
    setPinned(new Set());
    setFilters((now) => ({ ...now, ...change }));
  };
  const onDecide = (item: AccessReviewItem, decided: Decided) => {
    if (state !== undefined) setPinned((now) => new Set([...now, item.uid]));
    void decide(item, decided);
  };
  /** Takes the decisions of a file about what isn't decided yet. */
  const adopt = async (file: ReviewFile) => {
    if (file.review.uid !== uid) return toast("This file belongs to another review", undefined, "info");
    const theirs = new Map(file.items.map((item) => [item.uid, item]));
    const taken = items.flatMap((item) => {
      const { decision = "", toRoleUid = "", toRoleName = "", note } = theirs.get(item.uid) ?? {};
      if (!isOpenItem(item) || item.refusal !== undefined || decision === "") return [];
      const to = toRoleUid === "" ? undefined : { uid: toRoleUid, name: toRoleName };
      return [{ item, decided: { decision: decision as Decided["decision"], to, ...(note && { note }) } }];
    });
    // oxlint-disable-next-line no-await-in-loop -- one after the other: a file can have thousands
    for (const { item, decided } of taken) await decide(item, decided);
    return toast(`${formatQuantity(taken.length, "decision")} taken from the file`, undefined, "info");
  };
  return (
    <>
      <div className={classes["bar"]}>
        <p role="status" className={classes["count"]}>
          <strong>{formatQuantity(items.length, "role binding")}</strong>:{" "}
          {left === 0 ? "all decided" : `${formatQuantity(left, "decision")} left`}. {stateWords(review)}
        </p>
        <progress
          className={classes["progress"]}
          aria-label="Decided"
          max={Math.max(1, items.length)}
          value={items.length - left}
        />
        <More review={review} items={all} />
      </div>
      {problem ? (
        <Notice
          tone="warning"
          role="alert"
          title={`The decision about ${problem.name} wasn't confirmed`}
          actions={
            <Button variant="default" size="compact-sm" onClick={forget}>
              Dismiss
            </Button>
          }
        >
          {problem.message} Shown is what the service has now.
        </Notice>
      ) : null}
      {isClosed ? <Report review={review} items={all} /> : null}
      <Tabs
        label="Steps of the review"
        current={STEP_WORDS[step]}
        tabs={keysOf(STEP_WORDS).map((to) => ({
          label: STEP_WORDS[to],
          link: {
            to: "/access-review",
            search: (now: object) => ({ ...now, step: to, binding: undefined }),
          },
        }))}
      />
      {step === "one" || step === "list" ? (
        <div className={classes["filters"]} role="group" aria-label="Filters">
          <FilterSelect
            label="Decision"
            value={state}
            options={[
              { value: "", label: "any" },
              ...DECIDED.map(([value, label]) => ({
                value: value || OPEN,
                label: `${label} (${items.filter((item) => stateOf(item) === (value || OPEN)).length})`,
              })),
            ]}
            onChange={(to) => filter({ state: to })}
          />
          <FilterSelect
            label="Look at"
            value={flag}
            options={choices("everything", items, (item) => flagsOf(item).map((one) => [one, one]))}
            onChange={(to) => filter({ flag: to })}
          />
          <FilterSelect
            label="Folder"
            value={folder}
            options={choices("any", items, ({ groupUid = "", groupName: name = "" }) => [[groupUid, name]])}
            onChange={(to) => filter({ folder: to })}
          />
          <FilterSelect
            label="Reviewer"
            value={reviewer}
            options={choices("any", items, ({ reviewers = [] }) =>
              reviewers.map(({ uid: who, name }) => [who, name || who]),
            )}
            onChange={(to) => filter({ reviewer: to })}
          />
        </div>
      ) : null}
      {step === "one" ? (
        <OneByOne
          key={`${search.binding} ${JSON.stringify(filters)}`}
          first={search.binding?.replaceAll("_", "/")}
          items={shown}
          onDecide={onDecide}
        />
      ) : step === "list" ? (
        <>
          <ReviewList items={shown} onDecide={onDecide} />
          {reviewState === "REVIEW_STATE_OPEN" ? (
            <OpenFile label="Import decisions from a file" onOpen={(file) => void adopt(file)} />
          ) : null}
        </>
      ) : step === "reviewers" ? (
        <Reviewers review={review} />
      ) : (
        <ResultStep review={review} items={all} />
      )}
      {isClosed ? null : <Inherited review={review} items={all} />}
      <p className={classes["quiet"]}>
        Role bindings of <bdi>{groupName}</bdi> and below as of <Time value={createTime} />, when{" "}
        <bdi>{makerName}</bdi> started it. Due <Time value={dueTime} />.
      </p>
    </>
  );
}

function Reviewers({ review: { reviewers = [] } }: { readonly review: AccessReview }): ReactNode {
  return reviewers.length === 0 ? (
    <p className={classes["quiet"]}>
      Nobody in particular is asked: whoever may remove these roles can decide.
    </p>
  ) : (
    <FactTable
      caption="Reviewers"
      stacks
      head={["Reviewer", "Asked", "Decided", "Left"]}
      numbers={[1, 2, 3]}
      rows={reviewers.map(({ uid, name, askedCount = 0, decidedCount = 0 }) => [
        <bdi key={uid}>{name || uid}</bdi>,
        formatCount(askedCount),
        formatCount(decidedCount),
        formatCount(askedCount - decidedCount),
      ])}
    />
  );
}

/** What is done with a review as a whole. */
function More({
  review,
  items,
}: {
  readonly review: AccessReview;
  readonly items: readonly AccessReviewItem[];
}): ReactNode {
  const { uid, groupUid = "", title = "", repetition } = review;
  const client = useQueryClient();
  const navigate = useNavigate();
  const refusal = useRefusal();
  const [isDeleting, setDeleting] = useState(false);
  const refused = refusal(updateAccessReview, groupUid);
  const isQuarterly = repetition === "REVIEW_REPETITION_QUARTERLY";
  const repeat = async () => {
    try {
      await call(updateAccessReview, {
        path: { uid },
        body: { repetition: isQuarterly ? "REVIEW_REPETITION_NONE" : "REVIEW_REPETITION_QUARTERLY" },
      });
      toast(isQuarterly ? "It won't start again" : "It starts again every three months");
    } catch (error) {
      toast(errorFacts(error).message, undefined, "info");
    }
    await client.invalidateQueries({ queryKey: ["accessReviews"] });
  };
  return (
    <>
      <ActionMenu
        label="More actions for this review"
        actions={() => [
          {
            label: "Download file",
            onSelect: () =>
              saveAs(fileName(nameFor(review), "json"), reviewFile({ review, items }), "application/json"),
          },
          { label: "Download CSV", onSelect: () => saveCsv({ review, items }) },
          {
            label: isQuarterly ? "Don't start again" : "Start again every three months",
            disabled: refused,
            onSelect: () => void repeat(),
          },
          { label: "Delete review", disabled: refused, onSelect: () => setDeleting(true) },
        ]}
      />
      <ConfirmDelete
        opened={isDeleting}
        onClose={() => setDeleting(false)}
        kind="access review"
        name={title}
        consequence="Its decisions and its report are gone. Role bindings stay as they are."
        onDelete={() => call(deleteAccessReview, { path: { uid } })}
        onDeleted={() => {
          void navigate({
            to: "/access-review",
            search: (now: object) => ({ ...now, review: undefined, step: undefined, binding: undefined }),
          });
          void client.invalidateQueries({ queryKey: ["accessReviews"] });
          toast("Deleted access review");
        }}
      />
    </>
  );
}
