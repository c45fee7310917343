import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { useCan } from "~/access/use-can";
import { useCurrentUser } from "~/access/current-user";
import { total } from "~/api/queries/queries";
import type { Kind } from "~/contract/kind";
import { kindsIn, wordsInside } from "~/contract/kinds";
import { countedList } from "~/contract/resource";
import { Dash } from "~/ui/display/dash";
import { AppLink } from "~/ui/layout/link";
import { formatCount } from "~/ui/display/numbers";
import { capitalize } from "~/resource/define";
import { useListLink } from "~/resource/list-link";

import styles from "./overview.module.css";

const COUNTED = kindsIn("groups").map((kind) => ({ kind, list: countedList(kind) }));

/** Counts of a group with its subfolders; links where a screen exists. */
export function GroupCounts({ uid }: { readonly uid: string }): ReactNode {
  return (
    <dl className={styles["counts"]} aria-label="Including subfolders">
      {COUNTED.map(({ kind, list }) => (
        <Count key={kind.collection} kind={kind} list={list} uid={uid} />
      ))}
    </dl>
  );
}

interface CountProps {
  readonly kind: Kind;
  readonly list: ReturnType<typeof countedList>;
  readonly uid: string;
}

function Count({ kind, list, uid }: CountProps): ReactNode {
  const { allowed } = useCan(list, uid);
  const { state } = useCurrentUser();
  const { data, isError } = useQuery({ ...total(list, { "uidp.descendants_of": uid }), enabled: allowed });
  const link = useListLink()(kind.collection, uid, "below");
  // Nought is also what the service answers to somebody who may not look.
  const hidden = !allowed || (data === 0 && state !== "known");
  const missing = hidden ? "hidden by your role" : isError ? "not available" : "loading";
  const label = capitalize(wordsInside(kind)[1]);
  return (
    <div className={styles["count"]}>
      <dt>{link ? <AppLink target={link}>{label}</AppLink> : label}</dt>
      <dd>{!hidden && data !== undefined ? formatCount(data) : <Dash label={missing} />}</dd>
    </div>
  );
}
