import { type ReactNode, useDeferredValue, useState } from "react";
import * as z from "zod/mini";
import { Button, TextInput } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useFormContext, useWatch } from "react-hook-form";

import { useCan } from "~/frame/permissions/use-can";
import { useCreate } from "~/api/mutations/writes";
import { rootOf } from "platform-contract/aip";
import {
  externalGroupRoleMappings,
  type ExternalGroupRoleMapping,
} from "platform-contract/iam/external-group-role-mappings";
import { GroupLink } from "~/frame/scope/group-link";
import type { FormProps } from "~/frame/form/drawers";
import { JustificationField } from "~/frame/form/justification-field";
import { useRecordForm } from "~/frame/form/use-record-form";
import { PassesOn } from "~/domains/access/grants/passes-on";
import { RoleField } from "~/domains/access/grants/role-field";
import { DefinitionList } from "~/ui/display/definition-list";
import { toast } from "~/ui/feedback/toast-store";
import { FormDrawer } from "~/ui/form/form-drawer";
import { LinesField } from "~/ui/form/lines-field";
import { renamed } from "~/ui/form/problems";
import { useResourceForm } from "~/ui/form/use-resource-form";
import "~/ui/controls/button-styles";
import { formatQuantity } from "~/ui/display/numbers";

import { mappingScreens } from "./data";
import { usePushed } from "./pushed";
import classes from "./styles.module.css";

const DECIDED_THERE =
  "Whoever manages these groups at the provider decides who gets it, and nobody here is asked.";

/** More than this many groups can be searched. */
const FEW = 12;

/** Groups that the directory has pushed, to add to the form's groups. */
function PushedGroups({ provider }: { readonly provider: string }): ReactNode {
  const [search, setSearch] = useState("");
  const late = useDeferredValue(search.trim());
  const { setValue } = useFormContext<{ groups: string[] }>();
  const chosen = useWatch<{ groups: string[] }, "groups">({ name: "groups" });
  const { data } = useQuery({ ...usePushed(provider, late), placeholderData: keepPreviousData });
  const { groupCount = 0, groups = [] } = data ?? {};
  if (groupCount === 0) return null;
  const left = groups.filter(({ externalGroupId }) => !chosen.includes(externalGroupId));
  return (
    <fieldset className={classes["pushed"]}>
      <legend>Pushed by the directory</legend>
      {groupCount > FEW ? (
        <TextInput
          label="Search pushed groups"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
      ) : null}
      <div className={classes["choices"]}>
        {left.map(({ externalGroupId, name = externalGroupId, memberCount = 0 }) => (
          <Button
            key={externalGroupId}
            variant="default"
            size="compact-sm"
            onClick={() =>
              setValue("groups", [...chosen, externalGroupId], { shouldDirty: true, shouldValidate: true })
            }
          >
            <bdi className={classes["choice"]}>{name}</bdi>
            <span className={classes["quiet"]}>
              &nbsp;· {formatQuantity(memberCount, "person", "people")}
            </span>
          </Button>
        ))}
        {left.length === 0 ? <p className={classes["quiet"]}>No other groups match</p> : null}
      </div>
    </fieldset>
  );
}

const values = z.object({
  groups: z.array(z.string()).check(z.minLength(1, "Enter a group")),
  roleUid: z.string().check(z.minLength(1, "Choose a role")),
  justification: z.string(),
});

const EMPTY: z.infer<typeof values> = { groups: [], roleUid: "", justification: "" };
const fieldOf = (path: string): string => renamed(path, { externalGroupId: "groups", scope: "roleUid" });

/** Maps one or more groups of a provider to a role. */
export function MapGroups({
  provider,
  onClose,
}: {
  readonly provider: string;
  readonly onClose: () => void;
}): ReactNode {
  const scope = rootOf(provider);
  const form = useResourceForm({
    schema: values,
    defaultValues: EMPTY,
    fieldOf,
    draft: "map groups",
  });
  const create = useCreate(externalGroupRoleMappings);
  const { reason } = useCan(externalGroupRoleMappings.create, provider);
  const submit = async ({ groups, roleUid, justification }: z.infer<typeof values>) => {
    const distinct = [...new Set(groups)];
    for (const [index, externalGroupId] of distinct.entries()) {
      await create
        .mutateAsync({ parent: provider, body: { externalGroupId, roleUid, scope }, justification })
        .catch((error: unknown) => {
          // Keep only the groups not created yet, so a retry skips the others. The error is about the first one.
          form.setValue("groups", distinct.slice(index), { shouldDirty: true });
          throw error;
        });
    }
    return distinct.length;
  };
  return (
    <FormDrawer
      title="Map groups"
      submitLabel="Map groups"
      savingLabel="Mapping"
      opened
      form={form}
      disabled={reason}
      onClose={onClose}
      onSubmit={submit}
      onSaved={(count) => {
        onClose();
        toast(count === 1 ? "Mapped 1 group" : `Mapped ${count} groups`);
      }}
    >
      <LinesField
        name="groups"
        label="Groups"
        required
        rows={6}
        hint="One per line, exactly as in the groups claim."
      />
      <PushedGroups provider={provider} />
      <RoleField group={scope} />
      <PassesOn group={scope}>{DECIDED_THERE}</PassesOn>
      <DefinitionList items={[{ term: "Applies in", value: <GroupLink uid={scope} /> }]} />
      <JustificationField />
    </FormDrawer>
  );
}

const valuesOf = (record: ExternalGroupRoleMapping | undefined) => ({
  externalGroupId: record?.externalGroupId ?? "",
  roleUid: record?.roleUid ?? "",
  scope: record?.scope ?? "",
});

type Mapped = ReturnType<typeof valuesOf>;
const bodyOf = ({ externalGroupId, roleUid, scope }: Mapped) => ({ externalGroupId, roleUid, scope });

/** Changes the role that a group is mapped to. */
export function ChangeMapping(props: FormProps<ExternalGroupRoleMapping>): ReactNode {
  const { record } = props;
  const drawer = useRecordForm(mappingScreens, { ...props, values: valuesOf, body: bodyOf });
  const scope = record?.scope ?? "";
  return (
    <FormDrawer {...drawer} title="Change role">
      <DefinitionList
        items={[
          { term: "Group", value: <bdi>{record?.externalGroupId}</bdi> },
          { term: "Applies in", value: <GroupLink uid={scope} /> },
        ]}
      />
      <RoleField
        group={scope}
        current={record?.roleUid === undefined ? undefined : { uid: record.roleUid }}
      />
      <PassesOn group={scope}>{DECIDED_THERE}</PassesOn>
      <JustificationField />
    </FormDrawer>
  );
}
