import { expect, it } from "vitest";

import { permissionText } from "./permission-text";

it.each([
  ["CAP_REPO_CREATE", "create repos (repo.create)"],
  ["CAP_IAM_IDENTITY_LIST", "view identities (identity.list)"],
  ["CAP_IAM_ROLE_BINDINGS_UPDATE", "edit role bindings (role_bindings.update)"],
  ["CAP_MANIFEST_METADATA_LIST", "view manifest metadata (manifest.metadata.list)"],
] as const)("says what %s permits, words first", (capability, text) => {
  expect(permissionText(capability)).toBe(text);
});
