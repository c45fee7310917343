import type { ReactNode } from "react";

import { neededText } from "~/frame/permissions/permission-text";
import { kindsIn, wordsInside } from "platform-contract/kinds";
import { Tile, Tiles } from "~/ui/display/tiles";
import { capitalize } from "~/ui/display/capitalize";
import { useListLink } from "~/frame/list/list-link";
import { useChildCounts } from "./use-child-counts";

/** Counts the records of each kind directly in a group, with links to their lists. */
export function GroupHoldings({ uid }: { readonly uid: string }): ReactNode {
  const { counts, hidden, pending } = useChildCounts("groups", uid);
  const linkTo = useListLink();
  return (
    <Tiles>
      {kindsIn("groups").map((kind) => {
        const capability = hidden[kind.collection];
        return (
          <Tile
            key={kind.collection}
            label={capitalize(wordsInside(kind)[1])}
            target={linkTo(kind.collection, uid, "here")}
            count={counts[kind.collection]}
            missing={pending ? "counting" : "not known"}
            hidden={capability && `Hidden by your role: needs permission to ${neededText(capability)}`}
          />
        );
      })}
    </Tiles>
  );
}
