import { useState, type ReactNode } from "react";

import { useCan } from "~/access/use-can";
import { useCreate, useUpdate } from "~/api/writes";
import { groups, type Group } from "~/contract/iam/groups";
import { TextAreaField, TextField } from "~/kit/form/fields";
import { dirtyPaths } from "~/kit/form/dirty-paths";
import { FormDrawer } from "~/kit/form/form-drawer";
import { NothingToSave } from "~/kit/form/nothing-to-save";
import { useKitForm } from "~/kit/form/use-kit-form";
import { toast } from "~/kit/toast-store";
import { groupPage } from "~/parts/group-link";

import { emptyGroup, fromGroup, masked, toBody } from "./-group-values";
import { kindOf, nameOf } from "./-group-words";
import { ParentLine } from "./-parent-line";

interface GroupFormProps {
  /** The group to change; without one the form creates one under `parent`. */
  readonly group?: Group | undefined;
  /** uid of the group that the new one lies in; "" for an organization. */
  readonly parent?: string;
  readonly onClose: () => void;
}

/** Creates an organization or a folder, or changes one. */
export function GroupForm({ group: shown, parent = "", onClose }: GroupFormProps): ReactNode {
  // As it was when the form was filled: what is saved is what differs from that.
  const [group, setGroup] = useState(shown);
  const kind = group ? kindOf(group.uid) : parent === "" ? "organization" : "folder";
  const creation = useCan(groups.create, parent);
  const change = useCan(groups.update, group?.uid);
  const create = useCreate(groups);
  const update = useUpdate(groups);
  const form = useKitForm({
    schema: groups.request,
    defaultValues: group ? fromGroup(group) : emptyGroup,
    toBody,
    draft: group ? "edit group" : "create group",
  });

  return (
    <FormDrawer
      opened
      onClose={onClose}
      form={form}
      title={group ? `Edit ${kind}` : `Create ${kind}`}
      submitLabel={group ? "Save changes" : `Create ${kind}`}
      savingLabel={group ? "Saving" : "Creating"}
      disabled={(group ? change : creation).reason}
      onSubmit={({ name, description = "" }) => {
        const body = { name, description };
        if (!group) return create.mutateAsync({ parent, body });
        const mask = dirtyPaths(form);
        if (mask.length === 0) throw new NothingToSave();
        return update.mutateAsync({ uid: group.uid, body: masked(body, mask), mask, opened: group });
      }}
      onReload={(current) => {
        setGroup(current);
        form.reset(fromGroup(current));
      }}
      onSaved={(saved) => {
        const name = nameOf(saved);
        onClose();
        if (group) toast(`Saved ${kind} ${name}`);
        else toast(`Created ${kind} ${name}`, { label: `Open ${kind}`, target: groupPage(saved.uid) });
      }}
    >
      {parent !== "" && <ParentLine uid={parent} />}
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
