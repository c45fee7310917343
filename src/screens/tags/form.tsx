import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState, type ReactNode } from "react";
import { useWatch } from "react-hook-form";

import { useCan } from "~/access/use-can";
import { rowsOf } from "~/api/queries/queries";
import { useReplace } from "~/api/mutations/writes";
import { parentOf } from "~/contract/aip";
import { tags, type Tag } from "~/contract/registry/tags";
import { CheckboxField, TextField } from "~/ui/form/fields";
import { FormDrawer } from "~/ui/form/form-drawer";
import { LinesField } from "~/ui/form/lines-field";
import { useResourceForm } from "~/ui/form/use-resource-form";
import { Notice } from "~/ui/feedback/notice";
import { toast } from "~/ui/feedback/toast-store";
import { tagPage } from "~/features/registry/repo-links";

import { shortDigest } from "./columns";
import { ALL_KINDS, namedQuery } from "./queries";
import { emptyTag, fromTag, tagSchema } from "./values";
import classes from "./tags.module.css";

interface TagFormProps {
  /** A tag to begin with: its name gets another image. */
  readonly tag?: Tag | undefined;
  /** uid of the repo that it belongs to. */
  readonly repo: string | undefined;
  readonly onClose: () => void;
}

/** The value, once it has been the same for so many ms. */
function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

/** Puts an image under a name: a new tag, or one that is moved, which the form says before. */
export function TagForm({ tag, repo, onClose }: TagFormProps): ReactNode {
  const home = tag ? parentOf(tag.uid) : (repo ?? "");
  const form = useResourceForm({
    schema: tagSchema,
    defaultValues: tag ? fromTag(tag) : emptyTag,
    draft: tag ? "move tag" : "create tag",
  });
  const [typed, digest] = useWatch({ control: form.control, name: ["name", "digest"] });
  const name = useSettled(typed.trim(), 300);
  const named = useInfiniteQuery({
    ...namedQuery(home, name),
    enabled: tags.request.safeParse({ name, digest: `sha256:${"0".repeat(64)}` }).success,
  });
  const there = typed.trim() === name ? rowsOf(named.data).rows.find((row) => row.name === name) : undefined;
  const creation = useCan(tags.create, home);
  const { mutateAsync } = useReplace(tags);
  const before = there?.digest;

  return (
    <FormDrawer
      opened
      onClose={onClose}
      form={form}
      title={tag ? "Move tag" : "Create tag"}
      submitLabel={there ? "Move tag" : "Create tag"}
      savingLabel={there ? "Moving" : "Creating"}
      disabled={creation.reason}
      onSubmit={(body) => mutateAsync({ parent: home, body, find: { name: body.name, ...ALL_KINDS } })}
      onSaved={({ uid, name: saved }) => {
        onClose();
        toast(there ? `Moved tag ${saved}` : `Created tag ${saved}`, {
          label: "Open tag",
          target: tagPage(uid),
        });
      }}
    >
      <TextField
        name="name"
        label="Name"
        required
        code
        hint="A name that is there already is moved to the digest that you give here."
      />
      {there ? <Moving name={there.name} from={before} to={digest.trim()} /> : null}
      <TextField
        name="digest"
        label="Digest"
        required
        code
        hint="Of the image's index: sha256: and 64 hex digits."
      />
      <CheckboxField name="deprecated" label="Deprecated" hint="At its end of life: no longer maintained." />
      <LinesField name="bundles" label="Bundles" hint="Labels, one on each line. Optional." />
    </FormDrawer>
  );
}

interface MovingProps {
  readonly name: string;
  readonly from: string | undefined;
  readonly to: string;
}

/** What becomes of a tag that is there: create-or-replace is one operation of the API. */
function Moving({ name, from = "", to }: MovingProps): ReactNode {
  const moves = to !== "" && to !== from;
  return (
    <Notice tone="warning" role="status" title={<bdi>{`${name} is there already`}</bdi>}>
      {moves ? "Saving moves it" : "Saving replaces it"}
      {moves ? (
        <>
          {" "}
          from <code className={classes["digest"]}>{shortDigest(from)}</code> to{" "}
          <code className={classes["digest"]}>{shortDigest(to)}</code>
        </>
      ) : null}
      , with what is chosen here in place of what it says now.
    </Notice>
  );
}
