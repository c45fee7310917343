/**
 * The demo organization as data: three levels of groups, machines and people of every kind, roles and bindings.
 * Deterministic, except that times are relative to the first start.
 */

import type { IdentityProviderInput } from "platform-contract/iam/identity-providers";

import {
  CLUSTER,
  DEMO_MEMBERS,
  GITHUB,
  GITLAB,
  PULLS,
  PUSHES,
  WORKFORCE,
  type Claim,
  type DemoPerson,
} from "../../demo";
import { REPOS, SYNCED } from "./demo-registry-data";

export const ORGANIZATION = "Meridian Freight";

/** Departments and their teams. */
export const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  platform: [
    "base-images",
    "build-farm",
    "developer-portal",
    "kubernetes",
    "observability",
    "registry-ops",
    "release",
  ],
  runtime: ["java", "node", "python", "golang", "native"],
  data: ["ingestion", "lakehouse", "streaming", "reporting", "feature-store", "customs-data"],
  commerce: ["checkout", "invoicing", "pricing", "quotes", "partner-portal"],
  logistics: ["dispatch", "routing", "tracking", "warehouse", "fleet-telemetry", "cold-chain", "last-mile"],
  security: ["vulnerability-response", "signing", "secrets", "audit", "red-team"],
  mobile: ["driver-app", "customer-app", "scanner-firmware"],
  research: ["demand-forecasting", "computer-vision", "sandbox"],
  infrastructure: [
    "edge",
    "network",
    "storage",
    "identity",
    "eu-central",
    "us-east",
    "ap-southeast",
    "disaster-recovery",
  ],
};

/** What a folder says about itself, and names of folders and repos at or below it that make it so, for the test. */
interface FolderDescription {
  readonly says: string;
  readonly folders?: readonly string[];
  readonly repos?: readonly string[];
}

export const FOLDER_DESCRIPTIONS: Readonly<Record<string, FolderDescription>> = {
  platform: {
    says: "Base images, cluster services and the tools of the registry",
    repos: ["static", "coredns", "cosign"],
  },
  runtime: { says: "Images of language runtimes", repos: ["python", "node", "jre", "go", "rust"] },
  data: { says: "Databases, event streams and feature stores", repos: ["postgres", "kafka", "pytorch"] },
  commerce: { says: "From a quote to a paid invoice", folders: ["quotes", "checkout", "invoicing"] },
  logistics: {
    says: "Where the freight is and where it goes next",
    folders: ["tracking", "routing", "dispatch"],
  },
  security: {
    says: "Signing, secrets and the response to vulnerabilities",
    folders: ["signing", "secrets", "vulnerability-response"],
  },
  mobile: { says: "Apps and handheld scanners", folders: ["driver-app", "customer-app", "scanner-firmware"] },
  research: { says: "Experiments and models", folders: ["sandbox"], repos: ["tritonserver"] },
  infrastructure: { says: "Regions, networks and storage", folders: ["us-east", "network", "storage"] },
  "base-images": {
    says: "Base images and small tools",
    repos: ["static", "glibc-dynamic", "busybox", "curl"],
  },
  sandbox: { says: "For trying things out", repos: ["markdown-sampler"] },
};

export const descriptionOf = (name: string): string => FOLDER_DESCRIPTIONS[name]?.says ?? "";

/** A machine identity: its location (path of folder names), and the one relationship that recognizes it. */
export interface Machine {
  readonly at: readonly string[];
  readonly name: string;
  readonly description?: string;
  /** What the description says, for the test. */
  readonly claims?: readonly Claim[];
  readonly relationship: Readonly<Record<string, unknown>>;
  /** Hours since its last token; undefined if it was never used. */
  readonly seen?: number;
  /** Hours until its static keys expire. */
  readonly keysEnd?: number;
  /** Its built-in or custom role at its own folder. */
  readonly role?: string;
}

const github = (repository: string, ref: string) => ({
  claimMatch: { issuer: GITHUB, subject: `repo:${repository}:${ref}` },
});

// GitHub adds numbers to owners and repositories so that a renamed one cannot be impersonated: owner@id/repo@id.
const OWNER_ID = 40718834;

/** Whether there is a repo at or below a folder. */
const hasImages = (at: readonly string[]): boolean =>
  [...REPOS, ...SYNCED].some((repo) => at.every((name, level) => repo.at[level] === name));

