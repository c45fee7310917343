import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { infinite, rowsOf } from "~/api/queries/queries";
import { identities } from "platform-contract/iam/identities";
import { machinesAtRoot } from "platform-contract/iam/people";
import { AppLink } from "~/ui/layout/link";

import { identityScreens } from "./data";

/** Names the clients of the service that have a role in a visible group: at the root level, no scope lists them. */
export function ServiceClients(): ReactNode {
  const uids = [...machinesAtRoot()];
  const { data } = useInfiniteQuery({
    ...infinite(identities.list, { "uidp.ids": uids, page_size: uids.length }),
    enabled: uids.length > 0,
  });
  return rowsOf(data).rows.map(({ uid, name }) => (
    <span key={uid}>
      {" "}
      <AppLink target={identityScreens.link(uid)}>
        <bdi>{name}</bdi>
      </AppLink>
      , a client of the service itself, also has a role in your groups.
    </span>
  ));
}
