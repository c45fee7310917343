import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { useCurrentUser } from "~/access/current-user";
import { useCan } from "~/access/use-can";
import { totalOf } from "~/api/client/read-response";
import { wordsInside } from "~/contract/kinds";
import { Dash } from "~/ui/display/dash";
import { formatCount } from "~/ui/display/numbers";
import { AppLink } from "~/ui/layout/link";
import { capitalize } from "~/resource/define";

import { HELD, listOf, newestQuery, type HeldKind } from "./holdings";
import styles from "./styles.module.css";

interface CountsProps {
  /** uid; undefined: all that the person sees. */
  readonly group: string | undefined;
}

/** Counts of a scope with its subfolders; links where a screen exists. */
export function Counts({ group }: CountsProps): ReactNode {
  return (
    <dl className={styles["counts"]} aria-label="Including subfolders">
      {HELD.map((held) => (
        <Count key={held.kind.collection} held={held} group={group} />
      ))}
    </dl>
  );
}

function Count({ held, group }: CountsProps & { readonly held: HeldKind }): ReactNode {
  const { kind, list } = held;
  const { allowed } = useCan(list, group);
  const { state } = useCurrentUser();
  const { data, isError } = useQuery({ ...newestQuery(held, group), enabled: allowed });
  const total = data && totalOf(data);
  // Nought is also what the service answers to somebody who may not look.
  const hidden = !allowed || (Number(total) === 0 && state !== "known");
  const missing = hidden
    ? "hidden by your role"
    : isError
      ? "not available"
      : data
        ? "not counted"
        : "loading";
  const words = group === undefined ? kind.plural : wordsInside(kind)[1];
  const label = capitalize(words);
  return (
    <div className={styles["count"]}>
      <dt>{kind.screens ? <AppLink target={listOf(kind.collection, group)}>{label}</AppLink> : label}</dt>
      <dd>{!hidden && total !== undefined ? formatCount(total) : <Dash label={missing} />}</dd>
    </div>
  );
}
