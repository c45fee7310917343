import type { ReactNode } from "react";

import { kindsIn, wordsInside } from "~/contract/kinds";
import { Dash } from "~/ui/display/dash";
import { formatCount } from "~/ui/display/numbers";
import { Tile, Tiles } from "~/ui/display/tiles";
import { capitalize } from "~/resource/define";
import { useListLink } from "~/resource/list-link";
import { useChildCounts } from "~/resource/use-child-counts";

/** Counts the records of each kind directly in a group, with links to their lists. */
export function GroupHoldings({ uid }: { readonly uid: string }): ReactNode {
  const { counts, pending } = useChildCounts("groups", uid);
  const linkTo = useListLink();
  return (
    <Tiles>
      {kindsIn("groups").map((kind) => {
        const count = counts[kind.collection];
        return (
          <Tile
            key={kind.collection}
            label={capitalize(wordsInside(kind)[1])}
            target={linkTo(kind.collection, uid, "here")}
          >
            {count === undefined ? <Dash label={pending ? "counting" : "not known"} /> : formatCount(count)}
          </Tile>
        );
      })}
    </Tiles>
  );
}
