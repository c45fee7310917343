import { Button } from "@mantine/core";
import type { ReactNode } from "react";

import { useRefusal } from "~/frame/permissions/use-can";
import { parentOf } from "platform-contract/aip";
import { roleWords } from "platform-contract/iam/built-in-roles";
import { roleBindings } from "platform-contract/iam/role-bindings";
import { roles, type Role } from "platform-contract/iam/roles";
import { updatedFact } from "~/frame/record/history";
import { placeFact } from "~/frame/scope/group-link";
import { useScope } from "~/frame/scope/scope";
import type { PageView } from "~/frame/define";
import { RecordScreen } from "~/frame/record/record-screen";
import { useView } from "~/frame/use-view";
import { grantLink } from "~/domains/access/grants/links";
import { ActionButton } from "~/ui/controls/action-button";
import "~/ui/controls/button-styles";
import { Badge } from "~/ui/display/badge";
import { DefinitionList } from "~/ui/display/definition-list";
import { descriptionFact } from "~/ui/display/description-fact";
import { Time } from "~/ui/display/time";
import { AppLink } from "~/ui/layout/link";
import { DisabledReason } from "~/ui/overlay/disabled-reason";

import { CapabilityList } from "./capability-list";
import { compareOf, isBuiltIn, kindWord, roleScreens } from "./data";
import { Holders } from "./holders";
import { UsedBy } from "./used-by";

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
