import { Button, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent, type ReactNode } from "react";

import "@mantine/core/styles/Input.css";
import { call } from "~/api/client/client";
import { invalidateDependents } from "~/api/mutations/patch";
import { useCurrentUser } from "~/frame/permissions/current-user";
import "~/ui/controls/button-styles";
import { errorFacts } from "~/ui/feedback/error-facts";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";
import { toast } from "~/ui/feedback/toast-store";
import { updateIdentityMetadata } from "platform-contract/iam/identity-metadata";

import styles from "./preferences.module.css";

const KEY = ["identityMetadata"] as const;

interface Values {
  readonly company: string;
  readonly jobTitle: string;
}

/** The user's company and job title. */
export function AboutYou(): ReactNode {
  const { identityUid } = useCurrentUser();
  const { data, error, refetch } = useQuery({
    queryKey: [...KEY, identityUid],
    // The API has no other way to read them: an update without fields changes nothing.
    queryFn: ({ signal }) => call(updateIdentityMetadata, { body: {}, signal }),
  });
  if (error && !data) return <FailedPart title="They couldn't be loaded" error={error} onRetry={refetch} />;
  if (!data) return <p role="status">Loading…</p>;
  return <Form values={{ company: data.company ?? "", jobTitle: data.jobTitle ?? "" }} />;
}

function Form({ values }: { readonly values: Values }): ReactNode {
  const client = useQueryClient();
  const { identityUid } = useCurrentUser();
  const [draft, setDraft] = useState(values);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (identityMetadata: Values) =>
      call(updateIdentityMetadata, { body: { identityMetadata, updateMask: "company,jobTitle" } }),
    onSuccess: (saved) => {
      client.setQueryData([...KEY, identityUid], saved);
      invalidateDependents(client, ["identities"]);
      toast("Saved company and job title");
    },
  });
  const field = (name: keyof Values, label: string, description: string) => (
    <TextInput
      label={label}
      description={description}
      value={draft[name]}
      onChange={({ currentTarget }) => setDraft((before) => ({ ...before, [name]: currentTarget.value }))}
      maxLength={200}
      autoComplete={name === "company" ? "organization" : "organization-title"}
      dir="auto"
    />
  );
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending) mutate(draft);
  };
  return (
    <form onSubmit={save} className={styles["form"]}>
      {field("company", "Company", "Shown to everyone who can see you.")}
      {field("jobTitle", "Job title", "Not shown to other users.")}
      {error ? (
        <Notice tone="danger" role="alert" title="They weren't saved">
          {errorFacts(error).message}
        </Notice>
      ) : null}
      <div>
        <Button type="submit" variant="default" loading={isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}
