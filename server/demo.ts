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

export interface DemoPerson {
  readonly email: string;
  readonly name: string;
  /** What this person demonstrates, in a few words. */
  readonly why: string;
}

/** The default of ADMIN_EMAIL. */
export const DEMO_OWNER: DemoPerson = {
  email: "owner@demo.example",
  name: "Olivia Brandt",
  why: "Owns the demo organization",
};

export const DEMO_MEMBERS = {
  editor: { email: "editor@demo.example", name: "Emil Sandoval", why: "Can edit everything" },
  viewer: {
    email: "viewer@demo.example",
    name: "Vera Lindqvist",
    why: "Can view everything, change nothing",
  },
  folders: {
    email: "folders@demo.example",
    name: "Farid Okonkwo",
    why: "Can view two unrelated folders only",
  },
  auditor: {
    email: "auditor@demo.example",
    name: "Aino Petrov",
    why: "Has a role that can't list role bindings",
  },
} as const satisfies Record<string, DemoPerson>;

/** All accounts of the demo. The person with ADMIN_EMAIL owns the organization. */
export const demoPeople = (adminEmail: string): readonly DemoPerson[] => [
  adminEmail === DEMO_OWNER.email
    ? DEMO_OWNER
    : { ...DEMO_OWNER, email: adminEmail, name: adminEmail.split("@", 1)[0] || adminEmail },
  ...Object.values(DEMO_MEMBERS),
];
