import { queryOptions, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { call } from "~/api/client/client";
import { PAGE_SIZE_MAX } from "platform-contract/aip";
import { roleBindings } from "platform-contract/iam/role-bindings";
import { uidToParam } from "~/frame/scope/uid-param";
import { formatQuantity } from "~/ui/display/numbers";
import { AppLink } from "~/ui/layout/link";
import classes from "~/domains/access/grants/styles.module.css";

import { onlyBelow } from "./only-below";

/** The role bindings of a group and below, and of groups above it; `whole`: false if there are more than a page of some. */
const belowQuery = ([group = "", ...above]: readonly string[]) =>
  queryOptions({
    queryKey: [roleBindings.collection, "below", group, above] as const,
    queryFn: async ({ signal }) => {
      const scopes = [{ "uidp.descendants_of": group }, ...above.map((uid) => ({ "uidp.children_of": uid }))];
      const pages = await Promise.all(
        scopes.map((scope) =>
          call(roleBindings.list, { query: { ...scope, order_by: "uid", page_size: PAGE_SIZE_MAX }, signal }),
        ),
      );
      return {
        rows: pages.flatMap(({ items }) => items),
        whole: pages.every(({ nextPageToken }) => !nextPageToken),
      };
    },
  });

interface BelowProps {
  /** uids of the group and of those above it, nearest first. */
  readonly levels: readonly string[];
  /** True if there are others above it, whose role bindings the user can't see. */
  readonly hidden: boolean;
}

/** Says that roles were granted in folders below, which count only there; nothing if nobody has one only there. */
export function Below({ levels, hidden }: BelowProps): ReactNode {
  const [group = ""] = levels;
  const { data } = useQuery(belowQuery(levels));
  if (!data) return null;
  const exact = data.whole && !hidden;
  const { people, machines } = onlyBelow(group, data.rows);
  if (people + machines === 0) return null;
  const who = [
    ...(people > 0 ? [formatQuantity(people, "person", "people")] : []),
    ...(machines > 0 ? [formatQuantity(machines, "machine")] : []),
  ].join(" and ");
  return (
    <p className={classes["quiet"]}>
      {exact
        ? `${who} ${people + machines === 1 ? "has" : "have"} access only in folders below, and ${people + machines === 1 ? "is" : "are"} among `
        : "Roles are also granted in folders below, to people and machines that may have none here. They are among "}
      <AppLink target={{ to: "/role-bindings", search: { group: uidToParam(group) } }}>
        all role bindings here and below
      </AppLink>
      .
    </p>
  );
}
