import { useDebouncedValue } from "@mantine/hooks";
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, type ReactNode } from "react";
import { useWatch, type UseFormReturn } from "react-hook-form";
import * as z from "zod/mini";

import { useCan } from "~/frame/permissions/use-can";
import { useReplace } from "~/api/mutations/writes";
import { rowsOf } from "~/api/queries/queries";
import { parentOf } from "platform-contract/aip";
import { ALL_KINDS, DIGEST, tags, type Tag } from "platform-contract/registry/tags";
import type { InputOf } from "platform-contract/resource";
import { problemsOf } from "~/frame/form/problems";
import { DefinitionList } from "~/ui/display/definition-list";
import { Notice } from "~/ui/feedback/notice";
import { toast } from "~/ui/feedback/toast-store";
import { CheckboxField, TextField } from "~/ui/form/fields";
import { FormDrawer } from "~/ui/form/form-drawer";
import { errorFacts } from "~/ui/feedback/error-facts";
import { refusalFacts } from "~/frame/form/refusal-facts";
import { FormRequests } from "~/frame/request-inspector/form-requests";
import { LinesField } from "~/ui/form/lines-field";
import { segments } from "~/ui/form/problems";
import { useResourceForm } from "~/ui/form/use-resource-form";
import { shortDigest } from "~/ui/display/shorten";

import { repoName as nameOfRepo, repoQuery } from "~/domains/registry/references/repo-query";
import { namedQuery, tagScreens } from "./data";
import classes from "./styles.module.css";
import { useRegistryConnected } from "~/domains/registry/references/use-registry-connected";

type TagInput = InputOf<typeof tags>;

export type TagValues = Required<TagInput>;

/** Returns the form's values for a new tag, or for moving a tag to another image. */
export const fromTag = (tag: Partial<Tag> = {}): TagValues => {
  const { name = "", digest = "", deprecated = false, bundles = [] } = tag;
  return { name, digest, deprecated, bundles };
};

/** Builds the complete tag: a create doesn't keep omitted fields of the tag that it replaces. */
export const toBody = ({ name, digest, deprecated, bundles }: TagValues): TagInput => ({
  name: name.trim(),
  digest: digest.trim(),
  deprecated,
  bundles,
});

/** The form's schema: validates the values and converts them to the body. */
export const tagSchema = z.pipe(
  z.custom<TagValues>().check(({ value, issues }) => {
    const body = toBody(value);
    for (const { field, description } of problemsOf(tags.request, body, undefined)) {
      const message = field === "digest" && body.digest === "" ? "Enter a digest" : description;
      issues.push({ code: "custom", message, path: segments(field), input: value });
    }
  }),
  z.transform(toBody),
);

/** The fixed facts of a tag to move. */
function MovedTag({ tag, repo }: { readonly tag: Tag; readonly repo: string | undefined }): ReactNode {
  return (
    <DefinitionList
      items={[
        { term: "Tag", value: <code>{tag.name}</code>, wide: true },
        { term: "Repo", value: <bdi>{repo ?? "…"}</bdi>, wide: true },
        { term: "Digest now", value: tag.digest && <code>{tag.digest}</code>, wide: true },
      ]}
    />
  );
}

/** Gives the fields that nobody changed what the tag of the typed name has: the create replaces all of it. */
function useRecorded(
  form: Pick<UseFormReturn<TagValues>, "formState" | "setValue">,
  { deprecated = false, bundles }: Partial<Tag> = {},
): void {
  const { dirtyFields } = form.formState;
  useEffect(() => {
    if (!dirtyFields.deprecated) form.setValue("deprecated", deprecated);
    if (!dirtyFields.bundles) form.setValue("bundles", bundles ?? []);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each tag that is found, not for each change of a field
  }, [deprecated, bundles]);
}

type TagFormProps = { readonly onClose: () => void } & (
  | { readonly tag: Tag; readonly repo?: never }
  /** uid of the repo of a new tag. */
  | { readonly repo: string; readonly tag?: never }
);

