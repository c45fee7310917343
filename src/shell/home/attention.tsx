import { Button } from "@mantine/core";
import { ChevronRightIcon, CircleCheckIcon, CircleDashedIcon, TriangleAlertIcon } from "lucide-react";
import { useRouteContext } from "@tanstack/react-router";
import { Fragment, type ReactNode } from "react";

import "~/ui/controls/button-styles";
import { capitalize } from "~/ui/display/capitalize";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { useRefusal } from "~/frame/permissions/use-can";
import { useTopGroups } from "~/frame/scope/top-groups";
import { parentOf } from "platform-contract/aip";
import { neededText } from "~/frame/permissions/permission-text";
import { Section } from "~/ui/display/section";
import { Time } from "~/ui/display/time";
import { errorFacts } from "~/ui/feedback/error-facts";
import { AppLink } from "~/ui/layout/link";
import { VisuallyHidden } from "~/ui/layout/visually-hidden";

import { countOf, LINES, resultText, type Line, type CheckOutcome, type Part } from "./attention-lines";
import { listOf } from "./holdings";
import { useRemembered } from "./remembered";
import type { HiddenKinds } from "./use-hidden-kinds";
import styles from "./styles.module.css";
import { useChecks, type Doing } from "./use-checks";

interface AttentionProps {
  /** uid; undefined for everything that the user can see. */
  readonly group: string | undefined;
  readonly hidden: HiddenKinds;
}

/** What the user would need for a check; undefined if nothing is missing. */
const missingFor = (line: Line, { missing }: HiddenKinds): string | undefined =>
  line.kinds.flatMap(({ collection }) => missing.get(collection) ?? [])[0];

/** Number of skeleton rows until the first checks are over. */
const SKELETONS = 6;

/** The checks of a scope: as far as a few requests lead on arrival, the rest on request; then remembered. */
export function useAttention({ group, hidden: kinds }: AttentionProps) {
  const outcomes = useRemembered(group);
  const config = useRouteContext({ strict: false, select: (context) => context.config });
  const lines = LINES.filter(({ needs }) => needs === undefined || config?.[needs] === true);
  const hidden = lines.filter((line) => missingFor(line, kinds) !== undefined);
  const shown = lines.filter((line) => !hidden.includes(line));
  const known = kinds.asking.size === 0 ? shown : undefined;
  const { doing, check, stopAll } = useChecks(group, known, outcomes);
  const isReading = shown.some(({ name }) => doing[name]?.state === "reading");
  // Nothing below is shown before, so that it doesn't move under the pointer.
  const isFirst = shown.some(
    ({ name }) => !outcomes[name] && (!(name in doing) || doing[name]?.state === "reading"),
  );
  return { group, kinds, outcomes, shown, hidden, doing, check, stopAll, isReading, isFirst };
}

