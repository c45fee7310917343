import { useDebouncedValue } from "@mantine/hooks";
import type { ReactNode } from "react";
import { useFormContext, useWatch } from "react-hook-form";

import type { Repo, RepoInput } from "platform-contract/registry/repos";
import { SharedReference } from "~/domains/registry/references/shared-reference";
import { TextAreaField, TextField } from "~/ui/form/fields";
import { FormSection } from "~/ui/form/form-section";
import { FormDrawer } from "~/ui/form/form-drawer";
import { ParentGroupField } from "~/frame/form/parent-group-field";
import type { FormProps } from "~/frame/form/drawers";
import { useRecordForm } from "~/frame/form/use-record-form";

import { CatalogFields, SyncFields } from "./catalog-fields";
import { repoScreens } from "./data";
import { AccountFields, CertificateFields, PackageFields, VariableFields } from "./overlay-fields";
import { fromRepo, toBody } from "./values";

/** Paths to replace as a whole: maps, and a sync configuration that is added or removed, which can't be partial. */
export const leaves = (before: RepoInput, after: RepoInput): readonly string[] => [
  "customOverlay.environment",
  "customOverlay.annotations",
  ...(before.sync_config && after.sync_config ? [] : ["sync_config"]),
];

/** How long a name has to stay the same before others of that name are looked for, in ms. */
const DEBOUNCE_MS = 300;

/** Warns while typing if the repo would share its pull reference. */
function NameTaken({ of }: { readonly of: Repo | undefined }): ReactNode {
  const { control } = useFormContext<{ name: string; parent: string }>();
  const [typed, parent] = useWatch({ control, name: ["name", "parent"] });
  const [name] = useDebouncedValue((typed ?? "").trim(), DEBOUNCE_MS);
  const at = of?.uid ?? parent;
  return name && at ? <SharedReference at={at} name={name} uid={of?.uid} /> : null;
}

/** Creates or edits a repo. */
export function RepoForm(props: FormProps<Repo>): ReactNode {
  const { record, scope } = props;
  const drawer = useRecordForm(repoScreens, { ...props, values: fromRepo, body: toBody, leaves });
  return (
    <FormDrawer {...drawer} page>
      <FormSection title="Details">
        <TextField
          name="name"
          label="Name"
          required
          hint="Lowercase letters and digits, with dots, underscores or dashes between them."
        />
        {record ? null : <ParentGroupField scope={scope} />}
        <NameTaken of={record} />
        <TextAreaField
          name="description"
          label="Description"
          rows={2}
          hint="Shown to everyone with access. A synced repo without one uses its source's."
        />
      </FormSection>
      <FormSection title="Contents" description="All optional.">
        <div>
          <CatalogFields stored={record?.catalogTier} />
          <SyncFields synced={Boolean(record?.sync_config)} />
          <PackageFields />
          <VariableFields />
          <AccountFields />
          <CertificateFields />
        </div>
      </FormSection>
    </FormDrawer>
  );
}