/** Creates a tag, or moves one to another image. Warns before a create that would move an existing tag. */
export function TagForm({ tag, repo, onClose }: TagFormProps): ReactNode {
  const parent = tag ? parentOf(tag.uid) : repo;
  const form = useResourceForm({
    schema: tagSchema,
    defaultValues: fromTag(tag),
    draft: tag ? "move tag" : "create tag",
  });
  const [typed, digest] = useWatch({ control: form.control, name: ["name", "digest"] });
  const [name] = useDebouncedValue(typed.trim(), 300);
  const named = useInfiniteQuery({
    ...namedQuery(parent, name),
    enabled: tags.request.safeParse({ name, digest: `sha256:${"0".repeat(64)}` }).success,
  });
  const found = typed.trim() === name ? rowsOf(named.data).rows.find((row) => row.name === name) : undefined;
  const there = found ?? tag;
  useRecorded(form, there);
  const { data: home } = useQuery(repoQuery(parent));
  const repoName = home && nameOfRepo(home);
  const creation = useCan(tags.create, parent);
  const { mutateAsync } = useReplace(tags);
  const client = useQueryClient();

  /** Moves a tag back, unless it has moved again. */
  const undo = async (was: Tag, saved: Tag, called: string): Promise<void> => {
    try {
      const read = await client.fetchInfiniteQuery({ ...namedQuery(parent, saved.name), staleTime: 0 });
      if (rowsOf(read).rows[0]?.digest !== saved.digest)
        return toast(`Tag ${called} has moved again since: not undone`, undefined, "info");
      await mutateAsync({ parent, body: toBody(fromTag(was)), find: { name: was.name, ...ALL_KINDS } });
      toast(`Moved tag ${called} back to ${shortDigest(was.digest ?? "")}`);
    } catch (error) {
      toast(`Tag ${called} wasn't moved back. ${errorFacts(error).message}`, undefined, "info");
    }
  };

  return (
    <FormDrawer
      opened
      onClose={onClose}
      form={form}
      title={tag ? "Move tag" : "Create tag"}
      submitLabel={there ? "Move tag" : "Create tag"}
      savingLabel={there ? "Moving" : "Creating"}
      disabled={creation.reason}
      behind={
        <FormRequests
          form={form}
          requests={(values) => [{ endpoint: tags.create, path: { parent }, body: toBody(values) }]}
        />
      }
      onSubmit={async (body) => {
        try {
          return await mutateAsync({ parent, body, find: { name: body.name, ...ALL_KINDS } });
        } catch (error) {
          throw refusalFacts(error, parentOf(parent));
        }
      }}
      onSaved={(saved) => {
        onClose();
        const name = `${tagScreens.nameOf(saved)}${repoName === undefined ? "" : ` of ${repoName}`}`;
        const from = there?.digest;
        if (!there || !from || from === saved.digest)
          toast(`${there ? "Saved" : "Created"} tag ${name}`, {
            label: "Open tag",
            target: tagScreens.link(saved.uid),
          });
        else
          toast(`Moved tag ${name} from ${shortDigest(from)} to ${shortDigest(saved.digest ?? "")}`, {
            label: "Undo",
            onSelect: () => void undo(there, saved, name),
          });
      }}
    >
      {tag ? (
        <MovedTag tag={tag} repo={repoName} />
      ) : (
        <TextField
          name="name"
          label="Name"
          required
          code
          hint="If the repo already has this tag, it moves to the digest below."
        />
      )}
      <TextField
        name="digest"
        label={tag ? "New digest" : "Digest"}
        required
        code
        hint="The digest of the image index: sha256: and 64 hex digits."
      />
      {there && (!tag || digest.trim() !== there.digest) ? (
        <Moving name={there.name} repo={repoName} from={there.digest} to={digest.trim()} />
      ) : null}
      <CheckboxField name="deprecated" label="Deprecated" hint="Past end of life, no longer maintained." />
      <LinesField name="bundles" label="Bundles" hint="Labels, one per line. Optional." />
    </FormDrawer>
  );
}

interface MovingProps {
  readonly name: string;
  readonly repo: string | undefined;
  readonly from: string | undefined;
  readonly to: string;
}

/** Shows what happens to an existing tag: create-or-replace is a single API operation. */
function Moving({ name, repo, from = "", to }: MovingProps): ReactNode {
  const moves = DIGEST.test(to) && to !== from;
  const isConnected = useRegistryConnected();
  const where =
    repo === undefined ? null : (
      <>
        {" "}
        in <bdi>{repo}</bdi>
      </>
    );
  if (!moves)
    return (
      <Notice tone="warning" role="status">
        <bdi>{name}</bdi>
        {where} stays where it is. Saving replaces its other fields.
      </Notice>
    );
  return (
    <Notice tone="warning" role="status">
      Moves <bdi>{name}</bdi>
      {where} from{" "}
      <code className={classes["digest"]} data-exact={from}>
        {shortDigest(from)}
      </code>{" "}
      to{" "}
      <code className={classes["digest"]} data-exact={to}>
        {shortDigest(to)}
      </code>
      .{" "}
      {isConnected
        ? "This changes the list only: the registry keeps its image, and the next comparison restores it here. To move the tag in the registry, push."
        : "Anyone who pulls this tag then gets the other image."}
    </Notice>
  );
}
