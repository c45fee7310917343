import type { ReactNode } from "react";

import type { Group } from "platform-contract/iam/groups";
import { TextAreaField, TextField } from "~/ui/form/fields";
import { FormDrawer } from "~/ui/form/form-drawer";
import { revealGroup } from "~/frame/group-tree/revealed";
import { GroupPath } from "~/frame/scope/group-path";
import { useGroup, usePath } from "~/frame/scope/group-ancestry";
import type { FormProps } from "~/frame/form/drawers";
import { useRecordForm } from "~/frame/form/use-record-form";

import { groupScreens } from "./data";
import classes from "./styles.module.css";
import { kindOf } from "~/frame/scope/group-words";

/** The fields a caller can set. Only the operator sets `verified` and `kind`. */
const valuesOf = (record: Group | undefined) => ({
  name: record?.name ?? "",
  description: record?.description ?? "",
});

/** Trims: surrounding spaces are typos, and make different names look the same. */
const bodyOf = ({ name, description }: ReturnType<typeof valuesOf>) => ({
  name: name.trim(),
  description: description.trim(),
});

/** Creates a folder in the scope, or an organization if there is no scope. Edits either. */
export function GroupForm(props: FormProps<Group>): ReactNode {
  const { record, scope } = props;
  const kind = record ? kindOf(record.uid) : scope === undefined ? "organization" : "folder";
  const drawer = useRecordForm(groupScreens, {
    ...props,
    values: valuesOf,
    body: bodyOf,
    noun: kind,
    atRoot: true,
  });
  const saved = (group: Group) => {
    drawer.onSaved(group);
    if (group.name !== record?.name) revealGroup({ ...group, word: record ? "Renamed" : "New" });
  };
  return (
    <FormDrawer {...drawer} onSaved={saved}>
      {record ? null : scope === undefined ? (
        <p className={classes["quiet"]}>
          No group is chosen, so this creates a new organization. For a folder, open where it belongs first.
        </p>
      ) : (
        <ParentLine uid={scope} />
      )}
      <TextField
        name="name"
        label="Name"
        required
        hint={`3 to 63 characters.${kind === "organization" ? " A verified organization uses its domain name." : ""}`}
      />
      {kind === "folder" && record ? (
        <p className={classes["quiet"]}>
          The API can&apos;t move a folder. “Move…” in its menu copies it to another place.
        </p>
      ) : null}
      <TextAreaField name="description" label="Description" hint="Shown to everyone with access. Optional." />
    </FormDrawer>
  );
}

/** Shows the parent of a new folder, which the form cannot change. */
function ParentLine({ uid }: { readonly uid: string }): ReactNode {
  const { steps } = usePath(uid);
  const { group } = useGroup(uid);
  return (
    <div>
      <p className={classes["term"]}>Parent {kindOf(uid)}</p>
      <p className={classes["parent"]}>
        <GroupPath places={[...steps, { uid, name: group?.name }]} />
      </p>
    </div>
  );
}
