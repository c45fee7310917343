import type { ReactNode } from "react";

import { kindsIn, wordsInside } from "~/contract/kinds";
import { Dash } from "~/ui/display/dash";
import { AppLink } from "~/ui/layout/link";
import { formatCount } from "~/ui/display/numbers";
import { capitalize } from "~/resource/define";
import { useListLink } from "~/resource/list-link";
import { useChildCounts } from "~/resource/use-child-counts";

import classes from "./styles.module.css";

/** How many records of each kind are directly in a group, with links to their lists. */
export function GroupHoldings({ uid }: { readonly uid: string }): ReactNode {
  const { counts, pending } = useChildCounts("groups", uid);
  const linkTo = useListLink();
  return (
    <dl className={classes["holdings"]}>
      {kindsIn("groups").map((kind) => {
        const link = linkTo(kind.collection, uid, "here");
        const label = capitalize(wordsInside(kind)[1]);
        const count = counts[kind.collection];
        return (
          <div key={kind.collection} className={classes["holding"]}>
            <dt className={classes["term"]}>{link ? <AppLink target={link}>{label}</AppLink> : label}</dt>
            <dd className={classes["count"]}>
              {count === undefined ? <Dash label={pending ? "counting" : "not known"} /> : formatCount(count)}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
