import type { ReactNode } from "react";

import type { Group } from "~/contract/iam/groups";
import { TextAreaField, TextField } from "~/ui/form/fields";
import { FormDrawer } from "~/ui/form/form-drawer";
import { GroupPath } from "~/features/scope/group-path";
import { useGroup, usePath } from "~/features/scope/group-ancestry";
import type { FormProps } from "~/resource/drawers";
import { useRecordForm } from "~/resource/use-record-form";

import { groupScreens } from "./data";
import classes from "./styles.module.css";
import { kindOf } from "./words";

/** What a caller may set: `verified` and `kind` are the operator's (contract 1.1). */
const valuesOf = (record: Group | undefined) => ({
  name: record?.name ?? "",
  description: record?.description ?? "",
});

/** Spaces around a name are slips of the hand, and make two names that look the same. */
const bodyOf = ({ name, description }: ReturnType<typeof valuesOf>) => ({
  name: name.trim(),
  description: description.trim(),
});

/** Creates a folder in the scope, an organization where there is none, or changes either. */
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
  return (
    <FormDrawer {...drawer}>
      {!record && scope !== undefined && <ParentLine uid={scope} />}
      <TextField
        name="name"
        label="Name"
        required
        hint={`3 to 63 characters.${kind === "organization" ? " A verified organization is named by its domain." : ""}`}
      />
      <TextAreaField
        name="description"
        label="Description"
        hint={`What the ${kind} is for, for whoever comes across it.`}
      />
    </FormDrawer>
  );
}

/** Where a new folder will lie, by names: what cannot be chosen in the form is at least said. */
function ParentLine({ uid }: { readonly uid: string }): ReactNode {
  const { steps } = usePath(uid);
  const { group } = useGroup(uid);
  return (
    <div>
      <p className={classes["term"]}>Inside</p>
      <p className={classes["parent"]}>
        <GroupPath places={[...steps, { uid, name: group?.name }]} />
      </p>
    </div>
  );
}
