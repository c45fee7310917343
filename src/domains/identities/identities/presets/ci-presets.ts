/** Build systems whose jobs get tokens. */
import { issuerField, numberField, uuidField, type Preset } from "./preset";

const BRANCH_HINT = "Use * as a wildcard, e.g. release/*";

export const gitlab: Preset = {
  value: "gitlab",
  label: "GitLab CI",
  about: "Jobs in one project that request a token with id_tokens.",
  docs: "https://docs.gitlab.com/ci/secrets/id_token_authentication/",
  fields: [
    issuerField({
      label: "GitLab address",
      hint: "The instance's external URL.",
      example: "https://gitlab.com",
      initial: "https://gitlab.com",
    }),
    {
      name: "project",
      label: "Project path",
      hint: "Including its groups.",
      example: "acme/platform/app",
      like: /^[^/\s:]+(?:\/[^/\s:]+)+$/,
      problem: "Enter the group and the project, such as acme/app",
    },
    {
      name: "type",
      label: "Allow",
      example: "branch",
      initial: "branch",
      options: [
        { value: "branch", label: "a branch" },
        { value: "tag", label: "a tag" },
      ],
    },
    { name: "ref", label: "Branch or tag", hint: BRANCH_HINT, example: "main", initial: "main" },
    numberField({
      name: "projectId",
      label: "Project ID",
      hint: "A path can be taken over after a rename; the id can't.",
      example: "278964",
      optional: true,
    }),
  ],
  rule: {
    issuer: "{issuer}",
    subject: "project_path:{project}:ref_type:{type}:ref:{ref}",
    claims: { project_id: "{projectId}" },
  },
  barrier: ":",
  claims: [
    { claim: "sub", means: "project, and branch or tag" },
    { claim: "aud", means: "the audience that the job requests with aud" },
    { claim: "project_id", means: "the project's number, which a rename doesn't change" },
    { claim: "ref_protected", means: '"true" on protected branches and tags' },
    { claim: "environment", means: "the environment that the job deploys to" },
  ],
  example: "project_path:acme/app:ref_type:branch:ref:main",
};

export const githubEnterprise: Preset = {
  value: "github-enterprise",
  label: "GitHub Enterprise",
  about: "Workflows of one repository whose tokens have an issuer of your own, not that of github.com.",
  docs: "https://docs.github.com/en/enterprise-server/actions/reference/security/oidc",
  fields: [
    issuerField({
      label: "Issuer",
      hint: "Server: https://HOST/_services/token. On ghe.com: https://token.actions.SUBDOMAIN.ghe.com. Cloud with an issuer of the enterprise: https://token.actions.githubusercontent.com/ENTERPRISE.",
      example: "https://github.acme.example/_services/token",
    }),
    {
      name: "repository",
      label: "Repository",
      hint: "As in the sub claim, with IDs if it has them: acme@1234/app@5678.",
      example: "acme/app",
      like: /^[^/\s:]+\/[^/\s:]+$/,
      problem: "Enter the owner and the repository, such as acme/app",
    },
    {
      name: "type",
      label: "Allow",
      example: "branch",
      initial: "ref:refs/heads/{ref}",
      options: [
        { value: "ref:refs/heads/{ref}", label: "a branch" },
        { value: "ref:refs/tags/{ref}", label: "a tag" },
        { value: "environment:{ref}", label: "an environment" },
      ],
    },
    {
      name: "ref",
      label: "Branch, tag or environment",
      hint: BRANCH_HINT,
      example: "main",
      initial: "main",
    },
    numberField({
      name: "repositoryId",
      label: "Repository ID",
      hint: "A name can be taken over after a rename; the ID can't.",
      example: "5678",
      optional: true,
    }),
    {
      name: "enterprise",
      label: "Enterprise",
      hint: "The enterprise claim: for an issuer that several enterprises share.",
      example: "acme",
      optional: true,
    },
  ],
  rule: {
    issuer: "{issuer}",
    subject: "repo:{repository}:{type}",
    claims: { repository_id: "{repositoryId}", enterprise: "{enterprise}" },
  },
  barrier: ":",
  claims: [
    { claim: "iss", means: "the installation; the platform must be able to reach it" },
    { claim: "sub", means: "repository, and branch, tag or environment" },
    { claim: "aud", means: "the audience that the workflow requests" },
    { claim: "repository_id", means: "the repository's number, which a rename doesn't change" },
    { claim: "enterprise", means: "the name of the enterprise" },
  ],
  example: "repo:acme/app:ref:refs/heads/main",
};

