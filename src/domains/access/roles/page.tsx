import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { useInfiniteQuery } from "@tanstack/react-query";

import { useRefusal } from "~/frame/permissions/use-can";
import { parentOf } from "platform-contract/aip";
import { roleWords } from "platform-contract/iam/built-in-roles";
import { roleBindings, type RoleBinding } from "platform-contract/iam/role-bindings";
import { roles, type Role } from "platform-contract/iam/roles";
import { updatedFact } from "~/frame/record/history";
import { placeFact, groupPage } from "~/frame/scope/group-link";
import { useScope } from "~/frame/scope/scope";
import type { PageView } from "~/frame/define";
import { RecordScreen } from "~/frame/record/record-screen";
import { useView } from "~/frame/use-view";
import { grantLink, bindingPage } from "~/domains/access/grants/links";
import { ActionButton } from "~/ui/controls/action-button";
import "~/ui/controls/button-styles";
import { Badge } from "~/ui/display/badge";
import { DefinitionList } from "~/ui/display/definition-list";
import { descriptionFact } from "~/ui/display/description-fact";
import { Time } from "~/ui/display/time";
import { AppLink } from "~/ui/layout/link";
import { DisabledReason } from "~/ui/overlay/disabled-reason";
import { Section } from "~/ui/display/section";
import { identityLink } from "~/frame/record/identity-link";
import { infinite, rowsOf } from "~/api/queries/queries";
import { HiddenLine } from "~/frame/scope/hidden-by-role";
import { useSight } from "~/frame/scope/use-sight";
import { groupNameOf, identityUidOf, whoOf } from "~/domains/access/grants/bindings";
import { HolderKind } from "~/domains/access/grants/holder-kind";
import { HolderSeen } from "~/domains/access/grants/holder-seen";
import { RoleEnd } from "~/domains/access/grants/role-end";
import { CountedIn } from "~/domains/access/use/counted-in";
import { LastUsed } from "~/domains/access/use/last-used";
import { useRecordsUse } from "~/domains/access/use/queries";
import { ShowMore } from "~/ui/table/show-more";
import { FailedPages } from "~/ui/feedback/failed-pages";

import { compareOf, isBuiltIn, kindWord, roleScreens, bindingsOf } from "./data";
import { UsedBy } from "./used-by";
import { areasOf } from "./areas";
import classes from "./styles.module.css";

const heldQuery = (role: string) =>
  infinite(roleBindings.list, { role, order_by: "created_at desc", page_size: 50 }, { maxPages: Infinity });

/** Lists who has a role, and where. */
function Holders({ role }: { readonly role: string }): ReactNode {
  const query = useInfiniteQuery(heldQuery(role));
  const { rows, total } = rowsOf(query.data);
  const recordsUse = useRecordsUse();
  const sight = useSight(roleBindings.list, parentOf(role) || undefined, rows.length === 0);
  return (
    <Section
      title="Who has this role"
      count={rows.length > 0 && !sight.partial ? total : undefined}
      description={rows.length > 0 && sight.partial ? "Only role bindings that you can see." : undefined}
      actions={rows.length > 0 ? <AppLink target={bindingsOf(role)}>Show as role bindings</AppLink> : null}
    >
      {query.isPending || sight.state === "asking" ? <p className={classes["quiet"]}>Loading…</p> : null}
      {sight.state === "hidden" ? <HiddenLine capability={sight.capability} /> : null}
      {query.data && rows.length === 0 && (sight.state === "seen" || sight.state === "unsure") ? (
        <p className={classes["quiet"]}>No one has this role in the groups you can see.</p>
      ) : null}
      {rows.length > 0 ? (
        <>
          <Rows rows={rows} used={recordsUse} />
          {recordsUse ? (
            <CountedIn bindings={rows} whole={!query.hasNextPage} />
          ) : (
            <p className={classes["quiet"]}>
              Unknown: which of its capabilities they used. An{" "}
              <AppLink target={{ to: "/access-review" }}>access review</AppLink> reads what they changed from
              the audit log; reading isn't logged.
            </p>
          )}
        </>
      ) : null}
      <FailedPages title="Its role bindings couldn't be loaded" query={query} />
      <ShowMore query={query} />
    </Section>
  );
}

