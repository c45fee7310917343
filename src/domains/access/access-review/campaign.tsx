import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState, type ReactNode } from "react";

import { useCurrentUser } from "~/frame/permissions/current-user";
import type { Config } from "~/config";
import { ActionMenu } from "~/ui/overlay/menu";
import { FilterSelect } from "~/ui/controls/filters";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { exactTime, readTime } from "~/ui/display/time-text";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";
import { toast } from "~/ui/feedback/toast-store";
import { Tabs } from "~/ui/layout/tabs";
import { useLatest } from "~/ui/use-latest";

import { download } from "./download";
import { flagsOf, smallerRoles } from "./evidence";
import { Folders } from "./folders";
import { folderOf, type ReviewItem, type Review } from "./format";
import { Inherited } from "./inherited";
import { ReviewList } from "./list";
import { OneByOne } from "./one";
import { OpenFile } from "./open-file";
import { decide, isOpenItem, reconcile, reviewerOf, type Decided } from "./progress";
import { ResultStep } from "./result";
import type { ReviewSearch, ReviewStep } from "./search";
import { SignOffStep } from "./sign-off";
import { merge, type ReviewChange } from "./store";
import classes from "./styles.module.css";
import { liveKey, useReading } from "./use-reading";
import { keysOf } from "~/ui/keys";

const STEP_WORDS: Readonly<Record<ReviewStep, string>> = {
  one: "One by one",
  list: "List",
  folders: "Folders",
  result: "Result",
  report: "Report",
};

export interface CampaignProps {
  readonly review: Review;
  readonly set: (next: Review | ReviewChange | undefined) => void;
  readonly search: ReviewSearch;
  readonly config: Config;
}

/** Keeps a review up to date with the API: on arrival, and after every change of a role binding in this tab. */
function useLive({ review, set }: CampaignProps) {
  const { doing, read } = useReading();
  const latest = useLatest(review);
  const { data, error, refetch } = useQuery({
    queryKey: liveKey(review.id),
    queryFn: async () => {
      const { scope, items } = latest.current;
      const present = items.filter(({ gone }) => !gone).map(({ uid }) => uid);
      const live = await read(scope.uid, present);
      // Stopped: another reading has taken over.
      if (!live) throw new Error("Stopped.");
      return live;
    },
    enabled: review.signedOff === undefined,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    structuralSharing: false,
  });
  useEffect(() => {
    if (data) set((now) => reconcile(now, data));
  }, [data, set]);
  return { live: data, doing, error, refetch };
}

interface Filters {
  readonly state?: string | undefined;
  readonly reviewer?: string | undefined;
  readonly folder?: string | undefined;
  readonly flag?: string | undefined;
}

const STATES: Readonly<Record<string, (item: ReviewItem) => boolean>> = {
  open: isOpenItem,
  keep: ({ decision }) => decision === "keep",
  reduce: ({ decision }) => decision === "reduce",
  revoke: ({ decision }) => decision === "revoke",
};

/** Choices of a filter with how many items each has. */
function choices(
  any: string,
  items: readonly ReviewItem[],
  keysOf: (item: ReviewItem) => readonly (readonly [string, string])[],
) {
  const found = new Map<string, { label: string; count: number }>();
  for (const item of items)
    for (const [value, label] of keysOf(item))
      found.set(value, { label, count: (found.get(value)?.count ?? 0) + 1 });
  return [
    { value: "", label: any },
    ...[...found]
      .map(([value, { label, count }]) => ({ value, label: `${label} (${count})` }))
      .toSorted((one, other) => one.label.localeCompare(other.label, "en")),
  ];
}

