import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState, type ReactNode } from "react";

import {
  applyAccessReview,
  closeAccessReview,
  type AccessReview,
  type AccessReviewItem,
} from "platform-contract/iam/access-reviews";
import { call } from "~/api/client/client";
import { useJustification } from "~/frame/form/use-justification";
import { useCurrentUser } from "~/frame/permissions/current-user";
import { useRefusal } from "~/frame/permissions/use-can";
import "~/ui/controls/button-styles";
import { FactTable } from "~/ui/display/fact-table";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { Tile, Tiles } from "~/ui/display/tiles";
import { errorFacts } from "~/ui/feedback/error-facts";
import { Notice } from "~/ui/feedback/notice";
import { useWritesPaused } from "~/ui/feedback/writes-paused";
import { DisabledReason } from "~/ui/overlay/disabled-reason";
import { Sheet } from "~/ui/overlay/sheet";

import { itemsQuery, reviewQuery } from "./data";
import { isOpenItem } from "./one";
import classes from "./styles.module.css";
import { decisionWords, isChange, resultWords } from "./words";

interface ResultProps {
  readonly review: AccessReview;
  readonly items: readonly AccessReviewItem[];
}

/** Changes that the confirmation names. */
const NAMED = 50;

/** What the decisions would do, and what became of them. */
export function ResultStep({ review, items }: ResultProps): ReactNode {
  const { uid, groupUid = "", reviewState } = review;
  const [asks, setAsks] = useState<"apply" | "retry" | "close">();
  const refusal = useRefusal();
  const paused = useWritesPaused();
  const own = items.filter(({ inherited }) => !inherited);
  const changes = own.filter(isChange);
  const pending = changes.filter(({ result = "" }) => result === "");
  const done = changes.filter(({ result = "" }) => result !== "");
  const refused = done.filter(({ result }) => result === "REVIEW_RESULT_REFUSED");
  const count = (decision: string) => own.filter((item) => item.decision === decision).length;
  const isClosed = reviewState === "REVIEW_STATE_CLOSED";
  const blocked = refusal(applyAccessReview, groupUid) ?? paused?.reason;
  return (
    <>
      <Tiles label="Decisions">
        <Tile label="Keep" count={count("REVIEW_DECISION_KEEP")} />
        <Tile label="Reduce" count={count("REVIEW_DECISION_REDUCE")} />
        <Tile label="Revoke" count={count("REVIEW_DECISION_REVOKE")} />
        <Tile label="Not decided" count={own.filter(isOpenItem).length} />
      </Tiles>
      {isClosed ? null : (
        <Section
          title="Changes to apply"
          count={pending.length}
          description="Role bindings without a decision, and those to keep, stay as they are. So does one that somebody changed after the review started."
          actions={
            <>
              {pending.length > 0 ? (
                <DisabledReason reason={blocked}>
                  <Button variant="filled" onClick={() => setAsks("apply")}>
                    Apply {formatQuantity(pending.length, "change")}
                  </Button>
                </DisabledReason>
              ) : null}
              <DisabledReason reason={blocked}>
                <Button variant="default" onClick={() => setAsks("close")}>
                  Close review
                </Button>
              </DisabledReason>
            </>
          }
        >
          {pending.length > 0 ? (
            <Changes items={pending} />
          ) : (
            <p className={classes["quiet"]}>
              {done.length > 0
                ? "Everything that was decided has been applied, or was refused."
                : "No changes were decided."}
            </p>
          )}
        </Section>
      )}
      {done.length > 0 ? (
        <Section
          title="Results"
          count={done.length}
          actions={
            refused.length > 0 && !isClosed ? (
              <DisabledReason reason={blocked}>
                <Button variant="default" onClick={() => setAsks("retry")}>
                  Try {formatQuantity(refused.length, "refused change")} again
                </Button>
              </DisabledReason>
            ) : null
          }
        >
          <FactTable
            caption="Results of decisions"
            stacks
            head={["Identity", "Decision", "Result"]}
            rows={done.map((item) => [
              <bdi key={item.uid}>{item.identityName}</bdi>,
              <span key="what">
                <bdi>{item.roleName}</bdi> in <bdi>{item.groupName}</bdi>: {decisionWords(item)}
              </span>,
              item.resultMessage ? `${resultWords(item)}: ${item.resultMessage}` : resultWords(item),
            ])}
          />
        </Section>
      ) : null}
      {asks === undefined ? null : asks === "close" ? (
        <Close
          review={uid}
          open={own.filter(isOpenItem).length}
          pending={pending.length}
          onClose={() => setAsks(undefined)}
        />
      ) : (
        <Apply
          review={uid}
          items={asks === "retry" ? refused : pending}
          retries={asks === "retry"}
          begins={reviewState === "REVIEW_STATE_OPEN"}
          onClose={() => setAsks(undefined)}
        />
      )}
    </>
  );
}

interface ApplyProps {
  readonly review: string;
  readonly items: readonly AccessReviewItem[];
  readonly retries: boolean;
  /** Nothing can be decided any more. */
  readonly begins: boolean;
  readonly onClose: () => void;
}

