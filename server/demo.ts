/** Constants of the demo, shared by configuration, sign-in and seed. */

/** Public knowledge, so it is only valid on a loopback address. */
export const DEMO_PASSWORD = "platform-demo";

export const GITHUB = "https://token.actions.githubusercontent.com";
export const GITLAB = "https://gitlab.meridian-freight.example";
export const WORKFORCE = "https://login.meridian-freight.example";
export const CLUSTER = "https://oidc.eu-central.clusters.meridian-freight.example";

/** Trusted by default with the demo; its identities would be rejected otherwise. */
export const DEMO_ISSUERS: readonly string[] = [GITHUB, GITLAB, WORKFORCE, CLUSTER];

export const DEMO_REGISTRY = "registry.meridian-freight.example";

/** What a sentence claims, at one folder (a path of names) and everything below: a test asks the service. */
export interface Claim {
  /** The organization if omitted. */
  readonly at?: readonly string[];
  /** Dotted capabilities; `*` stands for all that this API's operations need, `*.list` for those that read. */
  readonly may?: readonly string[];
  readonly mayNot?: readonly string[];
  /** Nothing but reading, of whatever is allowed at all. */
  readonly readsOnly?: true;
}

/** Capabilities to pull and push images, which the registry requires. */
export const PULLS = ["repo.list", "repo.blobs.get", "manifest.list"] as const;
export const PUSHES = [...PULLS, "manifest.create", "tag.create"] as const;

export interface DemoPerson {
  readonly email: string;
  readonly name: string;
  /** What this person can do, in a few words. */
  readonly why: string;
  /** The same, for the test. */
  readonly claims: readonly Claim[];
}

/** The default of ADMIN_EMAIL. */
export const DEMO_OWNER: DemoPerson = {
  email: "owner@demo.example",
  name: "Olivia Brandt",
  why: "Owns the organization, can do everything",
  claims: [{ may: ["*"] }],
};

export const DEMO_MEMBERS = {
  editor: {
    email: "editor@demo.example",
    name: "Emil Sandoval",
    why: "Can edit repos and event subscriptions, can't push or manage access",
    claims: [
      {
        may: [
          "*.list",
          "repo.create",
          "repo.update",
          "repo.delete",
          "subscriptions.create",
          "subscriptions.delete",
        ],
        mayNot: [
          "manifest.create",
          "tag.create",
          "groups.create",
          "group_invites.create",
          "identity.create",
          "roles.create",
          "role_bindings.create",
        ],
      },
    ],
  },
  viewer: {
    email: "viewer@demo.example",
    name: "Vera Lindqvist",
    why: "Can view everything, change nothing",
    claims: [{ may: ["*.list"], readsOnly: true }],
  },
  folders: {
    email: "folders@demo.example",
    name: "Farid Okonkwo",
    why: "Owns one folder and can view another",
    claims: [
      { at: ["platform", "kubernetes"], may: ["*"] },
      { at: ["logistics"], may: ["*.list"], readsOnly: true },
      { at: ["platform"], mayNot: ["groups.list", "repo.list", "identity.list"] },
      { mayNot: ["groups.list", "repo.list", "identity.list"] },
    ],
  },
  auditor: {
    email: "auditor@demo.example",
    name: "Aino Petrov",
    why: "Can view identities, but not their roles",
    claims: [{ may: ["groups.list", "identity.list"], mayNot: ["role_bindings.list"], readsOnly: true }],
  },
} as const satisfies Record<string, DemoPerson>;

/** All accounts of the demo. The person with ADMIN_EMAIL owns the organization. */
export const demoPeople = (adminEmail: string): readonly DemoPerson[] => [
  adminEmail === DEMO_OWNER.email
    ? DEMO_OWNER
    : { ...DEMO_OWNER, email: adminEmail, name: adminEmail.split("@", 1)[0] || adminEmail },
  ...Object.values(DEMO_MEMBERS),
];