export const bitbucket: Preset = {
  value: "bitbucket",
  label: "Bitbucket Pipelines",
  about: "Steps in one repository that set oidc: true.",
  docs: "https://support.atlassian.com/bitbucket-cloud/docs/integrate-pipelines-with-resource-servers-using-oidc/",
  fields: [
    { name: "workspace", label: "Workspace", hint: "As in its URL.", example: "acme", like: /^[\w.-]+$/ },
    uuidField({
      name: "workspaceId",
      label: "Workspace UUID",
      hint: "Without braces. All of these are in Repository settings > OpenID Connect.",
    }),
    uuidField({
      name: "repositoryId",
      label: "Repository UUID",
      hint: "Without braces.",
    }),
    {
      name: "branch",
      label: "Branch",
      hint: "Leave empty for any branch.",
      example: "main",
      optional: true,
    },
  ],
  rule: {
    issuer: "https://api.bitbucket.org/2.0/workspaces/{workspace}/pipelines-config/identity/oidc",
    subject: "{{repositoryId}}:*",
    audience: "ari:cloud:bitbucket::workspace/{workspaceId}",
    claims: { branchName: "{branch}" },
  },
  barrier: "",
  claims: [
    {
      claim: "sub",
      means: "repository, deployment environment if any, and step; differs in each run",
    },
    { claim: "aud", means: "the workspace, unless the step sets its own audiences" },
    { claim: "branchName", means: "the branch" },
    { claim: "deploymentEnvironmentUuid", means: "the deployment environment, in braces" },
  ],
  example: "{6f9619ff-8b86-d011-b42d-00c04fc964ff}:{0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9}",
};

export const buildkite: Preset = {
  value: "buildkite",
  label: "Buildkite",
  about: "Jobs in one pipeline that use buildkite-agent oidc request-token.",
  docs: "https://buildkite.com/docs/agent/v3/cli-oidc",
  fields: [
    { name: "organization", label: "Organization", hint: "Its slug.", example: "acme", like: /^[\w.-]+$/ },
    { name: "pipeline", label: "Pipeline", hint: "Its slug.", example: "app" },
    {
      name: "ref",
      label: "Branch or tag",
      hint: "Including refs/heads/ or refs/tags/. Use * as a wildcard.",
      example: "refs/heads/main",
      initial: "refs/heads/main",
      like: /^refs\//,
      problem: "Start with refs/heads/ or refs/tags/",
    },
    { name: "step", label: "Step key", hint: "Use * for any.", example: "*", initial: "*" },
  ],
  rule: {
    issuer: "https://agent.buildkite.com",
    subject: "organization:{organization}:pipeline:{pipeline}:ref:{ref}:commit:*:step:{step}",
  },
  barrier: ":",
  claims: [
    { claim: "sub", means: "organization, pipeline, ref, commit and step" },
    { claim: "aud", means: "the audience requested with --audience" },
    { claim: "build_branch", means: "the branch" },
    { claim: "runner_environment", means: "buildkite-hosted or self-hosted" },
  ],
  example: "organization:acme:pipeline:app:ref:refs/heads/main:commit:9f31820:step:build",
};

export const jenkins: Preset = {
  value: "jenkins",
  label: "Jenkins",
  about: "One job that uses the OpenID Connect Provider plugin.",
  docs: "https://plugins.jenkins.io/oidc-provider/",
  fields: [
    issuerField({
      label: "Issuer",
      hint: "Shown on the credential. Includes the credential's folder.",
      example: "https://jenkins.example.com/oidc",
    }),
    {
      name: "job",
      label: "Job URL",
      hint: "Including the trailing slash. Different if a claim template for sub is configured.",
      example: "https://jenkins.example.com/job/release/",
    },
  ],
  rule: { issuer: "{issuer}", subject: "{job}" },
  barrier: "/",
  claims: [
    { claim: "sub", means: "the job's URL, unless a claim template changes it" },
    { claim: "aud", means: "the audience of the credential" },
    { claim: "build_number", means: "the number of the build" },
  ],
  example: "https://jenkins.example.com/job/release/",
};

export const circleci: Preset = {
  value: "circleci",
  label: "CircleCI",
  about: "Jobs in one project that use $CIRCLE_OIDC_TOKEN_V2.",
  docs: "https://circleci.com/docs/openid-connect-tokens/",
  fields: [
    uuidField({
      name: "organization",
      label: "Organization id",
    }),
    uuidField({
      name: "project",
      label: "Project ID",
    }),
    {
      name: "ref",
      label: "Branch or tag",
      hint: "Including refs/heads/ or refs/tags/. Leave empty for any.",
      example: "refs/heads/main",
      optional: true,
    },
  ],
  rule: {
    issuer: "https://oidc.circleci.com/org/{organization}",
    subject: "org/{organization}/project/{project}/user/*",
    audience: "{organization}",
    claims: { "oidc.circleci.com/vcs-ref": "{ref}" },
  },
  barrier: "",
  claims: [
    { claim: "sub", means: "organization, project and user; in version 2 also repository and ref" },
    { claim: "aud", means: "the organization id, unless claims are customized" },
    {
      claim: "oidc.circleci.com/vcs-ref",
      means: "the branch or tag; missing if no change triggered the job",
    },
  ],
  example: "org/1b9d…/project/6f96…/user/0a1b…/vcs-origin/github.com/acme/app/vcs-ref/refs/heads/main",
};
