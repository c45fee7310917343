import type { ReactNode } from "react";

import type { AuditEntry } from "platform-contract/audit/entries";
import { Lines, linesOf, linesWithout } from "~/ui/form/lines";
import { Dash } from "~/ui/display/dash";
import { formatCount } from "~/ui/display/numbers";

import classes from "./audit.module.css";
import { fieldWords } from "~/frame/record/field-words";
import { valueOf, type FieldChange } from "./words";

interface ChangesProps {
  /** Names for uids among the values. */
  readonly entry: Pick<AuditEntry, "names">;
  readonly changes: readonly FieldChange[];
  /** What happened to the record: one that is new has nothing before, a deleted one nothing after. Undefined: nothing did. */
  readonly change: string | undefined;
  /** The name of the table. */
  readonly label: string;
}

const SIDES = ["before", "after"] as const;
type Side = (typeof SIDES)[number];

/** What was changed, field by field. */
export function Changes({ entry, changes, change, label }: ChangesProps): ReactNode {
  const sides =
    change === undefined
      ? (["after"] as const)
      : SIDES.filter((side) => change !== { before: "created", after: "deleted" }[side]);
  return (
    <div className={classes["room"]}>
      <table className={classes["diff"]} aria-label={label}>
        <thead>
          <tr>
            <th scope="col" className={classes["field"]}>
              Field
            </th>
            {sides.map((side) => (
              <th key={side} scope="col">
                {change === undefined ? "Value" : WORDS[side]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {changes.map((each) => (
            <Row key={each.field} entry={entry} change={each} sides={sides} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const WORDS: Readonly<Record<Side, string>> = { before: "Before", after: "After" };

interface RowProps extends Pick<ChangesProps, "entry"> {
  readonly change: FieldChange;
  readonly sides: readonly Side[];
}

function Row({ entry, change, sides }: RowProps): ReactNode {
  const { field, hidden, cut } = change;
  const name = <th scope="row">{fieldWords(field)}</th>;
  if (hidden)
    return (
      <tr>
        {name}
        <td colSpan={sides.length} className={classes["quiet"]}>
          Changed. Secrets are not kept in the log.
        </td>
      </tr>
    );
  const lines = {
    before: linesOf(valueOf(entry, field, change.before), undefined),
    after: linesOf(valueOf(entry, field, change.after), undefined),
  };
  const same = lines.before.filter((line) => lines.after.includes(line)).length;
  return (
    <tr>
      {name}
      {sides.map((side, index) => {
        const own = linesWithout(lines[side], lines[side === "before" ? "after" : "before"]);
        const last = index === sides.length - 1;
        return (
          <td key={side} data-when={sides.length > 1 ? WORDS[side] : undefined}>
            <div>
              {own.length === 0 && same > 0 ? (
                <Dash label="nothing" />
              ) : (
                <Lines of={own} secret={false} whole />
              )}
              {last && same > 0 ? <p className={classes["quiet"]}>{formatCount(same)} unchanged</p> : null}
              {last && cut ? <p className={classes["quiet"]}>Only the beginning is kept.</p> : null}
            </div>
          </td>
        );
      })}
    </tr>
  );
}
