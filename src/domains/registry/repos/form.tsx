import { useDebouncedValue } from "@mantine/hooks";
import type { ReactNode } from "react";
import { useFormContext, useWatch } from "react-hook-form";

import { repos, type Repo, type RepoInput } from "platform-contract/registry/repos";
import { SharedReference } from "~/domains/registry/references/shared-reference";
import { TextAreaField, TextField, SelectField } from "~/ui/form/fields";
import { FormSection } from "~/ui/form/form-section";
import { FormDrawer } from "~/ui/form/form-drawer";
import { ParentGroupField } from "~/frame/form/parent-group-field";
import type { FormProps } from "~/frame/form/drawers";
import { useRecordForm } from "~/frame/form/use-record-form";
import { Disclosure } from "~/ui/form/disclosure";
import { LinesField } from "~/ui/form/lines-field";
import { NO_TIER, TIERS, tierWord } from "~/domains/registry/references/tiers";

import { repoScreens } from "./data";
import { AccountFields, CertificateFields, PackageFields, VariableFields } from "./overlay-fields";
import { fromRepo, toBody, copies, type RepoValues } from "./values";
import { useSetNote } from "./use-set-note";

/** Why these fields cannot be changed. */
const FROM_SOURCE = "A synced repo takes this from its source.";

const KNOWN = TIERS.filter(({ tier }) => tier !== NO_TIER).map(({ tier, label }) => ({ value: tier, label }));

/** Edits the catalog fields of a repo. `stored` remains a choice even if only a newer service knows the tier. */
function CatalogFields({ stored }: { readonly stored: string | undefined }): ReactNode {
  const { control } = useFormContext<RepoValues>();
  const sync_config = useWatch({ control, name: "sync_config" });
  const disabled = copies({ sync_config }) ? FROM_SOURCE : undefined;
  const word = tierWord(stored);
  const known = word === undefined || KNOWN.some(({ value }) => value === stored);
  return (
    <Disclosure title="Catalog" note={useSetNote("catalogTier", "activeTags", "aliases", "bundles")} open>
      <SelectField
        name="catalogTier"
        label="Catalog tier"
        disabled={disabled}
        options={[
          { value: "", label: "none" },
          ...KNOWN,
          ...(known ? [] : [{ value: stored ?? "", label: word }]),
        ]}
      />
      <LinesField
        name="activeTags"
        label="Active tags"
        disabled={disabled}
        hint="Maintained tags, one per line."
      />
      <LinesField
        name="aliases"
        label="Aliases"
        disabled={disabled}
        hint="Other names of the same image, one per line."
      />
      <LinesField name="bundles" label="Bundles" disabled={disabled} hint="Product bundles, one per line." />
    </Disclosure>
  );
}

/** Edits the source of its images, and further destinations. `synced`: true if it currently has a source. */
function SyncFields({ synced }: { readonly synced: boolean }): ReactNode {
  return (
    <Disclosure title="Sync from another repo" note={useSetNote("sync_config")} open={synced}>
      <TextField
        name="sync_config.source"
        label="Source"
        code
        hint={
          synced
            ? "A uid, organization/repo, or an image reference. Clear it to stop syncing and keep the current images."
            : "A uid, organization/repo, or an image reference. Syncing stops after 14 days."
        }
      />
      <TextField
        name="sync_config.google"
        label="Also sync to Google Artifact Registry"
        code
        hint="Needs a source."
      />
      <TextField name="sync_config.amazon" label="Also sync to Amazon ECR" code hint="Needs a source." />
      <TextField
        name="sync_config.azure"
        label="Also sync to Azure Container Registry"
        code
        hint="Needs a source."
      />
    </Disclosure>
  );
}

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
        {record ? null : <ParentGroupField scope={scope} create={repos.create} />}
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
