import type { ReactNode } from "react";
import { useFormContext, useWatch } from "react-hook-form";

import { SelectField, TextField } from "~/ui/form/fields";
import { Disclosure } from "~/ui/form/disclosure";
import { LinesField } from "~/ui/form/lines-field";
import { NO_TIER, TIERS, tierWord } from "~/domains/registry/references/tiers";

import { useSetNote } from "./use-set-note";
import { copies, type RepoValues } from "./values";

/** Why these fields cannot be changed. */
const FROM_SOURCE = "A synced repo takes this from its source.";

const KNOWN = TIERS.filter(({ tier }) => tier !== NO_TIER).map(({ tier, label }) => ({ value: tier, label }));

/** Edits the catalog fields of a repo. `stored` remains a choice even if only a newer service knows the tier. */
export function CatalogFields({ stored }: { readonly stored: string | undefined }): ReactNode {
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
export function SyncFields({ synced }: { readonly synced: boolean }): ReactNode {
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
