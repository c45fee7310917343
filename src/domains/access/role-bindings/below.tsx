import { queryOptions, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { call } from "~/api/client/client";
import { PAGE_SIZE_MAX, parentOf } from "platform-contract/aip";
import { roleBindings } from "platform-contract/iam/role-bindings";
import { uidToParam } from "~/frame/scope/uid-param";
import { formatQuantity } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { AppLink } from "~/ui/layout/link";
import { BindingTable } from "~/domains/access/grants/binding-table";
import { accessPage, bindingPage } from "~/domains/access/grants/links";
import { holdersOf, useRoleChoice } from "~/domains/access/grants/roles";
import { UnreadRoles } from "~/domains/access/grants/unread-roles";
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

/** Rows that are shown at once. */
const ROWS = 50;

interface BelowProps {
  /** uids of the group and of those above it, nearest first. */
  readonly levels: readonly string[];
  /** True if there are others above it, whose role bindings the user can't see. */
  readonly hidden: boolean;
  /** Shows only identities whose role there includes this capability. */
  readonly can: string | undefined;
}

/** Lists who has a role only in folders below, where it counts; nothing if nobody has one only there. */
export function Below({ levels, hidden, can }: BelowProps): ReactNode {
  const [group = ""] = levels;
  const { data } = useQuery(belowQuery(levels));
  const choice = useRoleChoice(group);
  if (!data) return null;
  const all = onlyBelow(group, data.rows);
  const { people, machines } = all;
  if (people + machines === 0) return null;
  const everyBinding = (
    <AppLink target={{ to: "/role-bindings", search: { group: uidToParam(group) } }}>
      all role bindings here and below
    </AppLink>
  );
  if (!data.whole || hidden)
    return (
      <p className={classes["quiet"]}>
        Roles are also granted in folders below, to people and machines that may have none here. See{" "}
        {everyBinding}.
      </p>
    );
  const who = [
    ...(people > 0 ? [formatQuantity(people, "person", "people")] : []),
    ...(machines > 0 ? [formatQuantity(machines, "machine")] : []),
  ].join(" and ");
  const { shown, unknown } = holdersOf(all.rows, choice.everywhere, can === undefined ? undefined : [can]);
  return (
    <Section
      title="Only in folders below"
      count={shown.length}
      description={`${who} ${people + machines === 1 ? "has" : "have"} access only in folders below.`}
    >
      {unknown && !choice.pending ? <UnreadRoles choice={choice} missing="They aren't listed here." /> : null}
      {shown.length === 0 ? (
        <p className={classes["quiet"]}>
          {unknown ? "None of the others can do this." : "None of them can do this."}
        </p>
      ) : (
        <BindingTable
          rows={shown.slice(0, ROWS)}
          by="identity"
          places
          actions={({ uid }) => [
            { label: "Open role binding", link: bindingPage(uid) },
            { label: "Manage access there", link: accessPage(parentOf(uid)) },
          ]}
        />
      )}
      {shown.length > ROWS ? (
        <p className={classes["quiet"]}>
          {formatQuantity(shown.length - ROWS, "more role binding")} : see {everyBinding}.
        </p>
      ) : null}
    </Section>
  );
}
