import { expect, it } from "vitest";

import type { IdentityProvider } from "platform-contract/iam/identity-providers";
import { changesBetween } from "~/ui/form/changes";

import { bodyOf, testBodyOf, valuesOf } from "./values";

const record: IdentityProvider = {
  uid: "a",
  name: "Acme SSO",
  defaultRole: "b",
  oidc: { issuer: "https://idp.example", clientId: "platform" },
};

/** The changes that an edit would send. */
function changed(oidc: Partial<ReturnType<typeof valuesOf>["oidc"]>) {
  const opened = valuesOf(record);
  const next = { ...opened, oidc: { ...opened.oidc, ...oidc } };
  return changesBetween({ ...bodyOf(opened) }, { ...bodyOf(next) }, new Set());
}

it("sends the client secret when it is entered or removed, and never otherwise", () => {
  expect(changed({})).toEqual({ mask: [], body: {} });
  expect(changed({ clientId: "other" })).toEqual({
    mask: ["oidc.clientId"],
    body: { oidc: { clientId: "other" } },
  });
  expect(changed({ clientSecret: "new" }).body).toEqual({ oidc: { clientSecret: "new" } });
  expect(changed({ pkceEnabled: true, removesSecret: true })).toEqual({
    mask: ["oidc.clientSecret", "oidc.pkceEnabled"],
    body: { oidc: { clientSecret: "", pkceEnabled: true } },
  });
  // The checkbox is hidden then, so its value doesn't count.
  expect(changed({ pkceEnabled: false, removesSecret: true }).mask).toEqual([]);
});

it("omits the secret from a create without one", () => {
  expect(bodyOf(valuesOf(undefined)).oidc).not.toHaveProperty("clientSecret");
});

it("tests with the secret that is entered, and otherwise leaves it to the service", () => {
  const opened = valuesOf(record);
  expect(testBodyOf(opened)).toEqual({
    name: "Acme SSO",
    oidc: { issuer: "https://idp.example", clientId: "platform" },
  });
  const entered = { ...opened, oidc: { ...opened.oidc, clientSecret: "new" } };
  expect(testBodyOf(entered).oidc).toHaveProperty("clientSecret", "new");
});