function teamMachines(department: string, team: string, index: number): Machine[] {
  const at = [department, team];
  const repository = `meridian@${OWNER_ID}/${team}@${718_000_000 + index * 4_313}`;
  const machines: Machine[] = [
    {
      at,
      name: `ci-${team}`,
      ...(hasImages(at) && {
        description: "Pushes images that are built from the main branch",
        claims: [{ at, may: PUSHES, mayNot: ["repo.delete", "role_bindings.create"] }],
      }),
      relationship: github(repository, "ref:refs/heads/main"),
      seen: (index * 7) % 60,
      role: "image pusher",
    },
  ];
  if (index % 3 === 0)
    machines.push({
      at,
      name: `deploy-${team}`,
      ...(hasImages(at) && {
        description: "Pulls images into the production cluster",
        claims: [{ at, may: PULLS, readsOnly: true }],
      }),
      relationship: {
        claimMatch: {
          issuer: CLUSTER,
          subjectPattern: `system:serviceaccount:${team}(-canary)?:deployer`,
          audience: "https://registry.meridian-freight.example",
        },
      },
      seen: index,
      role: "registry.pull",
    });
  if (index % 5 === 0)
    machines.push({
      at,
      name: `nightly ${team}`,
      relationship: {
        claimMatch: {
          issuer: GITLAB,
          subject: `project_path:meridian/${department}/${team}:ref_type:branch:ref:nightly`,
          claims: { environment: "nightly" },
        },
      },
      ...(index % 10 === 0 ? {} : { seen: 24 + index }),
      role: "apk.pull",
    });
  return machines;
}

/** Public keys only; the private keys were discarded, so nobody can sign with them. */
const LEGACY_KEYS = JSON.stringify({
  keys: [
    {
      kty: "EC",
      crv: "P-256",
      alg: "ES256",
      use: "sig",
      kid: "scanner-2026",
      x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
      y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
    },
  ],
});

const SPECIAL: readonly Machine[] = [
  {
    at: ["mobile"],
    name: "handheld scanners",
    description: "Pull images, signed in with static keys",
    claims: [{ at: ["mobile"], may: PULLS, readsOnly: true }],
    relationship: {
      staticKeys: {
        issuer: "https://devices.meridian-freight.example",
        subject: "scanner-fleet",
        issuerKeys: LEGACY_KEYS,
      },
    },
    keysEnd: 24 * 12,
    seen: 2,
    role: "registry.pull",
  },
  {
    at: ["infrastructure"],
    name: "standby puller",
    description: "Pulled images for the standby region until its keys expired",
    claims: [{ at: ["infrastructure"], may: PULLS, readsOnly: true }],
    relationship: {
      staticKeys: {
        issuer: "https://standby.meridian-freight.example",
        subject: "cache-warmer",
        issuerKeys: LEGACY_KEYS,
        audiences: ["https://registry.meridian-freight.example"],
      },
    },
    keysEnd: -24 * 9,
    seen: 24 * 10,
    role: "registry.pull",
  },
  {
    at: ["data", "lakehouse"],
    name: "glue jobs",
    relationship: {
      awsIdentity: {
        awsAccount: "482913375510",
        arnPattern: "arn:aws:sts::482913375510:assumed-role/lakehouse-glue/.*",
        userIdPattern: "AROA[A-Z0-9]{17}:.*",
      },
    },
    seen: 5,
    role: "registry.pull",
  },
  {
    at: ["infrastructure", "us-east"],
    name: "eks node role",
    description: "Pulls images for the us-east nodes",
    claims: [{ at: ["infrastructure", "us-east"], may: PULLS, readsOnly: true }],
    relationship: {
      awsIdentity: {
        awsAccount: "482913375510",
        arn: "arn:aws:iam::482913375510:role/eks-node-us-east",
        userIdPattern: "AROA[A-Z0-9]{17}:i-[0-9a-f]{17}",
      },
    },
    seen: 1,
    role: "registry.pull",
  },
  {
    at: [],
    name: "catalog syncer",
    description: "Creates and updates repos from the public catalog",
    claims: [{ may: ["repo.create", "repo.update"], mayNot: ["role_bindings.create"] }],
    relationship: { servicePrincipal: "SERVICE_PRINCIPAL_CATALOG_SYNCER" },
    seen: 0,
    role: "editor",
  },
  {
    at: [],
    name: "image signing",
    relationship: { servicePrincipal: "SERVICE_PRINCIPAL_COSIGNED" },
    seen: 3,
    role: "viewer",
  },
  {
    at: ["platform"],
    name: "image builder",
    relationship: { servicePrincipal: "SERVICE_PRINCIPAL_APKO_BUILDER" },
    seen: 1,
    role: "editor",
  },
  {
    at: [],
    name: "terraform",
    description: "Applies folders and role bindings from the infrastructure repository",
    claims: [{ may: ["groups.create", "groups.update", "role_bindings.create", "role_bindings.delete"] }],
    relationship: github(`meridian@${OWNER_ID}/infrastructure@718900001`, "environment:production"),
    seen: 11,
    role: "owner",
  },
  {
    at: ["security", "audit"],
    name: "quarterly access review with a name that is as long as names get",
    relationship: { claimMatch: { issuer: WORKFORCE, subject: "svc-access-review" } },
    seen: 24 * 71,
    role: "access reader",
  },
];

