import { parentOf } from "../aip";

interface BuiltInRole {
  readonly says: string;
  /** What that claims, as dotted capabilities, for the test. */
  readonly can: readonly string[];
  readonly cannot: readonly string[];
}

const PUSHES = ["manifest.create", "tag.create"];
const MANAGES = ["role_bindings.create", "identity.create", "group_invites.create", "roles.create"];

/** The roles of every organization by name, and what each is for. */
export const BUILT_IN_ROLES: Readonly<Record<string, BuiltInRole>> = {
  owner: {
    says: "Can do everything where it is granted and below",
    can: ["groups.create", "repo.delete", "repo.blobs.get", "tag.delete", ...MANAGES, ...PUSHES],
    cannot: [],
  },
  editor: {
    says: "Can view everything, and create, edit and delete repos and event subscriptions; can't push images or manage access",
    can: [
      "identity.list",
      "repo.create",
      "repo.update",
      "repo.delete",
      "repo.blobs.get",
      "subscriptions.create",
      "subscriptions.delete",
    ],
    cannot: [...PUSHES, ...MANAGES, "groups.create"],
  },
  viewer: {
    says: "Can view everything, pull images, and run image conversions and migrations; can't create, edit or delete anything",
    can: ["identity.list", "role_bindings.list", "repo.list", "repo.blobs.get"],
    cannot: ["repo.create", "repo.update", "repo.delete", "tag.delete", ...PUSHES, ...MANAGES],
  },
  console_viewer: {
    says: "Can view everything in the console but terms; can't pull images or change anything",
    can: ["identity.list", "role_bindings.list", "repo.list"],
    cannot: ["repo.blobs.get", "repo.create", "repo.update", ...PUSHES, ...MANAGES],
  },
  "registry.pull": {
    says: "Can pull images",
    can: ["repo.list", "repo.blobs.get", "manifest.list"],
    cannot: [...PUSHES, ...MANAGES],
  },
  "registry.pull_token_creator": {
    says: "Can pull images and packages, and create identities that pull",
    can: ["repo.blobs.get", "apk.blobs.get", "identity.create", "role_bindings.create"],
    cannot: [...PUSHES, "roles.create", "group_invites.create"],
  },
  "apk.pull": {
    says: "Can pull APK packages",
    can: ["apk.list", "apk.blobs.get"],
    cannot: ["repo.blobs.get", ...PUSHES, ...MANAGES],
  },
};

/** What a role is for: its description, or for a built-in role, whose description only repeats its name, in words. */
export function roleWords(role: {
  readonly uid: string;
  readonly name: string;
  readonly description?: string | undefined;
}): string {
  const { uid, name, description = "" } = role;
  const repeats = parentOf(uid) === "" && description.endsWith("Role (built-in)");
  return (repeats && BUILT_IN_ROLES[name]?.says) || description;
}
