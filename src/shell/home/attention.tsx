import { Button } from "@mantine/core";
import { CircleCheckIcon, LockIcon, RefreshCwIcon, SquareIcon, TriangleAlertIcon } from "lucide-react";
import { useRouteContext } from "@tanstack/react-router";
import { Fragment, type ReactNode } from "react";

import "~/ui/controls/button-styles";
import { IconButton } from "~/ui/controls/icon-button";
import { formatCount } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { Time } from "~/ui/display/time";
import { errorFacts } from "~/ui/feedback/error-facts";
import { AppLink } from "~/ui/layout/link";
import { VisuallyHidden } from "~/ui/layout/visually-hidden";

import {
  countOf,
  LINES,
  readText,
  resultText,
  type Line,
  type CheckOutcome,
  type Part,
} from "./attention-lines";
import { listOf } from "./holdings";
import { useRemembered } from "./remembered";
import { hiddenText, type HiddenKinds } from "./use-hidden-kinds";
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

/** What can need attention in a scope: as far as a few requests lead on arrival, the rest on request; then remembered. `group`: undefined for everything visible. */
export function Attention({ group, hidden: kinds }: AttentionProps): ReactNode {
  const outcomes = useRemembered(group);
  const config = useRouteContext({ strict: false, select: (context) => context.config });
  const lines: readonly Line[] = LINES.filter((line) => !("needs" in line) || config?.[line.needs] === true);
  const hidden = lines.filter((line) => missingFor(line, kinds) !== undefined);
  const shown = lines.filter((line) => !hidden.includes(line));
  const known = kinds.asking.size === 0 ? shown : undefined;
  const { doing, check, stop, stopAll } = useChecks(group, known, outcomes);
  const isReading = shown.some(({ name }) => doing[name]?.state === "reading");
  return (
    <Section
      title="Needs attention"
      actions={
        shown.length === 0 ? null : isReading ? (
          <Button variant="default" onClick={stopAll}>
            Stop
          </Button>
        ) : (
          <Button variant="default" onClick={() => void Promise.all(shown.map((line) => check(line)))}>
            Check now
          </Button>
        )
      }
    >
      {shown.length > 0 ? (
        <ul className={styles["lines"]}>
          {shown.map((line) => (
            <AttentionLine
              key={line.name}
              line={line}
              group={group}
              outcome={outcomes[line.name]}
              doing={doing[line.name]}
              tried={line.name in doing}
              onCheck={(how) => void check(line, how)}
              onStop={() => stop(line.name)}
            />
          ))}
        </ul>
      ) : null}
      {hidden.length > 0 ? (
        <ul className={styles["lines"]} aria-label="Checks hidden by your role">
          {hidden.map((line) => (
            <li key={line.name} className={styles["hidden"]}>
              <LockIcon size={14} />
              <span>{line.label}</span>
              <span className={styles["doing"]}>{hiddenText(missingFor(line, kinds) ?? "")}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </Section>
  );
}

interface AttentionLineProps {
  readonly line: Line;
  readonly group: string | undefined;
  readonly outcome: CheckOutcome | undefined;
  readonly doing: Doing | undefined;
  /** False until its first check has started. */
  readonly tried: boolean;
  readonly onCheck: (how: "press" | "more") => void;
  readonly onStop: () => void;
}

function AttentionLine({
  line,
  group,
  outcome,
  doing,
  tried,
  onCheck,
  onStop,
}: AttentionLineProps): ReactNode {
  const what = line.label.toLowerCase();
  return (
    <li className={styles["line"]}>
      <span className={styles["label"]}>{line.label}</span>
      {doing?.state === "failed" ? (
        <span className={styles["problem"]} role="alert">
          {errorFacts(doing.error).message}
        </span>
      ) : doing ? (
        <span className={styles["doing"]}>{readingText(doing)}</span>
      ) : outcome ? (
        <Result line={line} group={group} outcome={outcome} onMore={() => onCheck("more")} />
      ) : (
        <span className={styles["doing"]}>{tried ? "Not checked" : CHECKING}</span>
      )}
      {doing?.state === "reading" ? (
        <IconButton label={`Stop checking ${what}`} tip="Stop" className={styles["again"]} onClick={onStop}>
          <SquareIcon size={16} />
        </IconButton>
      ) : (
        <IconButton
          label={`Check ${what}`}
          tip={doing ? "Try again" : outcome ? "Check again" : "Check"}
          className={styles["again"]}
          onClick={() => onCheck("press")}
        >
          <RefreshCwIcon size={14} />
        </IconButton>
      )}
    </li>
  );
}

const CHECKING = "Checking…";

function readingText({ reading }: Doing & { readonly state: "reading" }): string {
  if (!reading || reading.read === 0) return CHECKING;
  const count = countOf(reading);
  return count === 0
    ? `${CHECKING} ${readText(reading)}`
    : `${formatCount(count)} so far, ${readText(reading)}`;
}

/** Maximum number of parts to name individually. */
const NAMED = 3;

interface ResultProps {
  readonly line: Line;
  readonly group: string | undefined;
  readonly outcome: CheckOutcome;
  readonly onMore: () => void;
}

/** Shows the count with a link to the list of exactly these, whether it is complete, and its age. */
function Result({ line, group, outcome, onMore }: ResultProps): ReactNode {
  const { parts, complete, at } = outcome;
  const count = countOf(outcome);
  const targetOf = (part: Part | undefined) => listOf(line.kinds[0].collection, group, part?.search);
  const labelled = parts.filter(({ label }) => label !== undefined);
  const [only] = parts;
  const whole = parts.length === 1 ? only : undefined;
  return (
    <>
      {count > 0 ? (
        <span className={styles["result"]} data-tone="warning">
          <TriangleAlertIcon size={16} />
          <AppLink target={targetOf(whole)}>
            <VisuallyHidden>{line.label}: </VisuallyHidden>
            {resultText(outcome)}
          </AppLink>
        </span>
      ) : complete ? (
        <span className={styles["result"]} data-tone="success">
          <CircleCheckIcon size={16} /> {resultText(outcome)}
        </span>
      ) : (
        <span className={styles["result"]}>{resultText(outcome)}</span>
      )}
      <span className={styles["age"]}>
        checked <Time value={new Date(at).toISOString()} />
      </span>
      {complete ? null : (
        <span className={styles["parts"]}>
          {count > 0 ? `${readText(outcome)}. ` : null}
          <Button variant="subtle" size="compact-sm" onClick={onMore}>
            Continue
            <VisuallyHidden> checking {line.label.toLowerCase()}</VisuallyHidden>
          </Button>
        </span>
      )}
      {count > 0 && labelled.length > 0 ? (
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
    </>
  );
}
