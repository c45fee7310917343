import { expect, it } from "vitest";

import { withoutSecrets } from "./without-secrets";

it("replaces what was typed into secret fields, and nothing else", () => {
  const body = { name: "Okta", oidc: { clientId: "c", clientSecret: "hunter2" } };
  const shown = withoutSecrets(body, ["oidc.clientSecret"]);
  expect(shown).toEqual({ name: "Okta", oidc: { clientId: "c", clientSecret: "<secret>" } });
  expect(body.oidc.clientSecret).toBe("hunter2");
});

it("keeps values without secrets, or with empty ones", () => {
  expect(withoutSecrets({ name: "Okta" }, ["oidc.clientSecret"])).toEqual({ name: "Okta" });
  expect(withoutSecrets({ oidc: { clientSecret: "" } }, ["oidc.clientSecret"])).toEqual({
    oidc: { clientSecret: "" },
  });
  expect(withoutSecrets({ oidc: "odd" }, ["oidc.clientSecret"])).toEqual({ oidc: "odd" });
});
