import { Button } from "@mantine/core";
import { useState, type ReactNode } from "react";

import { useRefusal } from "~/frame/permissions/use-can";
import { parentOf } from "platform-contract/aip";
import { roleBindings, roleUidOf, type RoleBinding } from "platform-contract/iam/role-bindings";
import { roles } from "platform-contract/iam/roles";
import { identityUidOf, whoOf } from "~/domains/access/grants/bindings";
import { useRoleChoice } from "~/domains/access/grants/roles";
import { ChangeRole } from "~/domains/access/role-bindings/form";
import { RoleForm } from "~/domains/access/roles/form";
import { RoleLink } from "~/domains/access/roles/role-link";
import "~/ui/controls/button-styles";
import { FactTable } from "~/ui/display/fact-table";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { Time } from "~/ui/display/time";
import { DisabledReason } from "~/ui/overlay/disabled-reason";

import { refusedWords, totalOf } from "./facts";
import { useUseOfBinding } from "./last-used";
import { smallerRoles } from "./smaller-roles";
import classes from "./use.module.css";

/** Roles that are proposed. */
const MOST = 5;

/** Smaller roles for a binding, with what each would have refused of what was used; nothing where that isn't known, or nothing was. */
export function SmallerRole({ binding }: { readonly binding: RoleBinding }): ReactNode {
  const { known } = useUseOfBinding(binding);
  const group = parentOf(binding.uid);
  const choice = useRoleChoice(group);
  const refusal = useRefusal();
  const [to, setTo] = useState<string>();
  const [isCreating, setCreating] = useState(false);
  if (known?.facts.since === undefined) return null;
  const { facts, role, used } = known;
  // "Last used" says it; what nobody has used yet proposes nothing.
  if (used.length === 0) return null;
  const item = { group, identity: identityUidOf(binding), role: roleUidOf(binding) };
  const all = [role, ...choice.roles.filter(({ uid }) => uid !== role.uid)];
  const smaller = smallerRoles(item, all, facts).slice(0, MOST);
  const needed = [...new Set(used.map(({ capability }) => capability))].toSorted();
  const canShrink = needed.length > 0 && needed.length < (role.capabilities ?? []).length;
  return (
    <Section
      title="A smaller role"
      description={
        <>
          Since <Time value={facts.since} />, {needed.length} of the{" "}
          {formatCount(role.capabilities?.length ?? 0)} capabilities of this role were used here and below,{" "}
          {formatQuantity(totalOf(used).count, "time", "times")} in all. Earlier use is unknown. Other roles
          might also allow what a smaller one doesn't.
        </>
      }
      actions={
        canShrink ? (
          <DisabledReason reason={refusal(roles.create, group)}>
            <Button variant="default" onClick={() => setCreating(true)}>
              Create role with what was used
            </Button>
          </DisabledReason>
        ) : null
      }
    >
      {smaller.length === 0 ? (
        <p className={classes["quiet"]}>
          {choice.pending ? "Loading…" : "No role that you can see here allows less than this one."}
        </p>
      ) : (
        <FactTable
          caption="Smaller roles"
          stacks
          head={["Role", "By what was used", ""]}
          rows={smaller.map(({ role: one, refusal: lost }) => [
            <RoleLink key="role" uid={one.uid} name={one.name} />,
            lost && refusedWords(lost),
            <DisabledReason key="change" reason={refusal(roleBindings.update, binding.uid)}>
              <Button variant="default" onClick={() => setTo(one.uid)}>
                Change to {one.name}
              </Button>
            </DisabledReason>,
          ])}
        />
      )}
      {to === undefined ? null : <ChangeRole record={binding} to={to} onClose={() => setTo(undefined)} />}
      {isCreating ? (
        <RoleForm
          start={{
            name: "",
            description: `What ${whoOf(binding)} used as ${role.name}`,
            capabilities: needed,
          }}
          scope={group}
          onClose={() => setCreating(false)}
        />
      ) : null}
    </Section>
  );
}
