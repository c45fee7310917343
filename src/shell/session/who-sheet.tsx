import { KeyboardIcon, LogOutIcon } from "lucide-react";
import { Button, TextInput } from "@mantine/core";
import { linkOptions, useRouteContext } from "@tanstack/react-router";
import { useState, type ReactNode, type FormEvent } from "react";
import "@mantine/core/styles/Input.css";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import "~/ui/controls/button-styles";
import { LocalTimesSwitch } from "~/ui/display/local-times-switch";
import { ColorSchemeSwitch } from "~/ui/layout/color-scheme";
import { AppLink } from "~/ui/layout/link";
import { uidToParam } from "~/frame/scope/uid-param";
import { AskFirstSwitch } from "~/frame/undo/ask-first-switch";
import { WhoPanel } from "~/domains/access/current-user/who-panel";
import { openCommand } from "~/shell/command/opened";
import styles from "~/shell/header.module.css";
import { useCurrentUser } from "~/frame/permissions/current-user";
import { call } from "~/api/client/client";
import { invalidateDependents } from "~/api/mutations/patch";
import { updateIdentityMetadata } from "platform-contract/iam/identity-metadata";
import { errorFacts } from "~/ui/feedback/error-facts";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";
import { toast } from "~/ui/feedback/toast-store";

import { useSignOut } from "./use-sign-out";

const KEY = ["identityMetadata"] as const;

interface Values {
  readonly company: string;
  readonly jobTitle: string;
}

/** The user's company and job title. */
function AboutYou(): ReactNode {
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
    <form onSubmit={save} className={styles["about"]}>
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

const STATUS = linkOptions({ to: "/status" });
const overviewOf = (group: string) => linkOptions({ to: "/", search: { group: uidToParam(group) } });

interface WhoSheetProps {
  /** Address of the pages about one's account, if they are this service's. */
  readonly accountPages: string | undefined;
  /** Closes the sheet after a link is followed. */
  readonly onFollow: () => void;
}

/** The user, their roles, the console's appearance, and the sign-out button. */
export function WhoSheet({ accountPages, onFollow }: WhoSheetProps): ReactNode {
  const { leaving, signOut } = useSignOut();
  const [opened, setOpened] = useState(false);
  const { config } = useRouteContext({ from: "__root__" });
  const shortcuts = () => {
    onFollow();
    openCommand("shortcuts");
  };
  return (
    <div className={styles["sheet"]}>
      <WhoPanel linkTo={overviewOf} onFollow={onFollow} />
      <details onToggle={({ currentTarget }) => setOpened((before) => before || currentTarget.open)}>
        <summary>Company and job title</summary>
        {opened ? <AboutYou /> : null}
      </details>
      <ColorSchemeSwitch />
      <AskFirstSwitch />
      <LocalTimesSwitch />
      <Button variant="default" leftSection={<KeyboardIcon size={16} />} onClick={shortcuts}>
        Keyboard shortcuts
      </Button>
      <AppLink target={STATUS} onClick={onFollow}>
        Platform status
      </AppLink>
      {accountPages !== undefined && config.mail && <a href={`${accountPages}/email`}>Email address</a>}
      {accountPages !== undefined && <a href={`${accountPages}/security`}>Second factors</a>}
      {config.supportUrl !== undefined && <a href={config.supportUrl}>Support</a>}
      {config.imprintUrl !== undefined && <a href={config.imprintUrl}>Imprint</a>}
      <div className={styles["actions"]}>
        <Button variant="default" leftSection={<LogOutIcon size={16} />} loading={leaving} onClick={signOut}>
          Sign out
        </Button>
        {accountPages !== undefined && <a href={`${accountPages}/password`}>Change password</a>}
      </div>
    </div>
  );
}
