import { expect, it } from "vitest";

import { readPasted } from "~/features/command-palette/pasted";

import { globalActions } from "./actions";
import { SCREENS } from "./entries";
import { foundSections, offeredAtOnce } from "./sections";
import { SYNONYMS } from "./synonyms";

const ignore = () => undefined;
const around = {
  group: undefined,
  refusal: ignore,
  setColorScheme: ignore,
  setDensity: ignore,
  signOut: ignore,
};
const everywhere = globalActions(around);
const atHand = { recent: [], actions: [], scopes: [], everywhere, screens: SCREENS };
const sectionsOf = (typed: string) =>
  offeredAtOnce(typed, readPasted(typed, "https://console.example/"), atHand);
const first = (typed: string): string | undefined => sectionsOf(typed)[0]?.entries[0]?.label;

it.each([
  ["create", "Create folder"],
  ["create repo", "Create repo"],
  ["new repo", "Create repo"],
  ["new folder", "Create folder"],
  ["new org", "Create organization"],
  ["add machine", "Create identity"],
  ["service account", "Identities"],
  ["robot", "Identities"],
  ["ci", "Identities"],
  ["key", "Identities"],
  ["grant", "Grant access"],
  ["give access", "Grant access"],
  ["add user", "Grant access"],
  ["push", "Grant access"],
  ["pull", "Grant access"],
  ["permission", "Roles"],
  ["capabilities", "Roles"],
  ["rbac", "Roles"],
  ["who has access", "Role bindings"],
  ["policy", undefined],
  ["policies", "Role bindings"],
  ["acl", "Role bindings"],
  ["owner", "Role bindings"],
  ["user", "People"],
  ["users", "People"],
  ["member", "People"],
  ["offboarding", "People"],
  ["invite", "Invites"],
  ["invite user", "Create invite"],
  ["invitation", "Invites"],
  ["sso", "Identity providers"],
  ["saml", "Identity providers"],
  ["okta", "Identity providers"],
  ["entra", "Identity providers"],
  ["login", "Identity providers"],
  ["images", "Repos"],
  ["repository", "Repos"],
  ["container", "Repos"],
  ["registry", "Repos"],
  ["docker", "Repos"],
  ["eol", "Tags"],
  ["end of life", "Tags"],
  ["deprecated", "Tags"],
  ["version", "Tags"],
  ["package", "Libraries"],
  ["npm", "Libraries"],
  ["cve", "Are we affected by a vulnerability?"],
  ["vulnerability", "Are we affected by a vulnerability?"],
  ["vulnerabilities", "Advisories"],
  ["vex", "Advisories"],
  ["security", "Advisories"],
  ["webhook", "Event subscriptions"],
  ["slack", "Event subscriptions"],
  ["aws", "Account associations"],
  ["eula", "Terms"],
  ["backup", "Snapshots"],
  ["history", "Audit log"],
  ["who did what", "Audit log"],
  ["drift", "Snapshots"],
  ["health", "Platform status"],
  ["jwt", "Test a token"],
  ["test token", "Test a token"],
  ["sign out", "Sign out"],
  ["logout", "Sign out"],
  ["log out", "Sign out"],
  ["theme", "Color scheme: dark"],
  ["dark", "Color scheme: dark"],
  ["dark mode", "Color scheme: dark"],
  ["density", "Make rows compact"],
  ["dashboard", "Overview"],
  ["shortcuts", "Keyboard shortcuts"],
  ["hotkeys", "Keyboard shortcuts"],
  ["compare tags", "Compare two tags"],
])("%s leads to %s", (typed, label) => {
  expect(first(typed)).toBe(label);
});

it("says why an action is refused, and offers no way to it", () => {
  const refused = globalActions({ ...around, refusal: () => "Hidden by your role" });
  const create = refused.find(({ label }) => label === "Create repo");
  expect(create).toMatchObject({ detail: "Hidden by your role" });
  expect(create?.link).toBeUndefined();
});

it("knows other words only for what there is", () => {
  const ids = sectionsOf("").flatMap(({ entries }) => entries.map(({ id }) => id));
  expect(Object.keys(SYNONYMS).filter((id) => id !== "scope" && !ids.includes(id))).toEqual([]);
});

it("leads from an error to what helps", () => {
  const helps = (text: string) => sectionsOf(text)[0]?.entries.map(({ label }) => label);
  expect(helps("denied: requested access to the resource is denied")).toEqual([
    "Grant access",
    "Role bindings",
  ]);
  expect(helps("unauthorized: authentication required")).toEqual(["Test a token", "Identities"]);
  expect(helps("manifest unknown")).toEqual(["Tags", "Repos"]);
});

it("finds scopes by two letters of their name, and none by a single one", () => {
  const scopes = [{ id: "scope a", label: "Scope to acme", icon: SCREENS[0]!.icon, run: ignore }];
  const headings = (typed: string) =>
    foundSections(typed, undefined, { ...atHand, scopes }, () => ({ to: "/" })).map(({ heading }) => heading);
  expect(headings("ac")).toEqual(["Scope"]);
  expect(headings("a")).toEqual([]);
  expect(headings(" a ")).toEqual([]);
});