export const MACHINES: readonly Machine[] = [
  ...Object.entries(FOLDERS)
    .flatMap(([department, teams]) => teams.map((team) => [department, team] as const))
    .flatMap(([department, team], index) => teamMachines(department, team, index)),
  ...SPECIAL,
];

/** The organization's custom roles, by name. */
export const CUSTOM_ROLES: Readonly<
  Record<
    string,
    {
      readonly description: string;
      /** What the description says, for the test. */
      readonly claims: readonly Claim[];
      readonly capabilities: readonly string[];
    }
  >
> = {
  "image pusher": {
    description: "Can pull and push images",
    claims: [{ may: PUSHES, mayNot: ["tag.delete", "repo.create", "repo.delete", "identity.list"] }],
    capabilities: [
      "CAP_IAM_GROUPS_LIST",
      "CAP_REPO_LIST",
      "CAP_REPO_BLOBS_GET",
      "CAP_MANIFEST_LIST",
      "CAP_MANIFEST_CREATE",
      "CAP_MANIFEST_METADATA_LIST",
      "CAP_TAG_LIST",
      "CAP_TAG_CREATE",
      "CAP_REFERRERS_LIST",
    ],
  },
  "access reader": {
    description: "Can view who has access, and change nothing",
    claims: [{ may: ["identity.list", "roles.list", "role_bindings.list"], readsOnly: true }],
    capabilities: [
      "CAP_IAM_GROUPS_LIST",
      "CAP_IAM_IDENTITY_LIST",
      "CAP_IAM_ROLES_LIST",
      "CAP_IAM_ROLE_BINDINGS_LIST",
    ],
  },
  "identity reader": {
    description: "Can view folders, identities and roles, but not who has which role",
    claims: [
      {
        may: ["groups.list", "identity.list", "roles.list"],
        mayNot: ["role_bindings.list"],
        readsOnly: true,
      },
    ],
    capabilities: ["CAP_IAM_GROUPS_LIST", "CAP_IAM_IDENTITY_LIST", "CAP_IAM_ROLES_LIST"],
  },
  "identity manager": {
    description: "Can create and edit machine identities",
    claims: [
      { may: ["identity.create", "identity.update"], mayNot: ["identity.delete", "role_bindings.create"] },
    ],
    capabilities: [
      "CAP_IAM_GROUPS_LIST",
      "CAP_IAM_IDENTITY_LIST",
      "CAP_IAM_IDENTITY_CREATE",
      "CAP_IAM_IDENTITY_UPDATE",
      "CAP_IAM_ROLES_LIST",
      "CAP_IAM_ROLE_BINDINGS_LIST",
    ],
  },
  "tag deleter": {
    description: "Can view repos and delete tags",
    claims: [{ may: ["repo.list", "tag.list", "tag.delete"], mayNot: ["tag.create", "repo.update"] }],
    capabilities: ["CAP_IAM_GROUPS_LIST", "CAP_REPO_LIST", "CAP_TAG_LIST", "CAP_TAG_DELETE"],
  },
};

