import { Button } from "@mantine/core";
import { PrinterIcon } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";

import { sha256 } from "~/frame/export/sha256";
import { fileName } from "~/frame/export/export-file";
import "~/ui/controls/button-styles";
import { DefinitionList } from "~/ui/display/definition-list";
import { FactTable } from "~/ui/display/fact-table";
import { saveAs } from "~/ui/display/save-as";
import { Section } from "~/ui/display/section";
import { formatQuantity } from "~/ui/display/numbers";
import { Notice } from "~/ui/feedback/notice";
import { DisabledReason } from "~/ui/overlay/disabled-reason";

import { flagsOf } from "./evidence";
import type { Review, SignOff } from "./format";
import { resultsOf } from "./progress";
import type { Live } from "./read";
import {
  ABOVE,
  countsOf,
  decisionWords,
  grantedWords,
  inheritedWords,
  NOT_REVIEWED,
  reportCsv,
  reportMarkdown,
  resultWords,
  seenWords,
  timeWords,
} from "./report";
import type { ReviewChange } from "./store";
import classes from "./styles.module.css";

interface SignOffProps {
  readonly review: Review;
  readonly set: (change: ReviewChange) => void;
  /** As it is now; undefined until it is read. */
  readonly live: Live | undefined;
  readonly me: string;
}

/** The review with what the API says became of each decision, and a hash over it. */
async function signed(review: Review, live: Live, by: string): Promise<Review> {
  const results = resultsOf(review.items, live.facts.bindings);
  const items = review.items.map((item) => ({
    ...item,
    // Nothing tells what became of a hidden one.
    result: live.hidden.has(item.uid) ? ("open" as const) : results.get(item.uid),
  }));
  const done = { ...review, items };
  const at = new Date().toISOString();
  return { ...done, signedOff: { by, at, sha256: await sha256(reportCsv(done, { by, at })) } };
}

export function SignOffStep({ review, set, live, me }: SignOffProps): ReactNode {
  const { signedOff } = review;
  if (signedOff) return <Report review={review} signedOff={signedOff} />;
  const results = live && [...resultsOf(review.items, live.facts.bindings).values()];
  const count = (result: string) => results?.filter((each) => each === result).length ?? 0;
  const [open, undecided] = [count("open"), count("undecided")];
  const sign = async () => {
    if (!live) return;
    const next = await signed(review, live, me);
    set((now) => (now === review ? next : now));
  };
  return (
    <Section
      title="Sign off"
      description="Records each decision and its outcome as of now. This can't be changed afterward."
    >
      {open > 0 ? (
        <Notice tone="warning" title={`${formatQuantity(open, "decision")} not applied`}>
          The report will list them as not applied. To apply them, go to Result first.
        </Notice>
      ) : null}
      {undecided > 0 ? (
        <Notice tone="warning">
          The report will list {formatQuantity(undecided, "undecided role binding")}.
        </Notice>
      ) : null}
      {review.part === undefined ? null : (
        <Notice tone="warning">
          This is <bdi>{review.part}</bdi>’s part. If someone else has the whole review, send them this file
          instead.
        </Notice>
      )}
      <div className={classes["acts"]}>
        <DisabledReason reason={live ? undefined : "Checking for changes"}>
          <Button variant="filled" onClick={() => void sign()}>
            Sign off as {me}
          </Button>
        </DisabledReason>
      </div>
    </Section>
  );
}

function Report({ review, signedOff }: { readonly review: Review; readonly signedOff: SignOff }): ReactNode {
  const csv = reportCsv(review, signedOff);
  const genuine = useGenuine(csv, signedOff);
  const about = {
    list: "access review",
    scope: review.scope.name,
    partial: false,
    now: new Date(signedOff.at),
  };
  const file = fileName(about, "csv");
  return (
    <Section
      title="Report"
      actions={
        <span className={`${classes["acts"]} ${classes["noPrint"]}`}>
          <Button variant="default" onClick={() => saveAs(file, csv, "text/csv;charset=utf-8")}>
            Download CSV
          </Button>
          <Button
            variant="default"
            onClick={() =>
              saveAs(
                fileName(about, "md"),
                reportMarkdown(review, signedOff, file),
                "text/markdown;charset=utf-8",
              )
            }
          >
            Download Markdown
          </Button>
          <Button variant="default" leftSection={<PrinterIcon size={16} />} onClick={() => window.print()}>
            Print
          </Button>
        </span>
      }
    >
      {genuine === false ? (
        <Notice tone="danger" title="This report was changed after it was signed off" role="alert">
          Its content doesn&apos;t match the signed hash.
        </Notice>
      ) : null}
      {inheritedWords(review) === undefined ? null : <p>{inheritedWords(review)}</p>}
      <DefinitionList
        items={[
          { term: "Signed off", value: `${timeWords(signedOff.at)}, by ${signedOff.by}` },
          { term: "Scope", value: <bdi>{review.scope.name}</bdi> },
          {
            term: "Results",
            value: countsOf(review)
              .map(([words, count]) => `${words}: ${count}`)
              .join(", "),
            wide: true,
          },
          {
            term: "SHA-256 of the CSV file",
            value: <code className={classes["hash"]}>{signedOff.sha256}</code>,
            wide: true,
          },
        ]}
      />
      <div className={classes["scroller"]}>
        <FactTable
          className={classes["report"]}
          head={["Identity", "Role", "Folder", "Evidence", "Decision", "Result"]}
          rows={[
            ...(review.inherited ?? []).map(({ identity, role, folder }) => [
              <bdi key="who">{identity.name}</bdi>,
              <bdi key="role">{role.name}</bdi>,
              <bdi key="folder">{folder}</bdi>,
              "",
              ABOVE,
              NOT_REVIEWED,
            ]),
            ...review.items.map((item) => [
              <bdi key="who">{item.identity.name}</bdi>,
              <bdi key="role">{item.role.name}</bdi>,
              <bdi key="folder">{item.folder}</bdi>,
              [
                `Granted ${grantedWords(item)}.`,
                `Last seen: ${seenWords(item)}.`,
                ...flagsOf(item).map((flag) => `${flag}.`),
              ].join(" "),
              <span key="decision">
                {decisionWords(item)}
                {item.by ? `, ${item.by}` : ""}
                {item.note ? (
                  <>
                    : <bdi>{item.note}</bdi>
                  </>
                ) : null}
              </span>,
              resultWords(item),
            ]),
          ]}
        />
      </div>
    </Section>
  );
}

/** Whether the content has the signed hash; undefined until it is computed. */
function useGenuine(csv: string, { sha256: expected }: SignOff): boolean | undefined {
  const [genuine, setGenuine] = useState<boolean>();
  useEffect(() => {
    let current = true;
    void sha256(csv).then((actual) => (current ? setGenuine(actual === expected) : undefined));
    return () => {
      current = false;
    };
  }, [csv, expected]);
  return genuine;
}
