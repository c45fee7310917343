import type { ReactNode } from "react";

import { formatQuantity } from "~/ui/display/numbers";

import { ChangeTable } from "./change-table";
import type { Comparison } from "./compare";
import { Missing } from "./parts";

interface ResultsProps {
  /** Undefined while nothing is compared. */
  readonly found: Comparison | undefined;
  readonly headings: readonly [before: string, after: string];
  readonly linked: boolean;
}

/** What a comparison found: how much, what was left out, and every change. */
export const Results = ({ found, headings, linked }: ResultsProps): ReactNode => (
  <>
    <p role="status">{found ? summaryOf(found) : null}</p>
    {found ? <Missing title="Not compared" kinds={found.left} /> : null}
    {found && found.changes.length > 0 ? (
      <ChangeTable changes={found.changes} headings={headings} linked={linked} />
    ) : null}
  </>
);

/** "2 added, 1 removed, 3 changed; 120 records are the same." */
function summaryOf({ changes, same, left }: Comparison): string {
  const count = (how: string) => changes.filter((each) => each.how === how).length;
  const unchanged = `${formatQuantity(same, "record is", "records are")} the same`;
  if (changes.length === 0)
    return left.length > 0 ? `No changes in what was compared; ${unchanged}.` : `No changes; ${unchanged}.`;
  return `${count("added")} added, ${count("removed")} removed, ${count("changed")} changed; ${unchanged}.`;
}