/** The organization's sign-in providers, with roles by external group. */
export const PROVIDERS: readonly {
  readonly name: string;
  readonly description: string;
  /** How many people of the demo have its issuer, for the test. */
  readonly people: number;
  readonly oidc: IdentityProviderInput["oidc"];
  readonly groups: Readonly<Record<string, string>>;
}[] = [
  {
    name: "Meridian SSO",
    description: "Sign-in for employees",
    people: 26,
    oidc: {
      issuer: WORKFORCE,
      clientId: "platform-console",
      pkceEnabled: true,
      additionalScopes: ["email", "profile", "groups"],
      groupsClaim: "groups",
    },
    groups: {
      "platform-engineering": "editor",
      "security-review": "access reader",
      "supply-chain": "tag deleter",
      "on-call": "registry.pull",
    },
  },
  {
    name: "Contractors",
    description: "Sign-in for contractors, none so far",
    people: 0,
    oidc: {
      issuer: "https://contractors.meridian-freight.example/realms/external",
      clientId: "platform-console",
      pkceEnabled: true,
      additionalScopes: ["email", "profile"],
    },
    groups: {},
  },
];

export interface Binding {
  readonly at: readonly string[];
  readonly role: string;
}

/** Pending and expired invites: hours since creation, and hours from creation to expiry. */
export const INVITES: readonly (Binding & {
  readonly email?: string;
  readonly singleUse?: true;
  readonly age: number;
  readonly lives: number;
})[] = [
  {
    at: [],
    role: "viewer",
    email: "ines.almeida@meridian-freight.example",
    singleUse: true,
    age: 20,
    lives: 168,
  },
  {
    at: ["platform"],
    role: "editor",
    email: "tomasz.krol@meridian-freight.example",
    singleUse: true,
    age: 3,
    lives: 72,
  },
  { at: ["platform", "registry-ops"], role: "registry.pull", age: 52, lives: 720 },
  {
    at: ["security", "audit"],
    role: "viewer",
    email: "audit@lindqvist-partners.example",
    age: 90,
    lives: 336,
  },
  { at: ["research", "sandbox"], role: "editor", age: 200, lives: 72 },
  {
    at: ["commerce", "checkout"],
    role: "viewer",
    email: "jana.novak@meridian-freight.example",
    singleUse: true,
    age: 400,
    lives: 168,
  },
];

export const ACCOUNTS: readonly (DemoPerson & { readonly bindings: readonly Binding[] })[] = [
  { ...DEMO_MEMBERS.editor, bindings: [{ at: [], role: "editor" }] },
  { ...DEMO_MEMBERS.viewer, bindings: [{ at: [], role: "viewer" }] },
  {
    ...DEMO_MEMBERS.folders,
    bindings: [
      { at: ["platform", "kubernetes"], role: "owner" },
      { at: ["logistics"], role: "viewer" },
    ],
  },
  { ...DEMO_MEMBERS.auditor, bindings: [{ at: [], role: "identity reader" }] },
];

const PEOPLE_NAMES = [
  "Ada Marsh",
  "Bao Nguyen",
  "Carla Ruiz",
  "Dmitri Volkov",
  "Elif Kaya",
  "Finn Murphy",
  "Grace Adeyemi",
  "Hana Suzuki",
  "Inês Costa",
  "Jonas Weber",
  "Keiko Tanaka",
  "Liam O'Brien",
  "Mira Patel",
  "Noor Haddad",
  "Oskar Berg",
  "Priya Raman",
  "Quentin Roux",
  "Rosa Moreno",
  "Sven Dahl",
  "Tara Singh",
  "Umar Farouk",
  "Vida Novak",
  "Wei Zhang",
  "Yara Silva",
  "Zoë Papadaki",
  "Anders Holm",
] as const;

/** People from the organization's own sign-in provider, with roles but without an account in this service. */
export const PEOPLE: readonly { name: string; bindings: readonly Binding[] }[] = PEOPLE_NAMES.map(
  (name, index) => {
    const departments = Object.keys(FOLDERS);
    const department = departments[index % departments.length] ?? "platform";
    const teams = FOLDERS[department] ?? [];
    // The last one has a role in a team only, and none above it.
    const isLast = index === PEOPLE_NAMES.length - 1;
    const bindings: Binding[] = isLast
      ? []
      : [{ at: [department], role: index % 4 === 0 ? "editor" : "viewer" }];
    for (let step = 0; step < (isLast ? 1 : 3); step += 1) {
      const team = teams[(index + step) % teams.length];
      if (team)
        bindings.push({
          at: [department, team],
          role: ["editor", "identity manager", "tag deleter"][step] ?? "viewer",
        });
    }
    return { name, bindings };
  },
);