export function Campaign(props: CampaignProps): ReactNode {
  const { review, set, search, config } = props;
  const { items, signedOff } = review;
  const { person } = useCurrentUser();
  const { live, doing, error, refetch } = useLive(props);
  const [filters, setFilters] = useState<Filters>({});
  const step = search.step ?? (signedOff ? "report" : "one");
  // Nothing is decided about what may have changed: the first binding without a decision is known only then.
  const checking = live?.time !== review.read && !error && !signedOff;
  const me = person.email ?? person.subject;
  const left = items.filter(isOpenItem).length;
  const shown = useMemo(() => {
    const { state, reviewer, folder, flag } = filters;
    return items.filter(
      (item) =>
        (state === undefined || STATES[state]?.(item)) &&
        (reviewer === undefined || (reviewerOf(review, item) ?? "-") === reviewer) &&
        (folder === undefined || folderOf(item) === folder) &&
        (flag === undefined || flagsOf(item).includes(flag)),
    );
  }, [items, review, filters]);
  // A decision must not take the binding out of view while "not decided" is the filter: it would jump.
  const [pinned, setPinned] = useState<ReadonlySet<string>>(new Set());
  const visible = useMemo(() => {
    const ids = new Set(shown.map(({ uid }) => uid));
    return pinned.size === 0 ? shown : items.filter(({ uid }) => ids.has(uid) || pinned.has(uid));
  }, [items, shown, pinned]);
  const filter = (change: Filters) => {
    setPinned(new Set());
    setFilters((now) => ({ ...now, ...change }));
  };
  const onDecide = (uid: string, decided: Decided) => {
    if (filters.state !== undefined) setPinned((now) => new Set([...now, uid]));
    set((now) => decide(now, uid, decided, { by: me, at: new Date().toISOString() }));
  };
  const deciding = {
    items: visible,
    onDecide,
    smaller: (item: ReviewItem) => live && smallerRoles(item, live.facts.roles, live.facts),
    locked: signedOff ? "The review is signed off" : undefined,
  };
  const adopt = (other: Review) => {
    if (other.id !== review.id) return toast("This file belongs to another review. Close this one first.");
    const merged = merge(review, other);
    const before = new Map(items.map((item) => [item.uid, item.at]));
    const taken = merged.items.filter((item) => item.at !== before.get(item.uid)).length;
    set(merged);
    toast(`${formatQuantity(taken, "decision")} taken from the file`, undefined, "info");
    return undefined;
  };
  return (
    <>
      <div className={classes["bar"]}>
        <p role="status" className={classes["count"]}>
          <strong>{formatQuantity(items.length, "role binding")}</strong>:{" "}
          {left === 0
            ? "all decided"
            : signedOff
              ? `${formatCount(left)} signed off without a decision`
              : `${formatQuantity(left, "decision")} left`}
          {doing === undefined ? null : `. Checking for changes: ${doing}…`}
        </p>
        <progress
          className={classes["progress"]}
          aria-label="Decided"
          max={Math.max(1, items.length)}
          value={items.length - left}
        />
        <ActionMenu
          label="More actions for this review"
          actions={() => [
            { label: "Download file", onSelect: () => download(review) },
            {
              label: "Close review",
              onSelect: () => {
                download(review);
                set(undefined);
              },
            },
          ]}
        />
      </div>
      {error && !doing ? (
        <FailedPart
          title="Changes since the review was read are unknown"
          error={error}
          onRetry={() => void refetch()}
        />
      ) : null}
      {live && live.facts.bindings.length === 0 && items.some(({ gone }) => !gone) ? (
        <Notice tone="warning" title="You can't see role bindings of this scope">
          What happened to them is unknown.
        </Notice>
      ) : null}
      {review.gaps.map((gap) => (
        <Notice key={gap}>{gap}</Notice>
      ))}
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
            value={filters.state}
            options={[
              { value: "", label: "any" },
              ...Object.entries({
                open: "Not decided",
                keep: "Keep",
                reduce: "Reduce",
                revoke: "Revoke",
              }).map(([value, label]) => ({
                value,
                label: `${label} (${items.filter(STATES[value] ?? isOpenItem).length})`,
              })),
            ]}
            onChange={(state) => filter({ state })}
          />
          <FilterSelect
            label="Look at"
            value={filters.flag}
            options={choices("everything", items, (item) => flagsOf(item).map((flag) => [flag, flag]))}
            onChange={(flag) => filter({ flag })}
          />
          <FilterSelect
            label="Folder"
            value={filters.folder}
            options={choices("any", items, (item) => [[folderOf(item), item.folder]])}
            onChange={(folder) => filter({ folder })}
          />
          <FilterSelect
            label="Reviewer"
            value={filters.reviewer}
            options={choices("any", items, (item) => {
              const reviewer = reviewerOf(review, item);
              return [[reviewer ?? "-", reviewer ?? "Nobody"]];
            })}
            onChange={(reviewer) => filter({ reviewer })}
          />
        </div>
      ) : null}
      {checking && (step === "one" || step === "list") ? (
        <p className={classes["quiet"]}>Checking what changed since it was last read…</p>
      ) : step === "one" ? (
        <OneByOne
          key={`${search.binding} ${JSON.stringify(filters)}`}
          first={search.binding?.replaceAll("_", "/")}
          {...deciding}
        />
      ) : step === "list" ? (
        <ReviewList {...deciding} />
      ) : step === "folders" ? (
        <>
          <Folders review={review} set={set} locked={deciding.locked} />
          {signedOff ? null : (
            <OpenFile
              label="Import decisions from a reviewer's file"
              service={config.apiBaseUrl}
              onOpen={adopt}
            />
          )}
        </>
      ) : step === "result" ? (
        <ResultStep review={review} set={set} live={live} />
      ) : (
        <SignOffStep review={review} set={set} live={live} me={me} />
      )}
      {step === "report" ? null : <Inherited review={review} />}
      <p className={classes["quiet"]}>
        Started {words(review.started.at)} by <bdi>{review.started.by}</bdi>. Role bindings as of{" "}
        {words(review.read)}.
      </p>
    </>
  );
}

const words = (time: string): string => {
  const date = readTime(time);
  return date ? exactTime(date) : "at an unknown time";
};
