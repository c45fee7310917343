import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { useRefusal } from "~/frame/permissions/use-can";
import { rowsOf } from "~/api/queries/queries";
import { parentOf } from "platform-contract/aip";
import type { Identity } from "platform-contract/iam/identities";
import { isPerson } from "~/frame/scope/people";
import { roleBindings } from "platform-contract/iam/role-bindings";
import "~/ui/controls/button-styles";
import { FailedPages } from "~/ui/feedback/failed-pages";
import { AppLink } from "~/ui/layout/link";
import { onDemand } from "~/ui/on-demand";
import type { RemoveAccessProps } from "~/domains/access/grants/remove-access";
import { Section } from "~/ui/display/section";
import { GroupLink } from "~/frame/scope/group-link";
import { HiddenLine } from "~/frame/scope/hidden-by-role";
import { useSight } from "~/frame/scope/use-sight";
import { DisabledReason } from "~/ui/overlay/disabled-reason";
import { recordActions } from "~/frame/request-inspector/record-actions";
import { BindingTable } from "~/domains/access/grants/binding-table";
import { leaverOf } from "~/domains/access/grants/leaver";
import { bindingPage, grantLink } from "~/domains/access/grants/links";
import { isBelowOrganization } from "~/domains/access/grants/reach";
import { WithoutEffect } from "~/domains/access/grants/without-effect";
import { CountedIn } from "~/domains/access/use/counted-in";
import { useRecordsUse } from "~/domains/access/use/queries";
import { ShowMore } from "~/ui/table/show-more";

import { bindingsQuery, loadDrawers } from "./data";
import classes from "./styles.module.css";

const RemoveAccess = onDemand<RemoveAccessProps>(async () => (await loadDrawers()).RemoveAccess);

/** Lists the roles of an identity and where they apply. */
export function IdentityBindings({ identity }: { readonly identity: Identity }): ReactNode {
  const { uid } = identity;
  const query = useInfiniteQuery(bindingsQuery(uid));
  const refusal = useRefusal();
  const recordsUse = useRecordsUse();
  const [removing, setRemoving] = useState(false);
  const { rows, total } = rowsOf(query.data);
  const home = parentOf(uid) || undefined;
  const sight = useSight(roleBindings.list, home, rows.length === 0);
  return (
    <Section
      title="Role bindings"
      count={rows.length > 0 && !sight.partial ? total : undefined}
      description={
        isBelowOrganization(home ?? "") && home !== undefined ? (
          <>
            This machine belongs to <GroupLink uid={home} />: it can act there and below, and a role granted
            anywhere else has no effect.
          </>
        ) : (
          `Roles apply to the folder they are granted on and everything below it.${sight.partial ? " Only those that you can see are listed." : ""}`
        )
      }
      actions={
        <>
          {rows.length > 1 || (rows.length > 0 && isPerson(uid)) ? (
            <DisabledReason reason={refusal(roleBindings.delete, home)}>
              <Button variant="default" onClick={() => setRemoving(true)}>
                Remove all access
              </Button>
            </DisabledReason>
          ) : null}
          <DisabledReason reason={refusal(roleBindings.create, home)}>
            <Button variant="default" component={AppLink} target={grantLink({ identity: uid, group: home })}>
              Grant role
            </Button>
          </DisabledReason>
        </>
      }
    >
      {removing ? <RemoveAccess leavers={[leaverOf(identity)]} onClose={() => setRemoving(false)} /> : null}
      <WithoutEffect bindings={rows} />
      {rows.length > 0 ? (
        <BindingTable
          rows={rows}
          by="group"
          used={recordsUse}
          actions={(binding, name) => [
            { label: "Open role binding", link: bindingPage(binding.uid) },
            ...recordActions(binding, name),
          ]}
        />
      ) : null}
      {recordsUse ? <CountedIn bindings={rows} whole={!query.hasNextPage} /> : null}
      {query.isPending || sight.state === "asking" ? <p className={classes["quiet"]}>Loading…</p> : null}
      {sight.state === "hidden" ? <HiddenLine capability={sight.capability} /> : null}
      {query.data && rows.length === 0 && (sight.state === "seen" || sight.state === "unsure") ? (
        <p className={classes["quiet"]}>{noneWords(identity, sight.state)}</p>
      ) : null}
      <FailedPages title="Role bindings couldn't be loaded" query={query} />
      <ShowMore query={query} />
    </Section>
  );
}

/** Bindings that take effect for a machine are in its group or below; those of a person can be anywhere. */
const noneWords = (identity: Identity, sight: "seen" | "unsure"): string =>
  sight === "seen" && !isPerson(identity.uid)
    ? "No roles yet. Grant a role to give it access."
    : "No roles in the groups you can see.";
