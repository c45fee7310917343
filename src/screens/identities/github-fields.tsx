import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { useFormContext, useWatch } from "react-hook-form";

import "~/ui/controls/button-styles";
import { CopyButton } from "~/ui/display/copy-button";
import { CheckboxField, SelectField, TextField } from "~/ui/form/fields";
import { Notice } from "~/ui/feedback/notice";

import {
  GITHUB_ISSUER,
  githubSubject,
  hasRef,
  type GitHubRef,
  type GitHubTrust,
  type GitHubValues,
} from "./github";
import { asClaims, type IdentityValues } from "./values";
import classes from "./identities.module.css";
import { IssuerNote } from "./issuer-note";

const TRUSTS: readonly { value: GitHubTrust; label: string }[] = [
  { value: "branch", label: "one branch" },
  { value: "tag", label: "a tag" },
  { value: "environment", label: "an environment" },
  { value: "pull_request", label: "pull requests" },
  { value: "any", label: "any workflow of the repository" },
];

const REFS: Readonly<Record<GitHubRef, { label: string; hint: string }>> = {
  branch: { label: "Branch", hint: "Its name; * stands for any text: release/*" },
  tag: { label: "Tag", hint: "Its name; * stands for any text: v*" },
  environment: {
    label: "Environment",
    hint: "As in the repository's settings. Jobs that name none do not fit.",
  },
};

/** A workflow of one repository, by what GitHub's tokens say of it. */
export function GitHubFields(): ReactNode {
  const { control } = useFormContext<IdentityValues>();
  const github = useWatch({ control, name: "github" });
  const { trust } = github;
  return (
    <>
      <IssuerNote issuer={GITHUB_ISSUER} />
      <div className={classes["pair"]}>
        <TextField name="github.owner" label="Owner" required code hint="The organization or user." />
        {github.withoutIds ? null : <TextField name="github.ownerId" label="Owner id" required code />}
      </div>
      <div className={classes["pair"]}>
        <TextField name="github.repository" label="Repository" required code />
        {github.withoutIds ? null : (
          <TextField name="github.repositoryId" label="Repository id" required code />
        )}
      </div>
      {github.withoutIds ? <WithoutIds /> : <WhereIdsAre github={github} />}
      <CheckboxField
        name="github.withoutIds"
        label="The repository's tokens carry no ids"
        hint="So it is for repositories from before July 2026 that have not opted in to them."
      />
      <SelectField name="github.trust" label="What is trusted" options={TRUSTS} />
      {hasRef(trust) ? (
        <TextField key={trust} name={`github.refs.${trust}`} required code {...REFS[trust]} />
      ) : null}
      <TextField
        name="claimMatch.audience"
        label="Audience"
        code
        hint="Whom the tokens are meant for, as the workflow asks for them. Empty: this platform."
      />
      <Outcome github={github} />
    </>
  );
}

function WhereIdsAre({ github: { owner, repository } }: { github: GitHubValues }): ReactNode {
  const plain = (text: string, example: string) => (/^[\w.-]+$/.test(text.trim()) ? text.trim() : example);
  const command = `gh api repos/${plain(owner, "OWNER")}/${plain(repository, "REPOSITORY")} --jq '.owner.id, .id'`;
  return (
    <div className={classes["hint"]}>
      <p>
        A name that is given up can be taken by somebody else, an id never: with both, nobody can pose as this
        repository. GitHub&apos;s command line tells both ids:
      </p>
      <span className={classes["code"]}>
        <code>{command}</code>
        <CopyButton value={command} what="command" />
      </span>
    </div>
  );
}

const WithoutIds = (): ReactNode => (
  <Notice tone="warning" title="Whoever gets the name gets in">
    If the owner or the repository is renamed, transferred or deleted, its name is free. The next repository
    of that name is then taken for this one. Opt in to ids in the repository&apos;s OIDC settings where you
    can.
  </Notice>
);

/** What the fields come to, in the API's words. */
function Outcome({ github }: { github: GitHubValues }): ReactNode {
  const { getValues, setValue } = useFormContext<IdentityValues>();
  const { subject, subjectPattern } = githubSubject(github);
  const complete = github.owner.trim() !== "" && github.repository.trim() !== "";
  const goOn = () => {
    const { claimMatch, kind } = asClaims(getValues());
    setValue("claimMatch", claimMatch, { shouldDirty: true });
    setValue("kind", kind, { shouldDirty: true });
  };
  return (
    <div className={classes["outcome"]}>
      <p className={classes["outcomeLabel"]}>
        {subject === undefined ? "Subjects that fit the pattern" : "The subject that fits"}
      </p>
      <output className={classes["outcomeText"]}>
        <code dir="ltr">{complete ? (subject ?? subjectPattern) : "repo:OWNER@ID/REPOSITORY@ID:…"}</code>
      </output>
      {complete ? (
        <Button variant="subtle" size="compact-sm" className={classes["goOn"] ?? ""} onClick={goOn}>
          Go on with the claims themselves
        </Button>
      ) : null}
    </div>
  );
}
