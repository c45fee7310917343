import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";

import { createAccessReview, type AccessReview } from "platform-contract/iam/access-reviews";
import { rowsOf } from "~/api/queries/queries";
import { useRefusal } from "~/frame/permissions/use-can";
import { useChosenGroup } from "~/frame/scope/chosen-group";
import { ChooseGroup } from "~/frame/scope/choose-group";
import { GroupLink } from "~/frame/scope/group-link";
import { useGroup } from "~/frame/scope/group-ancestry";
import { uidToParam } from "~/frame/scope/uid-param";
import "~/ui/controls/button-styles";
import { FactTable } from "~/ui/display/fact-table";
import { formatCount } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { shorten } from "~/ui/display/shorten";
import { Time } from "~/ui/display/time";
import { FailedPages } from "~/ui/feedback/failed-pages";
import { AppLink } from "~/ui/layout/link";
import { onDemand } from "~/ui/on-demand";
import { DisabledReason } from "~/ui/overlay/disabled-reason";
import { ShowMore } from "~/ui/table/show-more";

import { reviewsQuery, waitingQuery } from "./data";
import classes from "./styles.module.css";
import { stateWords } from "./words";

const NewReview = onDemand(async () => (await import("./new-review")).NewReview);

const linkTo = (uid: string) => ({
  to: "/access-review",
  search: (now: object) => ({ ...now, review: uidToParam(uid), step: undefined, binding: undefined }),
});

/** The reviews that wait for the user, and those of the scope and below that they can see, newest first. */
export function Reviews(): ReactNode {
  const { group, known } = useChosenGroup();
  const { group: record } = useGroup(group ?? "");
  const name = record?.name || shorten(group ?? "");
  const query = useInfiniteQuery({ ...reviewsQuery(group), enabled: known });
  const waiting = rowsOf(useInfiniteQuery(waitingQuery).data).rows;
  const listed = rowsOf(query.data).rows;
  const rows = [...new Map([...waiting, ...listed].map((review) => [review.uid, review])).values()];
  const refusal = useRefusal();
  const navigate = useNavigate();
  const [isNew, setNew] = useState(false);
  const reason =
    group === undefined ? "Choose an organization or folder first" : refusal(createAccessReview, group);
  return (
    <Section
      title="Reviews"
      actions={
        <DisabledReason reason={reason}>
          <Button variant="filled" onClick={() => setNew(true)}>
            New review
          </Button>
        </DisabledReason>
      }
    >
      {group === undefined && known ? (
        <ChooseGroup>Choose an organization or folder to start a review there.</ChooseGroup>
      ) : null}
      {query.isPending ? (
        <p role="status" className={classes["quiet"]}>
          Loading…
        </p>
      ) : null}
      {query.data && rows.length === 0 ? (
        <p role="status" className={classes["quiet"]}>
          {group === undefined
            ? "No access reviews that you can see."
            : "No access reviews here that you can see."}
        </p>
      ) : null}
      {rows.length > 0 ? (
        <FactTable
          caption="Access reviews"
          stacks
          head={["Review", "Of", "State", "Decided", "Waits for you", "Due"]}
          rows={rows.map((review) => [
            <AppLink key={review.uid} target={linkTo(review.uid)}>
              <bdi>{review.title}</bdi>
            </AppLink>,
            <GroupLink key="of" uid={review.groupUid ?? ""} />,
            stateWords(review),
            `${formatCount(review.decidedCount ?? 0)} of ${formatCount(review.itemCount ?? 0)}`,
            review.waitingCount ? formatCount(review.waitingCount) : "",
            <Due key="due" review={review} />,
          ])}
        />
      ) : null}
      <FailedPages title="Access reviews couldn't be loaded" query={query} />
      <ShowMore query={query} />
      {isNew && group !== undefined ? (
        <NewReview
          group={group}
          groupName={name}
          onClose={() => setNew(false)}
          onStarted={(uid) => void navigate(linkTo(uid))}
        />
      ) : null}
    </Section>
  );
}

const Due = ({
  review: { dueTime, nextTime, notRepeated },
}: {
  readonly review: AccessReview;
}): ReactNode => (
  <span>
    <Time value={dueTime} />
    {nextTime ? (
      <span className={classes["quiet"]}>
        {" "}
        Again <Time value={nextTime} />
      </span>
    ) : null}
    {notRepeated ? <span className={classes["quiet"]}> Did not start again: {notRepeated}</span> : null}
  </span>
);
