import { Button } from "@mantine/core";
import { ChevronRightIcon, CircleCheckIcon, CircleDashedIcon, TriangleAlertIcon } from "lucide-react";
import { useRouteContext } from "@tanstack/react-router";
import { Fragment, type ReactNode } from "react";

import "~/ui/controls/button-styles";
import { capitalize } from "~/ui/display/capitalize";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { useCurrentUser } from "~/frame/permissions/current-user";
import { isSeenBelow, isUntold } from "~/frame/permissions/rules";
import { useRefusal } from "~/frame/permissions/use-can";
import { useTopGroups } from "~/frame/scope/top-groups";
import { parentOf, rootOf } from "platform-contract/aip";
import { neededText } from "~/frame/permissions/permission-text";
import { Section } from "~/ui/display/section";
import { Time } from "~/ui/display/time";
import { errorFacts } from "~/ui/feedback/error-facts";
import { AppLink } from "~/ui/layout/link";
import { VisuallyHidden } from "~/ui/layout/visually-hidden";

import {
  countOf,
  LINES,
  noneText,
  resultText,
  type Line,
  type CheckOutcome,
  type Part,
} from "./attention-lines";
import { HELD, listOf } from "./holdings";
import { useRemembered } from "./remembered";
import type { HiddenKinds } from "./use-hidden-kinds";
import styles from "./styles.module.css";
import { isOutdated, useChecks, type Doing, type Marks } from "./use-checks";
import { useNewest } from "./use-newest";

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

/** The state of each list, from the requests of the counts on the same page. */
function useMarks(group: string | undefined, { missing }: HiddenKinds) {
  const newest = useNewest(
    HELD.filter(({ kind }) => !missing.has(kind.collection)),
    group,
  );
  const marks: Marks = Object.fromEntries(
    newest.flatMap(({ held: { kind }, items, total }) =>
      items === undefined
        ? []
        : [[kind.collection, [total, items[0]?.uid, items[0]?.updateTime].join(" ")] as const],
    ),
  );
  return { marks, isAsking: newest.some(({ items, error }) => items === undefined && !error) };
}

/** The checks of a scope: as far as a few requests lead on arrival, the rest on request; then remembered. */
export function useAttention({ group, hidden: kinds }: AttentionProps) {
  const outcomes = useRemembered(group);
  const config = useRouteContext({ strict: false, select: (context) => context.config });
  const lines = LINES.filter(({ needs }) => needs === undefined || config?.[needs] === true);
  const hidden = lines.filter((line) => missingFor(line, kinds) !== undefined);
  const shown = lines.filter((line) => !hidden.includes(line));
  const known = kinds.asking.size === 0 ? shown : undefined;
  const { marks, isAsking } = useMarks(group, kinds);
  const { doing, check, stopAll } = useChecks(group, known, outcomes, marks);
  const isReading = shown.some(({ name }) => doing[name]?.state === "reading");
  // Nothing below is shown before, so that it doesn't move under the pointer.
  const isFirst = shown.some(
    ({ name }) => !outcomes[name] && (!(name in doing) || doing[name]?.state === "reading"),
  );
  // What was found earlier is shown once it is known whether that still holds.
  return {
    group,
    kinds,
    outcomes,
    marks,
    shown,
    hidden,
    doing,
    check,
    stopAll,
    isReading,
    isFirst: isFirst || isAsking,
  };
}

