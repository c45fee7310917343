import { useState, type ReactNode } from "react";
import { useWatch } from "react-hook-form";

import { useCurrentUser } from "~/frame/permissions/current-user";
import { parentOf } from "platform-contract/aip";
import type { Role } from "platform-contract/iam/roles";
import type { FormProps } from "~/frame/form/drawers";
import { DescriptionField } from "~/frame/form/description-field";
import { JustificationField } from "~/frame/form/justification-field";
import { ParentGroupField } from "~/frame/form/parent-group-field";
import { useRecordForm } from "~/frame/form/use-record-form";
import { heldAt } from "~/domains/access/grants/roles";
import { TextField } from "~/ui/form/fields";
import { FormSection } from "~/ui/form/form-section";
import { FormDrawer } from "~/ui/form/form-drawer";
import { formatQuantity, formatCount } from "~/ui/display/numbers";
import { VisuallyHidden } from "~/ui/layout/visually-hidden";

import { inOrder, isKnown, OFFERED, capabilityOf } from "./areas";
import { differenceOf } from "./choice";
import { CapabilityField } from "./capability-field";
import { isBuiltIn, roleScreens } from "./data";
import choice from "./choice.module.css";
import classes from "./styles.module.css";

interface CapabilityChangesProps {
  /** The role's capabilities when the form was opened; undefined for a new role. */
  readonly before: readonly string[] | undefined;
  readonly after: readonly string[];
}

/** Summarizes the chosen capabilities and, for an existing role, the changes. */
function CapabilityChanges({ before, after }: CapabilityChangesProps): ReactNode {
  const { added, removed } = differenceOf(before ?? after, after);
  const total = formatQuantity(after.length, "capability", "capabilities");
  const changes = [
    ...(added.length > 0 ? [`${formatCount(added.length)} added`] : []),
    ...(removed.length > 0 ? [`${formatCount(removed.length)} removed`] : []),
  ].join(", ");
  return (
    <section aria-label="Chosen capabilities" className={choice["changes"]}>
      <p className={choice["total"]}>
        {total} chosen{before === undefined ? "" : `: ${changes || "no changes"}`}
      </p>
      {before === undefined && after.length > 0 ? (
        <ul className={classes["plain"]}>
          {inOrder(after).map((wire) => (
            <li key={wire}>
              {capabilityOf(wire).meaning} <code>{capabilityOf(wire).name}</code>
            </li>
          ))}
        </ul>
      ) : null}
      {changes ? (
        <ul className={choice["changed"]}>
          {inOrder([...added, ...removed]).map((wire) => {
            const { name, meaning } = capabilityOf(wire);
            const isNew = added.includes(wire);
            return (
              <li key={wire} data-change={isNew ? "added" : "removed"}>
                <span aria-hidden="true">{isNew ? "+" : "\u2212"}</span>
                <span>
                  <VisuallyHidden>{isNew ? "Added: " : "Removed: "}</VisuallyHidden>
                  {meaning} <code>{name}</code>
                </span>
              </li>
            );
          })}
        </ul>
      ) : null}
    </section>
  );
}

const valuesOf = (record: Partial<Role> | undefined) => ({
  name: record?.name ?? "",
  description: record?.description ?? "",
  capabilities: [...(record?.capabilities ?? [])],
});
type Values = ReturnType<typeof valuesOf>;

const bodyOf = ({ name, description, capabilities }: Values) => ({
  name: name.trim(),
  description: description.trim(),
  // The order of selection doesn't count as a change.
  capabilities: inOrder(capabilities),
});

const NAME_MAX = 63;

/** Initial values for a copy of a role. */
const copyOf = ({ uid, name, description, capabilities = [] }: Role): Partial<Role> => ({
  name: `${[...name].slice(0, NAME_MAX - 5).join("")} copy`,
  description: isBuiltIn({ uid }) ? `Based on ${name}` : description,
  capabilities: capabilities.filter((wire) => OFFERED.includes(wire) || !isKnown(wire)),
});

const fieldOf = (path: string): string => path.replace(/^capabilities\W.*$/, "capabilities");

interface RoleFormProps extends FormProps<Role> {
  /** The role to duplicate. */
  readonly template?: Role | undefined;
  /** What a new role begins with. */
  readonly start?: Partial<Role>;
}

/** Creates a role, optionally as a copy of another one, or edits one. */
export function RoleForm({ template, start, ...props }: RoleFormProps): ReactNode {
  const { record, scope } = props;
  const who = useCurrentUser();
  const [values] = useState(
    () => (shown: Role | undefined) => valuesOf(shown ?? (template ? copyOf(template) : start)),
  );
  const groupOf = (all: Values) =>
    record ? parentOf(record.uid) : (all as Values & { parent: string }).parent;
  const drawer = useRecordForm(roleScreens, {
    ...props,
    values,
    body: bodyOf,
    fieldOf,
    problems: (all, before) => {
      const held = heldAt(who, groupOf(all));
      const { added } = differenceOf(before?.values.capabilities ?? [], all.capabilities);
      const lacking = held ? added.filter((wire) => isKnown(wire) && !held.has(wire)).length : 0;
      if (lacking === 0) return [];
      const what = formatQuantity(lacking, "capability", "capabilities");
      return [{ field: "capabilities", description: `Remove the ${what} you don't have in this group` }];
    },
  });
  return (
    <FormDrawer {...drawer} page aside={<Chosen before={record && valuesOf(record).capabilities} />}>
      <FormSection title="Details">
        <TextField name="name" label="Name" required hint="1 to 63 characters." />
        {record ? null : <ParentGroupField scope={scope} />}
        <DescriptionField />
      </FormSection>
      <FormSection title="Permissions">
        <CapabilityField group={record && parentOf(record.uid)} />
      </FormSection>
      <JustificationField />
    </FormDrawer>
  );
}

/** The chosen capabilities, always in view beside the picker. */
function Chosen({ before }: { readonly before: readonly string[] | undefined }): ReactNode {
  const after = useWatch<Values, "capabilities">({ name: "capabilities" });
  return <CapabilityChanges before={before} after={after} />;
}
