import { Button } from "@mantine/core";
import { useState, type ReactNode } from "react";

import { fieldWords } from "~/frame/record/field-words";
import "~/ui/controls/button-styles";
import { FactTable } from "~/ui/display/fact-table";
import { formatQuantity } from "~/ui/display/numbers";
import { State } from "~/ui/display/state";
import { visible } from "~/ui/display/visible";

import type { CheckedRows } from "./check-rows";
import type { ImportRow } from "./kinds";
import classes from "./styles.module.css";

/** Rows until the reader wants all. */
const SHOWN = 50;

interface PreviewProps {
  readonly rows: readonly ImportRow[];
  readonly isThere: (row: ImportRow) => boolean;
  /** What the dry run has found out so far; others have not been asked about. */
  readonly checked: CheckedRows;
}

/** What each row would create, or every reason why it can't; rows with problems first. */
export function Preview({ rows, isThere, checked }: PreviewProps): ReactNode {
  const [all, setAll] = useState(false);
  const problemsOf = ({ number, violations }: ImportRow) =>
    violations.length > 0 ? violations : (checked.get(number) ?? []);
  const isFine = (row: ImportRow): number => (problemsOf(row).length === 0 ? 1 : 0);
  const sorted = rows.toSorted((one, other) => isFine(one) - isFine(other));
  const shown = all ? sorted : sorted.slice(0, SHOWN);
  const hidden = rows.length - shown.length;
  return (
    <>
      <FactTable
        caption="Rows of the import"
        stacks
        head={["Row", "Name", "Outcome"]}
        rows={shown.map((row) => [
          row.number,
          <bdi key="name" className={classes["name"]}>
            {visible(row.name)}
          </bdi>,
          problemsOf(row).length > 0 ? (
            <ul key="problems" className={classes["problems"]}>
              {problemsOf(row).map(({ field, description }) => (
                <li key={`${field} ${description}`}>
                  {field === "" ? null : `${fieldWords(field)}: `}
                  {description}
                </li>
              ))}
            </ul>
          ) : isThere(row) ? (
            <State key="there" tone="neutral">
              Already there
            </State>
          ) : (
            <State key="ready" tone={checked.has(row.number) ? "success" : "none"}>
              {checked.has(row.number) ? "Would be created" : "No problems"}
            </State>
          ),
        ])}
      />
      {hidden > 0 ? (
        <div>
          <Button variant="default" onClick={() => setAll(true)}>
            Show {formatQuantity(hidden, "more row")}
          </Button>
        </div>
      ) : null}
    </>
  );
}
