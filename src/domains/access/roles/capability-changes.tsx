import type { ReactNode } from "react";

import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { VisuallyHidden } from "~/ui/layout/visually-hidden";

import { capabilityOf, inOrder } from "./areas";
import { differenceOf } from "./choice";
import choice from "./choice.module.css";
import classes from "./styles.module.css";

interface CapabilityChangesProps {
  /** The role's capabilities when the form was opened; undefined for a new role. */
  readonly before: readonly string[] | undefined;
  readonly after: readonly string[];
}

/** Summarizes the chosen capabilities and, for an existing role, the changes. */
export function CapabilityChanges({ before, after }: CapabilityChangesProps): ReactNode {
  const { added, removed } = differenceOf(before ?? after, after);
  const total = formatQuantity(after.length, "capability", "capabilities");
  const changes = [
    ...(added.length > 0 ? [`${formatCount(added.length)} added`] : []),
    ...(removed.length > 0 ? [`${formatCount(removed.length)} removed`] : []),
  ].join(", ");
  return (
    <section aria-label="Chosen capabilities" className={choice["changes"]}>
      <p className={choice["total"]}>
        {total} chosen{before === undefined ? "" : `: ${changes || "no changes"}`}
      </p>
      {before === undefined && after.length > 0 ? (
        <ul className={classes["plain"]}>
          {inOrder(after).map((wire) => (
            <li key={wire}>
              {capabilityOf(wire).meaning} <code>{capabilityOf(wire).name}</code>
            </li>
          ))}
        </ul>
      ) : null}
      {changes ? (
        <ul className={choice["changed"]}>
          {inOrder([...added, ...removed]).map((wire) => {
            const { name, meaning } = capabilityOf(wire);
            const isNew = added.includes(wire);
            return (
              <li key={wire} data-change={isNew ? "added" : "removed"}>
                <span aria-hidden="true">{isNew ? "+" : "\u2212"}</span>
                <span>
                  <VisuallyHidden>{isNew ? "Added: " : "Removed: "}</VisuallyHidden>
                  {meaning} <code>{name}</code>
                </span>
              </li>
            );
          })}
        </ul>
      ) : null}
    </section>
  );
}
