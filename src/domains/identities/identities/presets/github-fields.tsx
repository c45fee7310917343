import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { useFormContext, useWatch } from "react-hook-form";

import "~/ui/controls/button-styles";
import { Code } from "~/ui/display/code";
import { fieldsBeside } from "~/ui/form/field-parts";
import { CheckboxField, SelectField, TextField } from "~/ui/form/fields";
import { Notice } from "~/ui/feedback/notice";

import {
  GITHUB_ISSUER,
  githubSubject,
  hasRef,
  splitRepository,
  type GitHubRef,
  type GitHubTrust,
  type GitHubValues,
} from "../github";
import type { IdentityValues } from "../values";
import classes from "./styles.module.css";
import { IssuerNote } from "../issuer-note";

const TRUSTS: readonly { value: GitHubTrust; label: string }[] = [
  { value: "branch", label: "a branch" },
  { value: "tag", label: "a tag" },
  { value: "environment", label: "an environment" },
  { value: "pull_request", label: "pull requests" },
  { value: "any", label: "any workflow" },
];

const REFS: Readonly<Record<GitHubRef, { label: string; hint: string }>> = {
  branch: { label: "Branch", hint: "Branch name. Use * as a wildcard, e.g. release/*" },
  tag: { label: "Tag", hint: "Tag name. Use * as a wildcard, e.g. v*" },
  environment: {
    label: "Environment",
    hint: "As in the repository's settings. Only jobs that name it match.",
  },
};

/** Edits which workflows of a repository match, in terms of the claims in GitHub's tokens. */
export function GitHubFields(): ReactNode {
  const { control, getValues, setValue } = useFormContext<IdentityValues>();
  const github = useWatch({ control, name: "github" });
  const { trust } = github;
  // Both are pasted together more often than each.
  const split = () => {
    const pasted = splitRepository(getValues("github.owner"));
    if (!pasted) return;
    setValue("github.owner", pasted.owner, { shouldDirty: true });
    setValue("github.repository", pasted.repository, { shouldDirty: true });
  };
  return (
    <>
      <IssuerNote issuer={GITHUB_ISSUER} />
      <div className={fieldsBeside} onBlur={split}>
        <TextField
          name="github.owner"
          label="Owner"
          required
          code
          hint="The organization or user, or owner/repository."
        />
        {github.withoutIds ? null : <TextField name="github.ownerId" label="Owner ID" required code />}
      </div>
      <div className={fieldsBeside}>
        <TextField name="github.repository" label="Repository" required code />
        {github.withoutIds ? null : (
          <TextField name="github.repositoryId" label="Repository ID" required code />
        )}
      </div>
      {github.withoutIds ? <WithoutIds /> : <WhereIdsAre github={github} />}
      <CheckboxField
        name="github.withoutIds"
        label="My tokens have no IDs"
        hint="For repositories created before July 2026 that haven't opted in."
      />
      <SelectField name="github.trust" label="Allow" options={TRUSTS} />
      {hasRef(trust) ? (
        <TextField key={trust} name={`github.refs.${trust}`} required code {...REFS[trust]} />
      ) : null}
      <TextField
        name="claimMatch.audience"
        label="Audience"
        code
        hint="The aud claim your workflow requests. Leave empty for this platform."
      />
    </>
  );
}

function WhereIdsAre({ github: { owner, repository } }: { github: GitHubValues }): ReactNode {
  const plain = (text: string, example: string) => (/^[\w.-]+$/.test(text.trim()) ? text.trim() : example);
  const command = `gh api repos/${plain(owner, "OWNER")}/${plain(repository, "REPOSITORY")} --jq '.owner.id, .id'`;
  return (
    <div className={classes["hint"]}>
      <p>Names can be re-registered by someone else; IDs can&apos;t. Get both with the GitHub CLI:</p>
      <Code value={command} what="command" />
    </div>
  );
}

const WithoutIds = (): ReactNode => (
  <Notice tone="warning" title="Anyone who takes over this name gets access">
    If the owner or the repository is renamed, transferred or deleted, someone else can register its name and
    sign in as this identity. If you can, opt in to IDs in the repository&apos;s OIDC settings.
  </Notice>
);

/** Shows the subject that results from the fields, once they are there. `onRaw` continues by editing it. */
export function GitHubOutcome({ onRaw }: { readonly onRaw: () => void }): ReactNode {
  const { control } = useFormContext<IdentityValues>();
  const github = useWatch({ control, name: "github" });
  const { subject, subjectPattern } = githubSubject(github);
  const { owner, ownerId, repository, repositoryId, withoutIds } = github;
  const needed = withoutIds ? [owner, repository] : [owner, ownerId, repository, repositoryId];
  const complete = needed.every((text) => text.trim() !== "");
  return (
    <div className={classes["outcome"]}>
      <p className={classes["label"]}>
        {subject === undefined ? "Matching subjects (pattern)" : "Matching subject"}
      </p>
      {complete ? (
        <>
          <output className={classes["outcomeText"]}>
            <code dir="ltr">{subject ?? subjectPattern}</code>
          </output>
          <Button variant="subtle" size="compact-sm" className={classes["raw"] ?? ""} onClick={onRaw}>
            Edit as raw claims
          </Button>
        </>
      ) : (
        <p className={classes["hint"]}>
          {withoutIds
            ? "Enter the owner and the repository."
            : "Enter the owner, the repository and their IDs."}
        </p>
      )}
    </div>
  );
}
