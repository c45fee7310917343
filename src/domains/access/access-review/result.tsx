import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { useRefusal } from "~/frame/permissions/use-can";
import { ACCESS_CHANGES, type AccessChange } from "~/api/bulk/access-change-plan";
import { ownerOf } from "~/auth/session";
import { usePerson } from "~/auth/use-session";
import { roleBindings } from "platform-contract/iam/role-bindings";
import { startLater } from "~/frame/bulk-delete/start";
import { useJobOpen } from "~/frame/bulk-delete/use-job-open";
import "~/ui/controls/button-styles";
import { Section } from "~/ui/display/section";
import { Tile, Tiles } from "~/ui/display/tiles";
import { formatQuantity } from "~/ui/display/numbers";
import { Notice } from "~/ui/feedback/notice";
import { useWritesPaused } from "~/ui/feedback/writes-paused";
import { DisabledReason } from "~/ui/overlay/disabled-reason";

import type { ReviewItem, Review } from "./format";
import type { Live } from "./read";
import { changesOf, isOpenItem, leavesNoOwner, resultsOf } from "./progress";
import { decisionWords } from "./report";
import type { ReviewChange } from "./store";
import classes from "./styles.module.css";

interface ResultProps {
  readonly review: Review;
  readonly set: (change: ReviewChange) => void;
  /** As it is now; undefined until it is read. */
  readonly live: Live | undefined;
}

const targetOf = ({ uid, identity, role, to, folder, decision, note }: ReviewItem): AccessChange => ({
  uid,
  name: `${identity.name}, ${decision === "reduce" ? `${role.name} to ${to?.name ?? ""}` : role.name} in ${folder}`,
  identity: identity.uid,
  from: role.uid,
  justification: note,
  ...(decision === "reduce" && { to: to?.uid }),
});

/** What the decisions would do, before they are applied. */
export function ResultStep({ review, set, live }: ResultProps): ReactNode {
  const client = useQueryClient();
  const owner = ownerOf(usePerson());
  const refusal = useRefusal();
  const paused = useWritesPaused();
  const jobOpen = useJobOpen();
  const [sure, setSure] = useState(false);
  const { items, signedOff } = review;
  const results = resultsOf(items, live?.facts.bindings ?? []);
  const isLeft = ({ uid }: ReviewItem): boolean => results.get(uid) === "open";
  const all = changesOf(review);
  const reasonOf = (item: ReviewItem): string | undefined =>
    refusal(item.decision === "reduce" ? roleBindings.update : roleBindings.delete, item.uid);
  const left = (some: readonly ReviewItem[]): readonly ReviewItem[] => (live ? some.filter(isLeft) : some);
  const [others, own] = [left(all.others), left(all.own)];
  const possible = others.filter((item) => reasonOf(item) === undefined);
  const excluded = others.filter((item) => reasonOf(item) !== undefined);
  // What a decision removed is gone, and still decided.
  const isDone = ({ uid }: ReviewItem): boolean => ["revoked", "reduced"].includes(results.get(uid) ?? "");
  const count = (decision: ReviewItem["decision"]) =>
    items.filter((item) => item.decision === decision && (!item.gone || isDone(item))).length;
  const orphaned = leavesNoOwner(review);
  const blocked =
    (signedOff ? "The review is signed off" : undefined) ??
    (live ? undefined : "Checking for changes") ??
    (orphaned ? "Keep at least one owner of the organization" : undefined) ??
    (jobOpen ? "Another job is still running" : undefined) ??
    paused?.reason;
  const apply = (some: readonly ReviewItem[]) => {
    set((now) => ({ ...now, applied: true }));
    startLater({ client, owner }, ACCESS_CHANGES, some.map(targetOf));
  };
  return (
    <>
      <Tiles label="Decisions">
        <Tile label="Keep" count={count("keep")} />
        <Tile label="Reduce" count={count("reduce")} />
        <Tile label="Revoke" count={count("revoke")} />
        <Tile label="Not decided" count={items.filter(isOpenItem).length} />
      </Tiles>
      {orphaned ? (
        <Notice tone="danger" title="The organization would have no owner" role="alert">
          Every owner is to be revoked or reduced. Keep at least one.
        </Notice>
      ) : null}
      <Section
        title="Changes to apply"
        count={others.length}
        description="Role bindings without a decision, and those to keep, stay as they are. So does one whose role changed after its decision; the report says so."
      >
        {others.length === 0 ? (
          <p className={classes["quiet"]}>
            {review.applied ? "Everything that was decided has been applied." : "No changes were decided."}
          </p>
        ) : (
          <Changes items={possible} />
        )}
        {excluded.length > 0 ? (
          <Notice
            tone="warning"
            title={`${formatQuantity(excluded.length, "change")} can't be applied by you`}
          >
            <Reasons items={excluded} reasonOf={reasonOf} />
          </Notice>
        ) : null}
        {possible.length > 0 ? (
          <div className={classes["acts"]}>
            <DisabledReason reason={blocked}>
              <Button variant="filled" onClick={() => apply(possible)}>
                Apply {formatQuantity(possible.length, "change")}
              </Button>
            </DisabledReason>
          </div>
        ) : null}
      </Section>
      {own.length > 0 ? (
        <Section title="Your own access" count={own.length}>
          <Notice tone="warning" title="Applied last">
            These decisions include your own access. Afterward you might not be able to see this scope, undo
            the change, or sign off the review. Sign off first, or let someone else apply them.
          </Notice>
          <Changes items={own} />
          <label className={classes["check"]}>
            <input
              type="checkbox"
              checked={sure}
              onChange={(event) => setSure(event.currentTarget.checked)}
            />
            I understand that I lose this access
          </label>
          <div className={classes["acts"]}>
            <DisabledReason
              reason={
                blocked ??
                (possible.length > 0 ? "Apply the other changes first" : undefined) ??
                (sure ? undefined : "Confirm that you lose this access")
              }
            >
              <Button color="danger" variant="light" onClick={() => apply(own)}>
                Apply to your own access
              </Button>
            </DisabledReason>
          </div>
        </Section>
      ) : null}
    </>
  );
}

function Changes({ items }: { readonly items: readonly ReviewItem[] }): ReactNode {
  return (
    <ul className={classes["changes"]}>
      {items.map((item) => (
        <li key={item.uid}>
          <bdi className={classes["name"]}>{item.identity.name}</bdi>: {decisionWords(item)}
          {item.decision === "revoke" ? ` ${item.role.name}` : ""} in <bdi>{item.folder}</bdi>
          {item.note ? (
            <span className={classes["quiet"]}>
              {" "}
              (<bdi>{item.note}</bdi>)
            </span>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

interface ReasonsProps {
  readonly items: readonly ReviewItem[];
  readonly reasonOf: (item: ReviewItem) => string | undefined;
}

function Reasons({ items, reasonOf }: ReasonsProps): ReactNode {
  return (
    <ul className={classes["changes"]}>
      {items.map((item) => (
        <li key={item.uid}>
          <bdi>{item.identity.name}</bdi> in <bdi>{item.folder}</bdi>: {reasonOf(item)}
        </li>
      ))}
    </ul>
  );
}
