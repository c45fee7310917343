import type { ReactNode } from "react";

import type { Identity } from "platform-contract/iam/identities";
import { Time } from "~/ui/display/time";
import type { Column } from "~/ui/table/types";
import { timeColumn } from "~/frame/list/columns";

import { lastSeen, unseen } from "./last-seen";
import classes from "./styles.module.css";

/** Shows "never" instead of a dash, which would read as missing data. */
export function LastSeen({ identity }: { readonly identity: Identity }): ReactNode {
  const seen = lastSeen(identity);
  return seen === undefined ? <span className={classes["quiet"]}>{unseen()}</span> : <Time value={seen} />;
}

export const seenColumn: Column<Identity> = timeColumn("seen", "Last seen", "last_seen_time", lastSeen, {
  hideBelow: 640,
  cell: (identity) => <LastSeen identity={identity} />,
  text: (identity) => lastSeen(identity) ?? unseen(),
});
