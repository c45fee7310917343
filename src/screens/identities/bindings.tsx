import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { useCan } from "~/access/use-can";
import { useCurrentUser, type CurrentUser } from "~/access/current-user";
import { rowsOf } from "~/api/queries/queries";
import { parentOf } from "~/contract/aip";
import type { Identity } from "~/contract/iam/identities";
import { roleBindings } from "~/contract/iam/role-bindings";
import "~/ui/controls/button-styles";
import { FailedPart } from "~/ui/feedback/failed-part";
import { AppLink } from "~/ui/layout/link";
import { Notice } from "~/ui/feedback/notice";
import { Section } from "~/ui/display/section";
import { recordActions } from "~/features/request-inspector/record-actions";
import { BindingTable } from "~/screens/role-bindings/binding-table";
import { bindingPage, grantLink } from "~/screens/role-bindings/links";
import { ShowMore } from "~/screens/role-bindings/show-more";

import { bindingsQuery } from "./data";
import { isPerson } from "./words";
import classes from "./styles.module.css";
import { reaches } from "./reach";

/** Lists the roles of an identity and where they apply. */
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
      {rows.length > 0 ? (
        <BindingTable
          rows={rows}
          by="group"
          actions={(binding, name) => [
            { label: "Open role binding", link: bindingPage(binding.uid) },
            ...recordActions(binding, name),
          ]}
        />
      ) : null}
      {query.isPending ? <p className={classes["quiet"]}>Loading…</p> : null}
      {query.data && rows.length === 0 ? (
        <p className={classes["quiet"]}>{noneWords(identity, state, list.reason)}</p>
      ) : null}
      {query.isError ? (
        <FailedPart
          title="Role bindings couldn't be loaded"
          error={query.error}
          onRetry={() => (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch())}
        />
      ) : null}
      <ShowMore query={query} />
    </Section>
  );
}

/** Explains an empty list: it is also empty if the caller may not list role bindings (contract B7). */
function noneWords(identity: Identity, state: CurrentUser["state"], refused: string | undefined): string {
  if (refused !== undefined) return `You don't have permission to see its role bindings. ${refused}.`;
  // Bindings that take effect for a machine are in its group or below; those of a person can be anywhere.
  if (state === "known" && !isPerson(identity)) return "No roles yet. Grant a role to give it access.";
  return "No role bindings to show.";
}

const Unreached = ({ count }: { count: number }): ReactNode => (
  <Notice tone="warning" title={count === 1 ? "One role has no effect" : `${count} roles have no effect`}>
    An identity can only use roles on the group it belongs to and below.
  </Notice>
);
