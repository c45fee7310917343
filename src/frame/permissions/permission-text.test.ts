import { expect, it } from "vitest";

import { neededText, permissionText } from "./permission-text";

it.each([
  ["CAP_REPO_CREATE", "create repos (repo.create)"],
  ["CAP_IAM_IDENTITY_LIST", "view identities (identity.list)"],
  ["CAP_IAM_ROLE_BINDINGS_UPDATE", "edit role bindings (role_bindings.update)"],
  ["CAP_IAM_GROUPS_CREATE", "create folders (groups.create)"],
  ["CAP_IAM_GROUP_INVITES_CREATE", "create invites (group_invites.create)"],
  ["CAP_EVENTS_SUBSCRIPTION_LIST", "view event subscriptions (subscriptions.list)"],
  ["CAP_LIBRARIES_ARTIFACTS_LIST", "view libraries (libraries.artifacts.list)"],
  ["CAP_APK_LIST", "view APK packages (apk.list)"],
  ["CAP_MANIFEST_METADATA_LIST", "view manifest metadata (manifest.metadata.list)"],
] as const)("says what %s permits, words first", (capability, text) => {
  expect(permissionText(capability)).toBe(text);
});

it("joins several in one sentence, and leaves unknown ones as they are", () => {
  expect(neededText("CAP_REPO_LIST,CAP_TAG_LIST, CAP_OF_TOMORROW")).toBe(
    "view repos (repo.list), view tags (tag.list), and CAP_OF_TOMORROW",
  );
});
