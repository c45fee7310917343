import type { ReactNode } from "react";

import { Dash } from "~/ui/display/dash";
import { AppLink } from "~/ui/layout/link";
import { formatCount } from "~/ui/display/numbers";
import { capitalize } from "~/resource/define";

import { CONTENT_WORDS, type ContentKind } from "./contents";
import classes from "./styles.module.css";
import { useListOf } from "./links";
import { useContents } from "./use-contents";

const SHOWN: readonly ContentKind[] = ["folders", "identities", "roles", "bindings", "repos"];

/** How many records of each kind lie directly in a group, with the way to where they are listed. */
export function GroupHoldings({ uid }: { readonly uid: string }): ReactNode {
  const { contents, pending } = useContents(uid);
  const listOf = useListOf(uid);
  return (
    <dl className={classes["holdings"]}>
      {SHOWN.map((kind) => {
        const link = listOf(kind);
        const label = capitalize(CONTENT_WORDS[kind][1]);
        const count = contents[kind];
        return (
          <div key={kind} className={classes["holding"]}>
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
