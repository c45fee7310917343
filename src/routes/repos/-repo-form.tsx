import { useMemo, useState, type ReactNode } from "react";
import { useWatch } from "react-hook-form";

import { useCan } from "~/access/use-can";
import { useCreate, useUpdate } from "~/api/writes";
import { repos, type Repo } from "~/contract/registry/repos";
import { TextAreaField, TextField } from "~/kit/form/fields";
import { FormDrawer } from "~/kit/form/form-drawer";
import { NothingToSave } from "~/kit/form/nothing-to-save";
import { useKitForm } from "~/kit/form/use-kit-form";
import { toast } from "~/kit/toast-store";
import { HomeField } from "~/parts/home-field";
import { useHomes } from "~/parts/homes";
import { repoPage } from "~/parts/repo-links";

import { CatalogFields, SyncFields } from "./-catalog-fields";
import { AccountFields, CertificateFields, PackageFields, VariableFields } from "./-overlay-fields";
import { readmes } from "./-repo-queries";
import { repoSchema } from "./-repo-problems";
import { changesOf, fromRepo, toBody } from "./-repo-values";

interface RepoFormProps {
  /** The repo to change; without one the form creates one. */
  readonly repo?: Repo | undefined;
  /** uid of the group that a new one belongs to, unless the person says otherwise. */
  readonly scope?: string | undefined;
  readonly onClose: () => void;
}

/** A copy that begins or ends changes the readme as well. */
const CHANGED = { ...repos, affects: [...repos.affects, readmes.collection] };

/** Creates a repo, or changes one. */
export function RepoForm({ repo: shown, scope, onClose }: RepoFormProps): ReactNode {
  // As it was when the form was filled: what is saved is what differs from that.
  const [repo, setRepo] = useState(shown);
  const opened = useMemo(() => fromRepo(repo ?? {}, scope), [repo, scope]);
  const before = useMemo(() => (repo ? toBody(opened, opened) : undefined), [repo, opened]);
  const form = useKitForm({
    schema: repoSchema({ opened, before }),
    defaultValues: opened,
    draft: repo ? "edit repo" : "create repo",
  });
  const homes = useHomes(scope);
  const parent = useWatch({ control: form.control, name: "parent" });
  const creation = useCan(repos.create, parent || undefined);
  const change = useCan(repos.update, repo?.uid);
  const create = useCreate(repos);
  const update = useUpdate(CHANGED);

  return (
    <FormDrawer
      opened
      onClose={onClose}
      form={form}
      title={repo ? "Edit repo" : "Create repo"}
      submitLabel={repo ? "Save changes" : "Create repo"}
      savingLabel={repo ? "Saving" : "Creating"}
      disabled={(repo ? change : creation).reason}
      onSubmit={(body) => {
        if (!repo || !before) return create.mutateAsync({ parent: form.getValues("parent"), body });
        const changes = changesOf(before, body);
        if (changes.mask.length === 0) throw new NothingToSave();
        return update.mutateAsync({ uid: repo.uid, opened: repo, ...changes });
      }}
      onReload={(current) => {
        setRepo(current);
        form.reset(fromRepo(current, scope));
      }}
      onSaved={({ uid, name }) => {
        onClose();
        if (repo) toast(`Saved repo ${name}`);
        else toast(`Created repo ${name}`, { label: "Open repo", target: repoPage(uid) });
      }}
    >
      <TextField
        name="name"
        label="Name"
        required
        hint="Lower-case letters and digits, with dots, underscores or dashes between them."
      />
      {repo ? null : <HomeField scope={scope} homes={homes} />}
      <TextAreaField
        name="description"
        label="Description"
        rows={2}
        hint="What its images are for. Left empty, a synced repo takes the text of its source."
      />
      <CatalogFields stored={repo?.catalogTier} />
      <SyncFields synced={before?.sync_config !== undefined} />
      <PackageFields />
      <VariableFields />
      <AccountFields />
      <CertificateFields />
    </FormDrawer>
  );
}
