import { CircleAlertIcon } from "lucide-react";
import type { ReactNode } from "react";

import { Badge } from "~/ui/display/badge";
import { Dash } from "~/ui/display/dash";
import { DefinitionList, type Definition } from "~/ui/display/definition-list";
import { useEndTerm } from "~/ui/display/expiry";
import { State } from "~/ui/display/state";
import { Time } from "~/ui/display/time";
import { VisuallyHidden } from "~/ui/layout/visually-hidden";

import { flagsOf } from "./evidence";
import type { LastUse, ReviewItem } from "./format";
import { usedWords } from "./report";
import classes from "./styles.module.css";

/** What asks for attention. */
export function Flags({ item }: { readonly item: ReviewItem }): ReactNode {
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
export function FirstFlag({ item }: { readonly item: ReviewItem }): ReactNode {
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
export function DecisionState({ item: { decision, to, gone } }: { readonly item: ReviewItem }): ReactNode {
  if (decision === "keep") return <State tone="success">Keep</State>;
  if (decision === "revoke") return <State tone="danger">Revoke</State>;
  if (decision === "reduce")
    return (
      <State tone="warning">
        <span>
          Reduce to <bdi>{to?.name}</bdi>
        </span>
      </State>
    );
  return <State tone="none">{gone ? "Nothing to decide" : "Not decided"}</State>;
}

/** What the log kept of why. */
const Why = ({ of }: { readonly of: string | undefined }): ReactNode =>
  of === undefined ? null : (
    <>
      {" "}
      (reason: <bdi>{of}</bdi>)
    </>
  );

function Granted({ item: { evidence } }: { readonly item: ReviewItem }): ReactNode {
  const { granted, changed, first } = evidence;
  return (
    <>
      {first ? "again " : null}
      <Time value={granted?.at} absent="unknown" /> by <bdi>{granted?.by ?? "unknown"}</bdi>
      <Why of={granted?.why} />
      {changed ? (
        <>
          ; role changed <Time value={changed.at} /> by <bdi>{changed.by}</bdi>
          <Why of={changed.why} />
        </>
      ) : null}
      {first ? (
        <>
          ; first granted <Time value={first.at} /> by <bdi>{first.by ?? "unknown"}</bdi>
        </>
      ) : null}
    </>
  );
}

const lastUse = (term: string, use: LastUse | undefined): readonly Definition[] =>
  use
    ? [
        {
          term,
          value:
            use.last === null ? (
              <>
                None since <Time value={use.since} />
              </>
            ) : (
              <Time value={use.last} />
            ),
        },
      ]
    : [];

/** The evidence of a binding. */
export function Facts({ item }: { readonly item: ReviewItem }): ReactNode {
  const { seen, covered, aboveUnknown, used, uses, pulled, pushed, ends } = item.evidence;
  const term = useEndTerm(ends, "Ends", "Ended");
  return (
    <DefinitionList
      items={[
        { term: "Granted", value: <Granted item={item} /> },
        {
          term: "Last seen",
          value: seen === undefined ? "Unknown" : seen === null ? "Never" : <Time value={seen} />,
        },
        {
          term: "From above",
          value:
            covered !== undefined ? (
              <bdi>{covered}</bdi>
            ) : aboveUnknown ? (
              "Unknown: you can't see roles granted above"
            ) : (
              "Nothing that allows as much"
            ),
        },
        {
          term: uses ? "Used" : "Changes made",
          value: used || uses ? usedWords(item).replace(/^./, (first) => first.toUpperCase()) : "Unknown",
        },
        ...lastUse("Last pull", pulled),
        ...lastUse("Last push", pushed),
        ...(ends === undefined ? [] : [{ term, value: <Time value={ends} /> }]),
      ]}
    />
  );
}
