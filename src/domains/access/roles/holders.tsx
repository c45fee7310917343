import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { identityLink } from "~/domains/identities/identities/identity-link";
import { infinite, rowsOf } from "~/api/queries/queries";
import { parentOf } from "platform-contract/aip";
import { roleBindings, type RoleBinding } from "platform-contract/iam/role-bindings";
import { groupPage } from "~/frame/scope/group-link";
import { HiddenLine } from "~/frame/scope/hidden-by-role";
import { useSight } from "~/frame/scope/use-sight";
import { groupNameOf, identityUidOf, whoOf } from "~/domains/access/grants/bindings";
import { HolderKind } from "~/domains/access/grants/holder-kind";
import { bindingPage } from "~/domains/access/grants/links";
import { ShowMore } from "~/ui/table/show-more";
import { Section } from "~/ui/display/section";
import { Time } from "~/ui/display/time";
import { FailedPages } from "~/ui/feedback/failed-pages";
import { AppLink } from "~/ui/layout/link";

import { bindingsOf } from "./data";
import classes from "./styles.module.css";

const heldQuery = (role: string) =>
  infinite(roleBindings.list, { role, order_by: "created_at desc", page_size: 50 }, { maxPages: Infinity });

/** Lists who has a role, and where. */
export function Holders({ role }: { readonly role: string }): ReactNode {
  const query = useInfiniteQuery(heldQuery(role));
  const { rows, total } = rowsOf(query.data);
  const sight = useSight(roleBindings.list, parentOf(role) || undefined, rows.length === 0);
  return (
    <Section
      title="Who has this role"
      count={rows.length > 0 ? total : undefined}
      actions={rows.length > 0 ? <AppLink target={bindingsOf(role)}>Show as role bindings</AppLink> : null}
    >
      {query.isPending || sight.state === "asking" ? <p className={classes["quiet"]}>Loading…</p> : null}
      {sight.state === "hidden" ? <HiddenLine capability={sight.capability} /> : null}
      {query.data && rows.length === 0 && (sight.state === "seen" || sight.state === "unsure") ? (
        <p className={classes["quiet"]}>No one has this role in the groups you can see.</p>
      ) : null}
      {rows.length > 0 ? <Rows rows={rows} /> : null}
      <FailedPages title="Its role bindings couldn't be loaded" query={query} />
      <ShowMore query={query} />
    </Section>
  );
}

const Rows = ({ rows }: { readonly rows: readonly RoleBinding[] }): ReactNode => (
  <table className={classes["table"]}>
    <thead>
      <tr>
        <th scope="col">Identity</th>
        <th scope="col">Folder</th>
        <th scope="col" className={classes["when"]}>
          Granted
        </th>
      </tr>
    </thead>
    <tbody>
      {rows.map((binding) => {
        const identity = identityUidOf(binding);
        return (
          <tr key={binding.uid}>
            <th scope="row">
              <AppLink target={identityLink(identity)}>
                <bdi>{whoOf(binding)}</bdi>
              </AppLink>{" "}
              <span className={classes["note"]}>
                <HolderKind machine={parentOf(identity) !== ""} />
              </span>
            </th>
            <td>
              <AppLink target={groupPage(parentOf(binding.uid))}>
                <bdi>{groupNameOf(binding)}</bdi>
              </AppLink>
            </td>
            <td className={classes["when"]}>
              <AppLink target={bindingPage(binding.uid)} className={classes["quietly"]}>
                <Time value={binding.createTime} />
              </AppLink>
            </td>
          </tr>
        );
      })}
    </tbody>
  </table>
);
