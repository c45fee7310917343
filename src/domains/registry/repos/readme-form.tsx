import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useFormContext, useFormState, useWatch } from "react-hook-form";

import { useCan } from "~/frame/permissions/use-can";
import { useUpdate } from "~/api/mutations/writes";
import { readmeRequest, updateReadme } from "platform-contract/registry/repos";
import { FormRequests } from "~/frame/request-inspector/form-requests";
import { TextAreaField } from "~/ui/form/fields";
import { FormDrawer } from "~/ui/form/form-drawer";
import { NothingToSave } from "~/ui/form/nothing-to-save";
import { useResourceForm } from "~/ui/form/use-resource-form";
import { toast } from "~/ui/feedback/toast-store";

import { isSynced, readmeQuery, readmes, repoScreens, SYNCED_README } from "./data";
import { ReadmeText } from "./readme";
import classes from "./styles.module.css";

interface ReadmeFormProps {
  /** uid of the repo. */
  readonly uid: string;
  readonly onClose: () => void;
}

/** Edits the readme of a repo, once the current content has loaded. */
export function ReadmeForm({ uid, onClose }: ReadmeFormProps): ReactNode {
  const { data } = useQuery(readmeQuery(uid));
  return data ? <Form uid={uid} content={data.content ?? ""} onClose={onClose} /> : null;
}

const VIEWS = ["Write", "Preview"] as const;

function Form({ uid, content, onClose }: ReadmeFormProps & { readonly content: string }): ReactNode {
  // The content when the form was filled, to avoid silently overwriting someone else's change.
  const [opened, setOpened] = useState(content);
  const [view, setView] = useState<(typeof VIEWS)[number]>("Write");
  const form = useResourceForm({
    schema: readmeRequest,
    defaultValues: { content: opened },
    draft: "edit readme",
  });
  const { data: repo } = useQuery(repoScreens.record(uid));
  const { reason } = useCan(updateReadme, uid);
  const { mutateAsync } = useUpdate(readmes);
  const { errors } = useFormState({ control: form.control });
  // Switches to the tab that shows the error.
  const shown = errors.content ? "Write" : view;
  return (
    <FormDrawer
      opened
      page
      onClose={onClose}
      form={form}
      title={repo ? `Edit readme of ${repoScreens.nameOf(repo)}` : "Edit readme"}
      submitLabel="Save readme"
      disabled={repo && isSynced(repo) ? SYNCED_README : reason}
      behind={
        <FormRequests
          form={form}
          requests={(body) => [
            { endpoint: updateReadme, path: { uid }, query: { updateMask: "content" }, body },
          ]}
        />
      }
      onSubmit={(body) => {
        if ((body.content ?? "") === opened) throw new NothingToSave();
        return mutateAsync({ uid, body, mask: ["content"], opened: { uid, content: opened } });
      }}
      onReload={(current) => {
        setOpened(current.content ?? "");
        form.reset({ content: current.content ?? "" });
      }}
      onSaved={() => {
        onClose();
        toast("Saved readme");
      }}
    >
      <div role="group" aria-label="View" className={classes["views"]}>
        {VIEWS.map((each) => (
          <button key={each} type="button" aria-pressed={each === shown} onClick={() => setView(each)}>
            {each}
          </button>
        ))}
      </div>
      <div hidden={shown !== "Write"} className={classes["write"]}>
        <TextAreaField
          name="content"
          label="Readme"
          rows={24}
          code
          hint="Markdown, with tables, task lists, footnotes, alerts and harmless HTML tags."
        />
      </div>
      {shown === "Preview" ? <Preview /> : null}
    </FormDrawer>
  );
}

function Preview(): ReactNode {
  const { control } = useFormContext<{ content: string }>();
  const content = useWatch({ control, name: "content" });
  return (
    <section aria-label="Preview">
      <ReadmeText content={content} />
    </section>
  );
}