/** What needs attention in a scope. */
export function Attention(attention: ReturnType<typeof useAttention>): ReactNode {
  const { group, kinds, outcomes, marks, shown, hidden, doing, check, stopAll } = attention;
  const { isReading, isFirst } = attention;
  const isQuiet = (line: Line): boolean => {
    const outcome = outcomes[line.name];
    return (
      doing[line.name]?.state !== "failed" &&
      outcome?.complete === true &&
      countOf(outcome) === 0 &&
      !isOutdated(line, outcome, marks)
    );
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
  const isPart = useIsPart(group);
  // What is recorded further up counts here as well: where it is hidden, none of its own is no answer.
  const unknown = quiet.filter(isPart);
  const none = quiet.filter((line) => !unknown.includes(line));
  const noneOf = (lines: readonly Line[]) =>
    noneText(lines.map((line) => [line, outcomes[line.name]?.read ?? 0]));
  const loud = shown.filter((line) => !isQuiet(line));
  const times = shown.flatMap(({ name }) => outcomes[name]?.at ?? []);
  const oldest = Math.min(...times);
  const newest = Math.max(...times);
  return (
    <Section
      title="Needs attention"
      actions={
        shown.length === 0 || isFirst ? null : (
          <>
            {times.length > 0 && !isReading ? (
              <span className={styles["age"]}>
                {newest - oldest > SAME_CHECK_MS ? "Oldest check" : "Checked"}{" "}
                <Time value={new Date(oldest).toISOString()} />
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
                  part={isPart(line)}
                  group={group}
                  outcome={outcomes[line.name]}
                  outdated={isOutdated(line, outcomes[line.name], marks)}
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
                {where === undefined ? capitalize(noneOf(none)) : `${where}: ${noneOf(none)}`}.
              </span>
            </p>
          ) : null}
          {unknown.length > 0 ? (
            <p className={styles["none"]} data-unknown>
              <CircleDashedIcon size={16} />
              <span>
                Unknown: {list(unknown.map(({ label }) => label))}. What is set further up counts here too,
                and your role hides it.
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

/** Checks of one run end within this time of each other, in ms. */
const SAME_CHECK_MS = 60_000;

/** "a, b and c" */
const list = (labels: readonly string[]): string => new Intl.ListFormat("en").format(labels);

/** For which checks what counts here may lie further up, hidden from the user. */
function useIsPart(group: string | undefined): (line: Line) => boolean {
  const who = useCurrentUser();
  const tops = group === undefined ? who.bindings.map(({ uid }) => rootOf(parentOf(uid))) : [rootOf(group)];
  const isBelow = group === undefined || parentOf(group) !== "";
  return ({ inherited, kinds: [{ access }] }) =>
    inherited === true &&
    isBelow &&
    (isUntold(who, group) || tops.some((top) => isSeenBelow(who, { access: access.list }, top)));
}

interface AttentionLineProps {
  readonly line: Line;
  /** True if more may be hidden further up. */
  readonly part: boolean;
  readonly group: string | undefined;
  readonly outcome: CheckOutcome | undefined;
  /** True if the records have changed since. */
  readonly outdated: boolean;
  readonly doing: Doing | undefined;
  readonly onCheck: (how: "press" | "more") => void;
}

/** Maximum number of parts to name individually. */
const NAMED = 3;

/** A sentence about what was found, with what to do about it as a link to the list of exactly these. */
function AttentionLine(props: AttentionLineProps): ReactNode {
  const { line, part, group, outcome, outdated, doing, onCheck } = props;
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
          {reading && !doing && !outdated
            ? resultText(line, reading, part)
            : `${capitalize(line.label)}: ${doing ? CHECKING : outdated ? "not checked since the last change" : "not checked"}`}
        </span>
        {doing ? null : reading && !outdated ? button("Continue", "more") : button("Check", "press")}
      </li>
    );
  const { parts, complete } = reading;
  const targetOf = (part: Part | undefined) => listOf(line.kinds[0].collection, group, part?.search);
  const labelled = parts.filter(({ label }) => label !== undefined);
  // A list has one of these filters at a time.
  const target = targetOf(parts[0]);
  const isOne = new Set(parts.map(({ search }) => JSON.stringify(search))).size === 1;
  return (
    <li className={styles["line"]} data-tone="warning">
      <TriangleAlertIcon size={16} />
      <span className={styles["label"]}>
        {/* Two links to one list would be too close to each other to be pressed. */}
        {parts.length === 1 && labelled.length === 0 ? (
          <AppLink target={target}>{resultText(line, reading, part)}</AppLink>
        ) : (
          <span className={styles["several"]}>{resultText(line, reading, part)}</span>
        )}
        {labelled.length > 0 ? (
          <span className={styles["parts"]}>
            {labelled.slice(0, NAMED).map((each, index) => (
              <Fragment key={each.label}>
                {index > 0 ? ", " : ""}
                <AppLink target={targetOf(each)}>
                  {each.count > 1 || line.name === "advisories" ? `${formatCount(each.count)} ` : ""}
                  <bdi>{each.label}</bdi>
                </AppLink>
              </Fragment>
            ))}
            {labelled.length > NAMED ? ` and ${formatCount(labelled.length - NAMED)} more` : ""}
          </span>
        ) : null}
      </span>
      {doing ? (
        <span className={styles["age"]}>{CHECKING}</span>
      ) : outdated ? (
        <>
          <span className={styles["age"]}>before the last change</span>
          {button("Check again", "press")}
        </>
      ) : complete ? null : (
        button("Count all", "more")
      )}
      {isOne ? (
        <AppLink target={target} className={styles["act"]}>
          {line.act && refusal({ access: line.act.by }, group) === undefined ? line.act.words : "Review"}
          <VisuallyHidden>: {line.label}</VisuallyHidden>
          <ChevronRightIcon size={14} />
        </AppLink>
      ) : null}
    </li>
  );
}

const CHECKING = "checking…";
