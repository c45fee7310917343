import { Button } from "@mantine/core";
import { useState, type ReactNode } from "react";

import { fieldWords } from "~/frame/record/field-words";
import "~/ui/controls/button-styles";
import { FactTable } from "~/ui/display/fact-table";
import { formatQuantity } from "~/ui/display/numbers";
import { State } from "~/ui/display/state";

import type { ImportRow } from "./kinds";
import classes from "./styles.module.css";

/** Rows until the reader wants all. */
const SHOWN = 50;

interface PreviewProps {
  readonly rows: readonly ImportRow[];
  readonly isThere: (row: ImportRow) => boolean;
  /** True after the dry run. */
  readonly checked: boolean;
}

/** What each row would create, or every reason why it can't; rows with problems first. */
export function Preview({ rows, isThere, checked }: PreviewProps): ReactNode {
  const [all, setAll] = useState(false);
  const sorted = rows.toSorted(
    (one, other) => Number(one.violations.length === 0) - Number(other.violations.length === 0),
  );
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
            {row.name}
          </bdi>,
          row.violations.length > 0 ? (
            <ul key="problems" className={classes["problems"]}>
              {row.violations.map(({ field, description }) => (
                <li key={`${field} ${description}`}>
                  {fieldWords(field)}: {description}
                </li>
              ))}
            </ul>
          ) : isThere(row) ? (
            <State key="there" tone="neutral">
              Already there
            </State>
          ) : (
            <State key="ready" tone={checked ? "success" : "none"}>
              {checked ? "Would be created" : "No problems"}
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
