import { expect, it } from "vitest";

import { isUntrusted } from "./issuer-trust";

const oidc = { authority: "https://platform.example/oidc" };
const trust = {
  oidc,
  trustedIssuers: ["https://token.actions.githubusercontent.com", "https://gitlab.example/"],
};

it("knows an issuer whose tokens are refused", () => {
  expect(isUntrusted("https://other.example", trust)).toBe(true);
  expect(isUntrusted("https://token.actions.githubusercontent.com/", trust)).toBe(false);
  expect(isUntrusted(" https://gitlab.example ", trust)).toBe(false);
  expect(isUntrusted("https://platform.example/oidc", trust)).toBe(false);
});

it("says nothing where nothing is known", () => {
  expect(isUntrusted("https://other.example", { oidc })).toBe(false);
  expect(isUntrusted("", trust)).toBe(false);
});