const Rows = ({
  rows,
  used,
}: {
  readonly rows: readonly RoleBinding[];
  readonly used: boolean;
}): ReactNode => (
  <table className={classes["holders"]}>
    <thead>
      <tr>
        <th scope="col">Identity</th>
        <th scope="col">Folder</th>
        <th scope="col" className={classes["when"]}>
          Granted
        </th>
        <th scope="col" className={classes["when"]}>
          Last seen
        </th>
        {used ? (
          <th scope="col" className={classes["used"]}>
            Last used
          </th>
        ) : null}
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
            <td className={classes["when"]} data-label="Granted">
              <AppLink target={bindingPage(binding.uid)} className={classes["quietly"]}>
                <Time value={binding.createTime} />
              </AppLink>
              <RoleEnd of={binding} />
            </td>
            <td className={classes["when"]} data-label="Last seen">
              <HolderSeen binding={binding} />
            </td>
            {used ? (
              <td className={classes["used"]} data-label="Last used">
                <LastUsed short binding={binding} />
              </td>
            ) : null}
          </tr>
        );
      })}
    </tbody>
  </table>
);

/** Lists the capabilities of a role by area. */
function CapabilityList({ of: { capabilities = [] } }: { readonly of: Role }): ReactNode {
  return (
    <Section title="Capabilities" count={capabilities.length}>
      <div className={classes["columns"]}>
        {areasOf(capabilities).map(({ title, capabilities: held }) => (
          <div key={title} className={classes["held"]}>
            <h3 className={classes["heldTitle"]}>
              {title} <span className={classes["count"]}>{held.length}</span>
            </h3>
            <ul className={classes["plain"]}>
              {held.map(({ wire, name, meaning }) => (
                <li key={wire}>
                  {meaning} <code className={classes["code"]}>{name}</code>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </Section>
  );
}

/** Shows one role: its capabilities, and who has it where. */
export function RolePage(): ReactNode {
  const { open } = useView<PageView>();
  const refusal = useRefusal();
  const { group } = useScope();
  return (
    <RecordScreen
      of={roleScreens}
      badges={(role) => <Badge tone="quiet">{kindWord(role)}</Badge>}
      actions={({ uid }) => [
        {
          label: "Duplicate as custom",
          onSelect: () => open("create"),
          disabled: refusal(roles.create, group),
        },
        { label: "Compare with another role", link: compareOf([uid]) },
      ]}
      primary={(role) => (
        <>
          {isBuiltIn(role) ? (
            <ActionButton reason={refusal(roles.create, group)} onClick={() => open("create")}>
              Duplicate as custom
            </ActionButton>
          ) : null}
          <Grant role={role} />
        </>
      )}
      last={({ uid }) => <Holders role={uid} />}
    >
      {(role) => (
        <>
          <DefinitionList items={factsOf(role)} />
          <CapabilityList of={role} />
        </>
      )}
    </RecordScreen>
  );
}

const factsOf = (role: Role) => [
  descriptionFact(roleWords(role)),
  isBuiltIn(role) ? { term: "Kind", value: "Built-in, the same everywhere" } : placeFact(parentOf(role.uid)),
  { term: "Used by", value: <UsedBy role={role.uid} words /> },
  // Those of a built-in role are of the service's first start.
  ...(isBuiltIn(role)
    ? []
    : [{ term: "Created", value: <Time value={role.createTime} /> }, updatedFact("roles", role)]),
];

function Grant({ role }: { readonly role: Role }): ReactNode {
  const refusal = useRefusal();
  const scope = useScope();
  const group = scope.group ?? (parentOf(role.uid) || undefined);
  return (
    <DisabledReason reason={refusal(roleBindings.create, group)}>
      <Button component={AppLink} target={grantLink({ role: role.uid, group })}>
        Grant this role
      </Button>
    </DisabledReason>
  );
}
