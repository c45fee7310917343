import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { useCan } from "~/access/use-can";
import { useCurrentUser, type CurrentUser } from "~/access/current-user";
import { rowsOf } from "~/api/queries/queries";
import { parentOf } from "~/contract/aip";
import type { Identity } from "~/contract/iam/identities";
import { roleBindings, type RoleBinding } from "~/contract/iam/role-bindings";
import { Badge } from "~/ui/display/badge";
import "~/ui/controls/button-styles";
import { FailedPart } from "~/ui/feedback/failed-part";
import { AppLink } from "~/ui/layout/link";
import { ActionMenu } from "~/ui/overlay/menu";
import { Notice } from "~/ui/feedback/notice";
import { Section } from "~/ui/display/section";
import { shorten } from "~/ui/display/shorten";
import { Time } from "~/ui/display/time";
import { VisuallyHidden } from "~/ui/layout/visually-hidden";
import { recordActions } from "~/features/request-inspector/record-actions";
import { groupPage } from "~/features/scope/group-link";
import { grantLink } from "~/screens/role-bindings/links";

import { bindingsQuery } from "./data";
import { isPerson } from "./words";
import classes from "./styles.module.css";
import { reaches } from "./reach";

/** The roles of an identity, and where it has them. */
export function IdentityBindings({ identity }: { readonly identity: Identity }): ReactNode {
  const { uid } = identity;
  const query = useInfiniteQuery(bindingsQuery(uid));
  const list = useCan(roleBindings.list, parentOf(uid) || undefined);
  const { state } = useCurrentUser();
  const { rows, total } = rowsOf(query.data);
  const lost = rows.filter((binding) => !reaches(uid, parentOf(binding.uid))).length;
  return (
    <Section
      title="Role bindings"
      count={rows.length > 0 ? total : undefined}
      description="Roles apply to the folder they are granted on and everything below it."
      actions={
        <Button
          variant="default"
          component={AppLink}
          target={grantLink({ identity: uid, group: parentOf(uid) || undefined })}
        >
          Grant role
        </Button>
      }
    >
      {lost > 0 ? <Unreached count={lost} /> : null}
      {rows.length > 0 ? <Bindings identity={uid} rows={rows} /> : null}
      {query.isPending ? <p className={classes["quiet"]}>Loading…</p> : null}
      {query.data && rows.length === 0 ? (
        <p className={classes["quiet"]}>{noneWords(identity, state, list.reason)}</p>
      ) : null}
      {query.isError ? (
        <FailedPart
          title="Role bindings could not be loaded"
          error={query.error}
          onRetry={() => (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch())}
        />
      ) : null}
      {query.hasNextPage ? (
        <div>
          <Button
            variant="default"
            aria-disabled={query.isFetchingNextPage || undefined}
            onClick={() => void query.fetchNextPage()}
          >
            {query.isFetchingNextPage ? "Loading…" : "Show more"}
          </Button>
        </div>
      ) : null}
    </Section>
  );
}

/** Why there are none: a list is also empty where the caller may not look (contract B7). */
function noneWords(identity: Identity, state: CurrentUser["state"], refused: string | undefined): string {
  if (refused !== undefined) return `You can't see its role bindings. ${refused}.`;
  // Bindings that have an effect for a machine lie in its group or below; those of a person may be anywhere.
  if (state === "known" && !isPerson(identity)) return "No roles yet. Grant a role to give it access.";
  return "No role bindings to show.";
}

const Unreached = ({ count }: { count: number }): ReactNode => (
  <Notice tone="warning" title={count === 1 ? "One role has no effect" : `${count} roles have no effect`}>
    An identity can only use roles on the group it belongs to and below.
  </Notice>
);

function Bindings({ identity, rows }: { identity: string; rows: readonly RoleBinding[] }): ReactNode {
  return (
    <table className={classes["table"]}>
      <thead>
        <tr>
          <th scope="col">Role</th>
          <th scope="col">Group</th>
          <th scope="col" className={classes["when"]}>
            Created
          </th>
          <th scope="col" className={classes["more"]}>
            <VisuallyHidden>Actions</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((binding) => {
          const { uid, role, roleUid, group, createTime } = binding;
          const roleName = role?.name || shorten(roleUid ?? role?.uid ?? "");
          const groupName = group?.name || shorten(parentOf(uid));
          const name = `${roleName} at ${groupName}`;
          return (
            <tr key={uid}>
              <td>
                <bdi>{roleName}</bdi>{" "}
                {reaches(identity, parentOf(uid)) ? null : <Badge tone="warning">No effect</Badge>}
              </td>
              <td>
                <AppLink target={groupPage(parentOf(uid))}>
                  <bdi>{groupName}</bdi>
                </AppLink>
              </td>
              <td className={classes["when"]}>
                <Time value={createTime} />
              </td>
              <td className={classes["more"]}>
                <ActionMenu label={`Actions for ${name}`} actions={() => recordActions(binding, name)} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
