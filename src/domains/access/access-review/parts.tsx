import { CircleAlertIcon } from "lucide-react";
import type { ReactNode } from "react";

import type { AccessReviewItem } from "platform-contract/iam/access-reviews";
import { Badge } from "~/ui/display/badge";
import { Dash } from "~/ui/display/dash";
import { DefinitionList } from "~/ui/display/definition-list";
import { useEndTerm } from "~/ui/display/expiry";
import { State } from "~/ui/display/state";
import { Time } from "~/ui/display/time";
import { VisuallyHidden } from "~/ui/layout/visually-hidden";

import classes from "./styles.module.css";
import { flagsOf, usedWords } from "./words";

interface ItemProps {
  readonly item: AccessReviewItem;
}

/** What asks for attention. */
export function Flags({ item }: ItemProps): ReactNode {
  const flags = flagsOf(item);
  return flags.length === 0 ? null : (
    <span className={classes["flags"]}>
      {flags.map((flag) => (
        <Badge key={flag} tone="warning" icon={<CircleAlertIcon />}>
          {flag}
        </Badge>
      ))}
    </span>
  );
}

/** The same in a row of the list: the first, and how many more. */
export function FirstFlag({ item }: ItemProps): ReactNode {
  const [first, ...others] = flagsOf(item);
  if (first === undefined) return <Dash label="nothing" />;
  return (
    <span data-tip={others.length > 0 ? [first, ...others].join(", ") : undefined}>
      <Badge tone="warning" icon={<CircleAlertIcon />}>
        {first}
      </Badge>
      {others.length > 0 ? (
        <span className={classes["more"]}>
          {" "}
          +{others.length}
          <VisuallyHidden>: {others.join(", ")}</VisuallyHidden>
        </span>
      ) : null}
    </span>
  );
}

/** A decision as the state of a row. */
export function DecisionState({ item: { decision, toRoleName } }: ItemProps): ReactNode {
  if (decision === "REVIEW_DECISION_KEEP") return <State tone="success">Keep</State>;
  if (decision === "REVIEW_DECISION_REVOKE") return <State tone="danger">Revoke</State>;
  if (decision === "REVIEW_DECISION_REDUCE")
    return (
      <State tone="warning">
        <span>
          Reduce to <bdi>{toRoleName}</bdi>
        </span>
      </State>
    );
  return <State tone="none">Not decided</State>;
}

/** The evidence of a binding, as it was when the review started. */
export function Facts({ item }: ItemProps): ReactNode {
  const { expirationTime: ends, grantTime, grantedByName, grantReason, lastSeenTime, coveredBy } = item;
  const { reviewers = [], decidedByName, decideTime } = item;
  const term = useEndTerm(ends, "Ends", "Ended");
  return (
    <DefinitionList
      items={[
        {
          term: "Granted",
          value: (
            <>
              <Time value={grantTime} absent="unknown" /> by <bdi>{grantedByName ?? "unknown"}</bdi>
              {grantReason === undefined ? null : (
                <>
                  {" "}
                  (reason: <bdi>{grantReason}</bdi>)
                </>
              )}
            </>
          ),
        },
        {
          term: "Last seen, at the start",
          value: lastSeenTime === undefined ? "Never" : <Time value={lastSeenTime} />,
        },
        { term: "Used, until the start", value: usedWords(item) },
        ...(coveredBy === undefined ? [] : [{ term: "From above", value: <bdi>{coveredBy}</bdi> }]),
        ...(ends === undefined ? [] : [{ term, value: <Time value={ends} /> }]),
        {
          term: "Asked",
          value: (
            <bdi>{reviewers.map(({ name, uid }) => name || uid).join(", ") || "Nobody in particular"}</bdi>
          ),
        },
        ...(decidedByName
          ? [
              {
                term: "Decided",
                value: (
                  <>
                    <Time value={decideTime} /> by <bdi>{decidedByName}</bdi>
                  </>
                ),
              },
            ]
          : []),
      ]}
    />
  );
}
