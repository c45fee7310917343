/** Sign-in settings from a provider's own documentation. */
export interface Preset {
  readonly value: string;
  readonly label: string;
  /** URL template; the user fills in the parts in angle brackets. */
  readonly issuer: string;
  readonly additionalScopes: readonly string[];
  readonly groupsClaim: string;
  /** What to configure at the provider, and how it identifies groups. */
  readonly hint: string;
}

export const PRESETS: readonly Preset[] = [
  {
    value: "entra",
    label: "Microsoft Entra ID",
    issuer: "https://login.microsoftonline.com/<tenant ID>/v2.0",
    additionalScopes: ["email", "profile"],
    groupsClaim: "groups",
    hint: "Add a groups claim to the ID token under Token configuration, limited to groups assigned to the application: Entra omits the claim for people in more than 200 groups. Groups are object IDs.",
  },
  {
    value: "okta",
    label: "Okta",
    issuer: "https://<your domain>.okta.com",
    additionalScopes: ["email", "profile", "groups"],
    groupsClaim: "groups",
    hint: "Add a groups claim with a filter on the application's Sign On tab. Groups are names.",
  },
  {
    value: "google",
    label: "Google",
    issuer: "https://accounts.google.com",
    additionalScopes: ["email", "profile"],
    groupsClaim: "",
    hint: "Set the consent screen's audience to Internal; otherwise, anyone with a Google account can sign in. Google doesn't send groups.",
  },
  {
    value: "keycloak",
    label: "Keycloak",
    issuer: "https://<your host>/realms/<realm>",
    additionalScopes: ["email", "profile"],
    groupsClaim: "groups",
    hint: "Turn on client authentication, and add a Group Membership mapper to the client's dedicated scope. With Full group path, groups look like /engineering.",
  },
  {
    value: "gitlab",
    label: "GitLab",
    issuer: "https://gitlab.com",
    additionalScopes: ["email", "profile"],
    groupsClaim: "groups_direct",
    hint: "On gitlab.com, anyone with an account can sign in, so choose a default role without sensitive access. groups_direct lists the paths of groups that a person is a direct member of.",
  },
];

/** True if choosing a preset can replace the value: it is empty, or from another preset. */
export const isPresetValue = (of: (preset: Preset) => string, value: string): boolean =>
  value.trim() === "" || PRESETS.some((preset) => of(preset) === value);