/** Says what will change, asks why, and applies some at a time until none waits: a stop in the middle loses nothing. */
function Apply({ review, items, retries, begins, onClose }: ApplyProps): ReactNode {
  const client = useQueryClient();
  const { justification, field } = useJustification();
  const { identityUid } = useCurrentUser();
  const [left, setLeft] = useState<number>();
  const [error, setError] = useState<unknown>();
  const stopped = useRef(false);
  const all = formatQuantity(items.length, "change");
  const isOwn = items.some((item) => item.identityUid === identityUid);
  const run = async () => {
    setError(undefined);
    setLeft(items.length);
    stopped.current = false;
    try {
      let body: { retriesRefused?: boolean } = retries ? { retriesRefused: true } : {};
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop -- each applies the next ones
        const { pendingCount = 0 } = await call(applyAccessReview, {
          path: { uid: review },
          body,
          justification,
        });
        body = {};
        setLeft(pendingCount);
        if (pendingCount === 0 || stopped.current) break;
      }
      onClose();
    } catch (reason) {
      setError(reason);
      setLeft(undefined);
    } finally {
      for (const collection of ["accessReviews", "accessReviewItems", "roleBindings", "endings"])
        void client.invalidateQueries({ queryKey: [collection] });
    }
  };
  return (
    <Sheet
      title={retries ? `Try ${all} again?` : `Apply ${all}?`}
      at="centre"
      onClose={() => {
        stopped.current = true;
        onClose();
      }}
      footer={
        <>
          <Button
            variant="default"
            onClick={() => (left === undefined ? onClose() : (stopped.current = true))}
          >
            {left === undefined ? "Cancel" : "Stop"}
          </Button>
          <Button variant="filled" loading={left !== undefined} onClick={() => void run()}>
            {retries ? "Try again" : `Apply ${all}`}
          </Button>
        </>
      }
    >
      <Changes items={items} />
      <p>
        {begins ? "From then on, nothing more can be decided in this review. " : ""}Each change is made with
        your rights; what you may not do, or a guard rail refuses, is told.
      </p>
      {isOwn ? (
        <Notice tone="warning" title="Your own access is among them">
          It is applied last. Afterward you might not be able to see this scope or close the review.
        </Notice>
      ) : null}
      {field}
      <p role="status" className={classes["quiet"]}>
        {left === undefined ? null : `${formatCount(left)} left…`}
      </p>
      {error === undefined ? null : (
        <Notice tone="danger" role="alert" title="Not all changes were applied">
          {errorFacts(error).message} What was applied stays: go on when you like.
        </Notice>
      )}
    </Sheet>
  );
}

interface CloseProps {
  readonly review: string;
  readonly open: number;
  readonly pending: number;
  readonly onClose: () => void;
}

/** Ends the review, which writes and signs its report. */
function Close({ review, open, pending, onClose }: CloseProps): ReactNode {
  const client = useQueryClient();
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await call(closeAccessReview, { path: { uid: review }, body: {} });
      onClose();
    } catch (reason) {
      setError(reason);
    } finally {
      setBusy(false);
      void client.invalidateQueries({ queryKey: reviewQuery(review).queryKey });
      void client.invalidateQueries({ queryKey: itemsQuery(review).queryKey });
      for (const collection of ["accessReviews", "endings"])
        void client.invalidateQueries({ queryKey: [collection] });
    }
  };
  return (
    <Sheet
      title="Close this review?"
      at="centre"
      onClose={onClose}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="filled" loading={busy} onClick={() => void run()}>
            Close review
          </Button>
        </>
      }
    >
      <p>The service writes and signs its report. Nothing of it can be changed afterward.</p>
      {open > 0 ? (
        <Notice tone="warning">
          {formatQuantity(open, "role binding")} without a decision will be listed so.
        </Notice>
      ) : null}
      {pending > 0 ? (
        <Notice tone="warning">{formatQuantity(pending, "change")} will be listed as not applied.</Notice>
      ) : null}
      {error === undefined ? null : (
        <Notice tone="danger" role="alert" title="The review wasn't closed">
          {errorFacts(error).message}
        </Notice>
      )}
    </Sheet>
  );
}

const Changes = ({ items }: { readonly items: readonly AccessReviewItem[] }): ReactNode => (
  <ul className={classes["changes"]}>
    {items.slice(0, NAMED).map((item) => (
      <li key={item.uid}>
        <bdi className={classes["name"]}>{item.identityName}</bdi>: {decisionWords(item)}
        {item.decision === "REVIEW_DECISION_REVOKE" ? ` ${item.roleName}` : ""} in <bdi>{item.groupName}</bdi>
        {item.note ? (
          <span className={classes["quiet"]}>
            {" "}
            (<bdi>{item.note}</bdi>)
          </span>
        ) : null}
      </li>
    ))}
    {items.length > NAMED ? <li>and {formatCount(items.length - NAMED)} more</li> : null}
  </ul>
);
