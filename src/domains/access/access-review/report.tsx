import { Button } from "@mantine/core";
import { PrinterIcon } from "lucide-react";
import { useState, type ReactNode } from "react";

import {
  getAccessReviewReport,
  type AccessReview,
  type AccessReviewItem,
} from "platform-contract/iam/access-reviews";
import { rootOf } from "platform-contract/aip";
import { call } from "~/api/client/client";
import { ProofButton } from "~/domains/audit/proof/use-proof";
import { fileName } from "~/frame/export/export-file";
import "~/ui/controls/button-styles";
import { DefinitionList } from "~/ui/display/definition-list";
import { FactTable } from "~/ui/display/fact-table";
import { saveAs } from "~/ui/display/save-as";
import { Section } from "~/ui/display/section";
import { Time } from "~/ui/display/time";
import { errorFacts } from "~/ui/feedback/error-facts";
import { Notice } from "~/ui/feedback/notice";

import classes from "./styles.module.css";
import { decisionWords, flagsOf, resultWords, reviewCsv } from "./words";

interface ReportProps {
  readonly review: AccessReview;
  readonly items: readonly AccessReviewItem[];
}

/** What the name of a file of a review is made of. */
export const nameFor = ({ groupName = "", closeTime }: AccessReview) => ({
  list: "access review",
  scope: groupName,
  partial: false,
  now: new Date(closeTime ?? Date.now()),
});

/** Saves the role bindings of a review as a table. */
export const saveCsv = ({ review, items }: ReportProps): void =>
  saveAs(fileName(nameFor(review), "csv"), reviewCsv(items), "text/csv;charset=utf-8");

/** The signed report of a closed review, with its signature beside it. */
export function Report({ review, items }: ReportProps): ReactNode {
  const { uid, closeTime, closedByName = "", digest = "" } = review;
  const [error, setError] = useState<unknown>();
  const download = async () => {
    setError(undefined);
    try {
      const { report = "", signature = "" } = await call(getAccessReviewReport, { path: { uid } });
      const file = fileName(nameFor(review), "json");
      saveAs(file, report, "application/json");
      saveAs(`${file}.jws`, signature, "application/jose");
    } catch (reason) {
      setError(reason);
    }
  };
  return (
    <Section
      title="Report"
      description="The service made and signed it. docs/signatures.md says how to check the file and its signature without the console."
      actions={
        <span className={`${classes["acts"]} ${classes["noPrint"]}`}>
          <Button variant="filled" onClick={() => void download()}>
            Download report and signature
          </Button>
          <Button variant="default" onClick={() => saveCsv({ review, items })}>
            Download CSV
          </Button>
          <ProofButton
            subject={{
              ask: { kind: "review", review: uid },
              name: `${review.groupName ?? ""} ${review.title ?? ""}`,
              organization: rootOf(uid),
            }}
          />
          <Button variant="default" leftSection={<PrinterIcon size={16} />} onClick={() => window.print()}>
            Print
          </Button>
        </span>
      }
    >
      {error === undefined ? null : (
        <Notice tone="danger" role="alert" title="The report wasn't downloaded">
          {errorFacts(error).message}
        </Notice>
      )}
      <DefinitionList
        items={[
          {
            term: "Closed",
            value: (
              <>
                <Time value={closeTime} /> by <bdi>{closedByName}</bdi>
              </>
            ),
          },
          {
            term: "SHA-256 of the report",
            value: <code className={classes["hash"]}>{digest.replace(/^sha256:/, "")}</code>,
            wide: true,
          },
        ]}
      />
      <ReviewTable items={items} />
    </Section>
  );
}

/** Every role binding of a review, with what was decided and what became of it. */
export const ReviewTable = ({ items }: { readonly items: readonly AccessReviewItem[] }): ReactNode => (
  <div className={classes["scroller"]}>
    <FactTable
      className={classes["report"]}
      head={["Identity", "Role", "Folder", "Look at", "Decision", "Result"]}
      rows={items.map((item) => [
        <bdi key="who">{item.identityName}</bdi>,
        <bdi key="role">{item.roleName}</bdi>,
        <bdi key="folder">{item.groupName}</bdi>,
        flagsOf(item).join(", "),
        item.inherited ? (
          "Not here: it was granted further up"
        ) : (
          <span key="decision">
            {decisionWords(item)}
            {item.decidedByName ? `, ${item.decidedByName}` : ""}
            {item.note ? (
              <>
                : <bdi>{item.note}</bdi>
              </>
            ) : null}
          </span>
        ),
        resultWords(item),
      ])}
    />
  </div>
);
