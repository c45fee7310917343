import { Button } from "@mantine/core";
import { useMemo, useState, type ReactNode } from "react";

import { actionWords, outcomeWords, recordWords } from "~/domains/audit/log/words";
import { isDone } from "~/domains/audit/log/who";
import { entryLink } from "~/domains/audit/log/queries";
import { useUnseen } from "~/frame/scope/use-sight";
import { listAuditEntries } from "platform-contract/audit/entries";
import "~/ui/controls/button-styles";
import { Badge } from "~/ui/display/badge";
import { capitalize } from "~/ui/display/capitalize";
import { FactTable } from "~/ui/display/fact-table";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { Time } from "~/ui/display/time";
import { visible } from "~/ui/display/visible";
import { Notice } from "~/ui/feedback/notice";
import { AppLink } from "~/ui/layout/link";

import type { LeakAnswer } from "./read";
import classes from "./styles.module.css";
import { loosened, type Covered } from "./survivors";

/** Entries that are shown at first. */
const SHOWN = 20;

interface DidProps {
  readonly answer: LeakAnswer;
  readonly again: ReactNode;
}

/** What it did, or may have done, newest first. */
export function Did({ answer, again }: DidProps): ReactNode {
  const { covered, more, pulls } = answer;
  const [all, setAll] = useState(false);
  const unseen = useUnseen(listAuditEntries, "entries", undefined);
  const rails = useMemo(() => loosened(covered), [covered]);
  const shown = all ? covered : covered.slice(0, SHOWN);
  return (
    <Section
      title="What it did"
      count={more ? undefined : covered.length}
      description={unseen}
      actions={again}
    >
      {rails.length > 0 ? (
        <Notice tone="warning" title="It changed or removed guard rails">
          {rails.map((entry) => (
            <div key={entry.uid}>
              <AppLink target={entryLink(entry.uid)}>{actionWords(entry)}</AppLink>:{" "}
              <bdi>{visible(recordWords(entry))}</bdi>
            </div>
          ))}
        </Notice>
      ) : null}
      {covered.length === 0 ? (
        <p className={classes["quiet"]}>No writes that you can see.</p>
      ) : (
        <FactTable
          caption="What it did"
          stacks
          head={["What", "With this token", "Time"]}
          rows={shown.map((one) => rowOf(one))}
        />
      )}
      {covered.length > shown.length ? (
        <div>
          <Button variant="default" onClick={() => setAll(true)}>
            Show all {formatCount(covered.length)}
          </Button>
        </div>
      ) : null}
      <p className={classes["quiet"]}>
        The log has writes and refused writes. What was only read is not in it.{" "}
        {pulls === undefined ? "Pulls aren't counted by this service: they are unknown." : null}
        {pulls?.map(({ identity, downloads, repos, countedSince }) => (
          <span key={identity}>
            {countedSince === undefined ? (
              "Pulls aren't counted: they are unknown."
            ) : downloads === 0 ? (
              "No pulls that you can see since that day, with any of its tokens."
            ) : (
              <>
                {formatQuantity(downloads, "pull", "pulls")} from {formatQuantity(repos, "repo", "repos")}{" "}
                since that day, with any of its tokens.
              </>
            )}{" "}
          </span>
        ))}
      </p>
    </Section>
  );
}

function rowOf({ entry, sure, via }: Covered): ReactNode[] {
  // Whoever had the token chose the names.
  const what = visible(recordWords(entry));
  return [
    <span key={entry.uid}>
      <AppLink target={entryLink(entry.uid)}>{actionWords(entry)}</AppLink>
      {what === "" ? null : (
        <>
          {" "}
          <bdi>{what}</bdi>
        </>
      )}
      {isDone(entry) ? null : ` (${outcomeWords(entry.outcome).word.toLowerCase()})`}
    </span>,
    via === undefined ? (
      sure ? (
        "Yes"
      ) : (
        <Badge key="sure" tone="warning">
          Perhaps
        </Badge>
      )
    ) : (
      <bdi key="via">{capitalize(via)}</bdi>
    ),
    <span key="when">
      <Time value={entry.createTime} />
    </span>,
  ];
}
