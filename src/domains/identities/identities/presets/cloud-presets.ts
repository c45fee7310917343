/** Clusters and clouds whose workloads get tokens. */
import { issuerField, numberField, UUID_EXAMPLE, uuidField, type Preset } from "./preset";

export const kubernetes: Preset = {
  value: "kubernetes",
  label: "Kubernetes service account",
  about: "Pods that run as one service account, with a projected token.",
  docs: "https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/",
  fields: [
    issuerField({
      label: "Cluster issuer",
      hint: "kubectl get --raw /.well-known/openid-configuration",
      example: "https://oidc.eks.eu-central-1.amazonaws.com/id/EXAMPLE",
    }),
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
};

export const aws: Preset = {
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
};

export const azure: Preset = {
  value: "azure",
  label: "Azure managed identity",
  about: "Managed identities and service principals in one Microsoft Entra ID tenant.",
  docs: "https://learn.microsoft.com/entra/identity-platform/access-token-claims-reference",
  fields: [
    uuidField({
      name: "tenant",
      label: "Tenant ID",
    }),
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
    uuidField({
      name: "object",
      label: "Object (principal) id",
      hint: "Not the client ID of the managed identity.",
    }),
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
  example: UUID_EXAMPLE,
};

export const google: Preset = {
  value: "google",
  label: "Google Cloud service account",
  about: "Anything that runs as a service account, with an ID token from the metadata server.",
  docs: "https://cloud.google.com/docs/authentication/get-id-token",
  fields: [
    numberField({
      name: "id",
      label: "Unique id",
      hint: "gcloud iam service-accounts describe EMAIL --format='value(uniqueId)'",
      example: "117328450192837465012",
    }),
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
};