/** What needs attention in a scope. */
export function Attention(attention: ReturnType<typeof useAttention>): ReactNode {
  const { group, kinds, outcomes, shown, hidden, doing, check, stopAll, isReading, isFirst } = attention;
  const isQuiet = ({ name }: Line): boolean => {
    const outcome = outcomes[name];
    return doing[name]?.state !== "failed" && outcome?.complete === true && countOf(outcome) === 0;
  };
  const quiet = shown.filter(isQuiet);
  const { folders } = useTopGroups();
  // What is recorded further up can concern a folder too: "none" is said of what was looked at.
  const where =
    group === undefined
      ? folders.length > 0
        ? "In what you can see"
        : undefined
      : parentOf(group) === ""
        ? undefined
        : "In this folder and below";
  // Advisories further up apply to a folder as well: none of its own is no answer.
  const none = where === undefined ? quiet : quiet.filter(({ name }) => name !== "advisories");
  const loud = shown.filter((line) => !isQuiet(line));
  const oldest = Math.min(...shown.map(({ name }) => outcomes[name]?.at ?? Infinity));
  return (
    <Section
      title="Needs attention"
      actions={
        shown.length === 0 || isFirst ? null : (
          <>
            {Number.isFinite(oldest) && !isReading ? (
              <span className={styles["age"]}>
                Checked <Time value={new Date(oldest).toISOString()} />
              </span>
            ) : null}
            {isReading ? (
              <Button variant="default" onClick={stopAll}>
                Stop
              </Button>
            ) : (
              <Button variant="default" onClick={() => void Promise.all(shown.map((line) => check(line)))}>
                Check again
              </Button>
            )}
          </>
        )
      }
    >
      {isFirst ? (
        <div className={styles["lines"]} role="status" aria-label="Checking…">
          {Array.from({ length: SKELETONS }, (_, index) => (
            <div key={index} className={styles["line"]}>
              <span className={styles["bar"]} />
            </div>
          ))}
        </div>
      ) : (
        <>
          {loud.length > 0 ? (
            <ul className={styles["lines"]}>
              {loud.map((line) => (
                <AttentionLine
                  key={line.name}
                  line={line}
                  group={group}
                  outcome={outcomes[line.name]}
                  doing={doing[line.name]}
                  onCheck={(how) => void check(line, how)}
                />
              ))}
            </ul>
          ) : null}
          {none.length > 0 ? (
            <p className={styles["none"]}>
              <CircleCheckIcon size={16} />
              <span>
                {loud.length === 0 && hidden.length === 0 && where === undefined
                  ? "Nothing needs attention. "
                  : null}
                {where === undefined ? "No " : `${where}: no `}
                {list(none.map(({ label }) => label))}.
              </span>
            </p>
          ) : null}
        </>
      )}
      {hidden.length > 0 ? (
        <details className={styles["hidden"]}>
          <summary>{formatQuantity(hidden.length, "check is", "checks are")} hidden by your role</summary>
          <ul aria-label="Checks hidden by your role">
            {hidden.map((line) => (
              <li key={line.name}>
                {capitalize(line.label)}: needs permission to {neededText(missingFor(line, kinds) ?? "")}
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </Section>
  );
}

/** "a, b or c" */
const list = (labels: readonly string[]): string =>
  new Intl.ListFormat("en", { type: "disjunction" }).format(labels);

interface AttentionLineProps {
  readonly line: Line;
  readonly group: string | undefined;
  readonly outcome: CheckOutcome | undefined;
  readonly doing: Doing | undefined;
  readonly onCheck: (how: "press" | "more") => void;
}

/** Maximum number of parts to name individually. */
const NAMED = 3;

/** A sentence about what was found, with what to do about it as a link to the list of exactly these. */
function AttentionLine({ line, group, outcome, doing, onCheck }: AttentionLineProps): ReactNode {
  const refusal = useRefusal();
  const reading = doing?.state === "reading" ? (doing.reading ?? outcome) : outcome;
  const button = (words: string, how: "press" | "more") => (
    <Button variant="subtle" size="compact-sm" onClick={() => onCheck(how)}>
      {words}
      <VisuallyHidden>: {line.label}</VisuallyHidden>
    </Button>
  );
  if (doing?.state === "failed")
    return (
      <li className={styles["line"]} data-tone="problem">
        <TriangleAlertIcon size={16} />
        <span className={styles["label"]} role="alert">
          {capitalize(line.label)}: {errorFacts(doing.error).message}
        </span>
        {button("Try again", "press")}
      </li>
    );
  const count = reading ? countOf(reading) : 0;
  if (!reading || count === 0)
    return (
      <li className={styles["line"]}>
        <CircleDashedIcon size={16} />
        <span className={styles["label"]}>
          {reading && !doing
            ? resultText(line, reading)
            : `${capitalize(line.label)}: ${doing ? CHECKING : "not checked"}`}
        </span>
        {doing ? null : button(reading ? "Continue" : "Check", reading ? "more" : "press")}
      </li>
    );
  const { parts, complete } = reading;
  const targetOf = (part: Part | undefined) => listOf(line.kinds[0].collection, group, part?.search);
  const labelled = parts.filter(({ label }) => label !== undefined);
  // A list has one of these filters at a time.
  const target = targetOf(parts[0]);
  return (
    <li className={styles["line"]} data-tone="warning">
      <TriangleAlertIcon size={16} />
      <span className={styles["label"]}>
        {/* Two links to one list would be too close to each other to be pressed. */}
        {parts.length === 1 && labelled.length === 0 ? (
          <AppLink target={target}>{resultText(line, reading)}</AppLink>
        ) : (
          <span className={styles["several"]}>{resultText(line, reading)}</span>
        )}
        {labelled.length > 0 ? (
          <span className={styles["parts"]}>
            {labelled.slice(0, NAMED).map((part, index) => (
              <Fragment key={part.label}>
                {index > 0 ? ", " : ""}
                <AppLink target={targetOf(part)}>
                  {part.count > 1 || line.name === "advisories" ? `${formatCount(part.count)} ` : ""}
                  <bdi>{part.label}</bdi>
                </AppLink>
              </Fragment>
            ))}
            {labelled.length > NAMED ? ` and ${formatCount(labelled.length - NAMED)} more` : ""}
          </span>
        ) : null}
      </span>
      {doing ? (
        <span className={styles["age"]}>{CHECKING}</span>
      ) : complete ? null : (
        button("Count all", "more")
      )}
      <AppLink target={target} className={styles["act"]}>
        {line.act && refusal({ access: line.act.by }, group) === undefined ? line.act.words : "Review"}
        <VisuallyHidden>: {line.label}</VisuallyHidden>
        <ChevronRightIcon size={14} />
      </AppLink>
    </li>
  );
}

const CHECKING = "checking…";
