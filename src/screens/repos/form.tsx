import type { ReactNode } from "react";

import type { Repo, RepoInput } from "~/contract/registry/repos";
import { TextAreaField, TextField } from "~/ui/form/fields";
import { FormSection } from "~/ui/form/form-section";
import { FormDrawer } from "~/ui/form/form-drawer";
import { ParentGroupField } from "~/resource/parent-group-field";
import type { FormProps } from "~/resource/drawers";
import { useRecordForm } from "~/resource/use-record-form";

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
