/** An input field of a preset. */
export interface PresetField {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly example: string;
  /** Initial value. */
  readonly initial?: string;
  readonly optional?: boolean;
  /** The text must match, or else `problem` is shown. */
  readonly like?: RegExp;
  readonly problem?: string;
  /** Options to choose from, which can contain other fields. */
  readonly options?: readonly { readonly value: string; readonly label: string }[];
}

/**
 * A token provider and its claims. In templates, `{name}` is a field; a `*`, in a template or a field, matches any text
 * without `barrier` characters, and turns the text into a pattern. Omits templates that use an empty optional field.
 */
export interface Preset {
  readonly value: string;
  readonly label: string;
  /** Describes the workloads; `docs` is the provider's documentation of their tokens. */
  readonly about: string;
  readonly docs: string;
  readonly fields: readonly PresetField[];
  readonly rule:
    | {
        readonly issuer: string;
        readonly subject: string;
        readonly audience?: string;
        readonly claims?: Readonly<Record<string, string>>;
      }
    | { readonly awsAccount: string; readonly arn: string; readonly userId: string };
  /** Characters that `*` doesn't match, so that it cannot extend into the next part of the text. */
  readonly barrier: string;
  /** The claims of the provider's tokens, with one line of explanation each. */
  readonly claims: readonly { readonly claim: string; readonly means: string }[];
  /** An example subject in the provider's format. */
  readonly example: string;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const UUID_PROBLEM = "Enter a UUID, such as 6f9619ff-8b86-d011-b42d-00c04fc964ff";
const ISSUER = /^https?:\/\/\S+$/;
const ISSUER_PROBLEM = "Enter the issuer's URL, starting with https://";
const BRANCH_HINT = "Use * as a wildcard, e.g. release/*";

export const PRESETS: readonly Preset[] = [
  {
    value: "gitlab",
    label: "GitLab CI",
    about: "Jobs in one project that request a token with id_tokens.",
    docs: "https://docs.gitlab.com/ci/secrets/id_token_authentication/",
    fields: [
      {
        name: "issuer",
        label: "GitLab address",
        hint: "The instance's external URL.",
        example: "https://gitlab.com",
        initial: "https://gitlab.com",
        like: ISSUER,
        problem: ISSUER_PROBLEM,
      },
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
      {
        name: "projectId",
        label: "Project ID",
        hint: "A path can be taken over after a rename; the id can't.",
        example: "278964",
        optional: true,
        like: /^\d+$/,
        problem: "Use digits only",
      },
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
  },
  {
    value: "github-enterprise",
    label: "GitHub Enterprise",
    about: "Workflows of one repository whose tokens have an issuer of your own, not that of github.com.",
    docs: "https://docs.github.com/en/enterprise-server/actions/reference/security/oidc",
    fields: [
      {
        name: "issuer",
        label: "Issuer",
        hint: "Server: https://HOST/_services/token. On ghe.com: https://token.actions.SUBDOMAIN.ghe.com. Cloud with an issuer of the enterprise: https://token.actions.githubusercontent.com/ENTERPRISE.",
        example: "https://github.acme.example/_services/token",
        like: ISSUER,
        problem: ISSUER_PROBLEM,
      },
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
      {
        name: "repositoryId",
        label: "Repository ID",
        hint: "A name can be taken over after a rename; the ID can't.",
        example: "5678",
        optional: true,
        like: /^\d+$/,
        problem: "Use digits only",
      },
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
  },
  {
    value: "kubernetes",
    label: "Kubernetes service account",
    about: "Pods that run as one service account, with a projected token.",
    docs: "https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/",
    fields: [
      {
        name: "issuer",
        label: "Cluster issuer",
        hint: "kubectl get --raw /.well-known/openid-configuration",
        example: "https://oidc.eks.eu-central-1.amazonaws.com/id/EXAMPLE",
        like: ISSUER,
        problem: ISSUER_PROBLEM,
      },
      { name: "namespace", label: "Namespace", example: "default" },
      { name: "account", label: "Service account", example: "deployer" },
    ],
    rule: { issuer: "{issuer}", subject: "system:serviceaccount:{namespace}:{account}" },
    barrier: ":",
    claims: [
      { claim: "iss", means: "the cluster; the platform must be able to reach it" },
      { claim: "sub", means: "namespace and service account" },
      { claim: "aud", means: "the audience of the projected volume" },
    ],
    example: "system:serviceaccount:default:deployer",
  },
  {
    value: "aws",
    label: "AWS role",
    about: "Anything that assumes an IAM role: EC2, Lambda, ECS, or a person on the command line.",
    docs: "https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html",
    fields: [
      {
        name: "account",
        label: "AWS account",
        example: "123456789012",
        like: /^\d{12}$/,
        problem: "Use 12 digits",
      },
      { name: "role", label: "Role name", hint: "Without its path.", example: "build" },
      {
        name: "roleId",
        label: "Role id",
        hint: "aws iam get-role --role-name NAME --query Role.RoleId",
        example: "AROAIOSFODNN7EXAMPLE",
        like: /^AROA[A-Z0-9]+$/,
        problem: "Enter the id that starts with AROA",
      },
      {
        name: "session",
        label: "Session name",
        hint: "On EC2, the instance id. Use * for any.",
        example: "*",
        initial: "*",
      },
    ],
    rule: {
      awsAccount: "{account}",
      arn: "arn:aws:sts::{account}:assumed-role/{role}/{session}",
      userId: "{roleId}:{session}",
    },
    barrier: ":/",
    claims: [
      { claim: "Arn", means: "account, role and session, as in sts get-caller-identity" },
      {
        claim: "UserId",
        means: "the role's id, never reused for another role, and the session",
      },
    ],
    example: "arn:aws:sts::123456789012:assumed-role/build/i-0abc123",
  },
  {
    value: "azure",
    label: "Azure managed identity",
    about: "Managed identities and service principals in one Microsoft Entra ID tenant.",
    docs: "https://learn.microsoft.com/entra/identity-platform/access-token-claims-reference",
    fields: [
      {
        name: "tenant",
        label: "Tenant ID",
        example: UUID_PROBLEM.slice(-36),
        like: UUID,
        problem: UUID_PROBLEM,
      },
      {
        name: "issuer",
        label: "Token version",
        hint: "Set by the application that the token is requested for. See the ver claim.",
        example: "",
        initial: "https://login.microsoftonline.com/{tenant}/v2.0",
        options: [
          { value: "https://login.microsoftonline.com/{tenant}/v2.0", label: "2.0" },
          { value: "https://sts.windows.net/{tenant}/", label: "1.0" },
        ],
      },
      {
        name: "object",
        label: "Object (principal) id",
        hint: "Not the client ID of the managed identity.",
        example: UUID_PROBLEM.slice(-36),
        like: UUID,
        problem: UUID_PROBLEM,
      },
      {
        name: "audience",
        label: "Audience",
        hint: "The application that the token is requested for.",
        example: "api://platform",
      },
    ],
    rule: { issuer: "{issuer}", subject: "{object}", audience: "{audience}" },
    barrier: "/",
    claims: [
      { claim: "iss", means: "the tenant; ends with a slash in version 1.0" },
      { claim: "sub", means: "the object id, for tokens of applications" },
      { claim: "aud", means: "the application id, or its api:// URI" },
    ],
    example: UUID_PROBLEM.slice(-36),
  },
  {
    value: "google",
    label: "Google Cloud service account",
    about: "Anything that runs as a service account, with an ID token from the metadata server.",
    docs: "https://cloud.google.com/docs/authentication/get-id-token",
    fields: [
      {
        name: "id",
        label: "Unique id",
        hint: "gcloud iam service-accounts describe EMAIL --format='value(uniqueId)'",
        example: "117328450192837465012",
        like: /^\d+$/,
        problem: "Use digits only",
      },
      {
        name: "email",
        label: "Email",
        hint: "Also compared if the token has it.",
        example: "ci@acme.iam.gserviceaccount.com",
        optional: true,
      },
    ],
    rule: { issuer: "https://accounts.google.com", subject: "{id}", claims: { email: "{email}" } },
    barrier: "/",
    claims: [
      { claim: "sub", means: "the account's unique id, never reused for another account" },
      { claim: "aud", means: "the requested audience" },
      { claim: "email", means: "the account's email; only with format=full or --include-email" },
    ],
    example: "117328450192837465012",
  },
  {
    value: "bitbucket",
    label: "Bitbucket Pipelines",
    about: "Steps in one repository that set oidc: true.",
    docs: "https://support.atlassian.com/bitbucket-cloud/docs/integrate-pipelines-with-resource-servers-using-oidc/",
    fields: [
      { name: "workspace", label: "Workspace", hint: "As in its URL.", example: "acme", like: /^[\w.-]+$/ },
      {
        name: "workspaceId",
        label: "Workspace UUID",
        hint: "Without braces. All of these are in Repository settings > OpenID Connect.",
        example: UUID_PROBLEM.slice(-36),
        like: UUID,
        problem: UUID_PROBLEM,
      },
      {
        name: "repositoryId",
        label: "Repository UUID",
        hint: "Without braces.",
        example: UUID_PROBLEM.slice(-36),
        like: UUID,
        problem: UUID_PROBLEM,
      },
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
  },
  {
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
  },
  {
    value: "jenkins",
    label: "Jenkins",
    about: "One job that uses the OpenID Connect Provider plugin.",
    docs: "https://plugins.jenkins.io/oidc-provider/",
    fields: [
      {
        name: "issuer",
        label: "Issuer",
        hint: "Shown on the credential. Includes the credential's folder.",
        example: "https://jenkins.example.com/oidc",
        like: ISSUER,
        problem: ISSUER_PROBLEM,
      },
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
  },
  {
    value: "circleci",
    label: "CircleCI",
    about: "Jobs in one project that use $CIRCLE_OIDC_TOKEN_V2.",
    docs: "https://circleci.com/docs/openid-connect-tokens/",
    fields: [
      {
        name: "organization",
        label: "Organization id",
        example: UUID_PROBLEM.slice(-36),
        like: UUID,
        problem: UUID_PROBLEM,
      },
      {
        name: "project",
        label: "Project ID",
        example: UUID_PROBLEM.slice(-36),
        like: UUID,
        problem: UUID_PROBLEM,
      },
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
  },
];

export const presetOf = (value: string): Preset | undefined => PRESETS.find((each) => each.value === value);
