import { useQueries } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { totalOf } from "platform-client/wire";
import { wordsInside } from "platform-contract/kinds";
import { by } from "platform-contract/order";
import { useTopGroups } from "~/frame/scope/top-groups";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { AppLink } from "~/ui/layout/link";

import { HELD, listOf, newestQuery, noteOf } from "./holdings";
import type { HiddenKinds } from "./use-hidden-kinds";
import styles from "./styles.module.css";

interface CountsProps {
  /** uid; undefined for everything that the user can see. */
  readonly group: string | undefined;
  readonly hidden: HiddenKinds;
}

/** What a scope contains, including its subfolders, as a grid of links. Kinds without a record are left out. */
export function Counts({ group, hidden: { missing, asking } }: CountsProps): ReactNode {
  // What needs more words, and so more room, comes last.
  const shown = HELD.filter(({ kind }) => !missing.has(kind.collection)).toSorted(
    by((held) => Number(noteOf(held, group) !== undefined)),
  );
  const answers = useQueries({ queries: shown.map((held) => newestQuery(held, group)) });
  const isLoading = asking.size > 0 || answers.some(({ data, isError }) => !data && !isError);
  // Below a group, and where only folders are seen, all groups are folders.
  const isMixed = useTopGroups().organizations.length > 0 && group === undefined;
  const hidden = HELD.length - shown.length;
  return (
    <ul className={styles["counts"]} aria-label="Including subfolders" aria-busy={isLoading}>
      {(isLoading ? [] : shown).map((held, index) => {
        const { kind } = held;
        const { collection, plural, noun } = kind;
        const note = noteOf(held, group);
        const { data } = answers[index] ?? {};
        const total = data && totalOf(data);
        if (total !== undefined && Number(total) === 0) return null;
        const [one, many] = isMixed ? [noun, plural] : wordsInside(kind);
        const words =
          total !== undefined ? (
            <>
              <span className={styles["count"]}>{formatCount(total)}</span> {Number(total) === 1 ? one : many}
            </>
          ) : data ? (
            many
          ) : (
            `${many} not available`
          );
        return (
          <li key={collection} data-long={note !== undefined || undefined}>
            {kind.screens ? <AppLink target={listOf(collection, group)}>{words}</AppLink> : words}
            {note === undefined ? null : ` ${note}`}
          </li>
        );
      })}
      {hidden > 0 && !isLoading ? (
        <li data-long>{formatQuantity(hidden, "kind", "kinds")} hidden by your role</li>
      ) : null}
    </ul>
  );
}
