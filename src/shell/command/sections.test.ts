import { expect, it } from "vitest";

import { readPasted } from "./pasted";

import { globalActions } from "./actions";
import { SCREENS } from "./entries";
import { foundSections, meantSection, offeredAtOnce } from "./sections";
import type { Located } from "./located";
import { SYNONYMS } from "./synonyms";

const ignore = () => undefined;
const around = {
  group: undefined,
  refusal: ignore,
  setColorScheme: ignore,
  setDensity: ignore,
  signOut: ignore,
  accountPages: "https://console.example/oidc/account",
  asksForAccess: true,
  extensions: ["guardRails"],
  showsMoments: false,
  makesPullTokens: true,
  description: "https://console.example/openapi.json",
};
const everywhere = globalActions(around);
const atHand = { recent: [], actions: [], scopes: [], everywhere, screens: SCREENS };
const sectionsOf = (typed: string) =>
  offeredAtOnce(typed, readPasted(typed, "https://console.example/"), atHand);
const first = (typed: string): string | undefined => sectionsOf(typed)[0]?.entries[0]?.label;

it("offers nothing for what the console has no place for", () => {
  expect([...sectionsOf("unlock"), ...meantSection("unlock", atHand)]).toEqual([]);
});

it("shows few lines before typing, all of which can be chosen", () => {
  const many = (id: string) =>
    Array.from({ length: 9 }, (_, index) => ({
      ...SCREENS[0]!,
      id: `${id} ${index}`,
      label: `${id} ${index}`,
    }));
  const refused = globalActions({ ...around, refusal: () => "Not permitted" });
  const shown = (recent: typeof SCREENS, actions: typeof SCREENS, some = everywhere) =>
    offeredAtOnce("", readPasted("", "https://console.example/"), {
      ...atHand,
      recent,
      actions,
      everywhere: some,
    }).map(({ heading, entries }) => [heading, entries.length]);
  expect(shown(many("recent"), many("action"))).toEqual([
    ["Recent", 5],
    ["This page", 4],
    ["Do", 2],
  ]);
  expect(shown([], [])).toEqual([["Do", 11]]);
  const [first] = offeredAtOnce("", readPasted("", "https://console.example/"), {
    ...atHand,
    everywhere: refused,
  });
  expect(first?.entries.map(({ label }) => label)).not.toContain("Create folder");
});

it("leaves the names of common images to records", () => {
  expect(sectionsOf("kubernetes")).toEqual([]);
});

it("says why the overview is what was typed", () => {
  expect(sectionsOf("approve")[0]?.entries[0]).toMatchObject({
    label: "Overview",
    detail: "What waits, ends soon or needs attention",
  });
});

it.each([
  // The page of an organization has its limits.
  ["quota", "Groups"],
  ["why can't", "Can they do that?"],
  ["cannot pull image", "Can they do that?"],
  ["create", "Create folder"],
  ["identity", "Identities"],
  ["advisory", "Advisories"],
  ["create repo", "Create repo"],
  ["new repo", "Create repo"],
  ["new folder", "Create folder"],
  ["new org", "Create organization"],
  ["add machine", "Create identity"],
  ["service account", "Create identity"],
  ["robot", "Create identity"],
  ["ci", "Identities"],
  ["key", "Identities"],
  ["grant", "Grant access"],
  ["give access", "Grant access"],
  ["add user", "Grant access"],
  ["push", "Role bindings"],
  ["pull", "Role bindings"],
  ["permission", "Roles"],
  ["capabilities", "Roles"],
  ["rbac", "Roles"],
  ["who has access", "Role bindings"],
  ["policy", "Roles"],
  ["policies", "Roles"],
  ["guardrails", "Guard rails"],
  ["rules", "Guard rails"],
  ["compliance", "Guard rails"],
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
  ["version", "Platform status"],
  ["package", "Are we affected by a vulnerability?"],
  ["npm", "Libraries"],
  ["cve", "Are we affected by a vulnerability?"],
  ["vulnerability", "Are we affected by a vulnerability?"],
  ["vulnerabilities", "Advisories"],
  ["vex", "Are we affected by a vulnerability?"],
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
  ["leaked", "A token has leaked"],
  ["revoke token", "A token has leaked"],
  ["compromised", "A token has leaked"],
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

/** What people type who have not seen the console, and what that leads to first: one of these. */
const NEWCOMERS: readonly (readonly [typed: readonly string[], leads: readonly string[]])[] = [
  [["session", "sessions"], ["Security of your account"]],
  [
    ["troubleshoot", "why", "why pull", "can x pull", "denied"],
    ["Test a token", "Can they do that?", "Why is this refused?", "Grant access"],
  ],
  [["who can"], ["Role bindings"]],
  [["who can push"], ["Who can push images?"]],
  [["who can pull images"], ["Who can pull images?"]],
  [["approve", "access request", "requests"], ["Overview"]],
  [["expiring", "expiry", "ends soon", "reminders", "rotate", "renew"], ["What ends soon"]],
  [["signature", "sign", "verify"], ["Snapshots"]],
  [["undo", "restore", "revert"], ["Audit log"]],
  [["proof", "evidence"], ["Access on a date"]],
  [
    ["password", "change password"],
    ["Security of your account", "Change password"],
  ],
  [["2fa", "mfa", "totp", "otp", "passkey", "security key", "recovery codes"], ["Security of your account"]],
  [["dark", "theme"], ["Color scheme: dark"]],
  [["density"], ["Make rows compact"]],
  [["remove access", "offboard", "leaver", "revoke"], ["People"]],
  [["report"], ["Resolved vulnerabilities"]],
  [
    ["vulnerabilities", "cve"],
    ["Are we affected by a vulnerability?", "Resolved vulnerabilities", "Advisories"],
  ],
  [["export", "csv", "backup"], ["Snapshots"]],
  [["notification", "webhook", "slack"], ["Event subscriptions"]],
  [["sbom", "vex", "packages"], ["Are we affected by a vulnerability?"]],
  [
    ["robot", "service account", "api key", "token", "pull token", "docker login"],
    ["Create identity", "Test a token"],
  ],
  [["permissions", "capabilities", "rbac", "policy"], ["Roles"]],
  [["curl", "rest", "openapi", "swagger"], ["API explorer"]],
  [
    ["api", "cli", "automation"],
    ["API explorer", "Show API requests"],
  ],
  [["preferences", "settings", "language", "time zone"], ["Preferences"]],
  [["terraform", "gitops"], ["Snapshots"]],
  [["scim", "directory", "okta", "entra", "azure ad", "ldap", "saml", "sso"], ["Identity providers"]],
  [["move", "rename folder"], ["Groups"]],
  [["eol", "end of life", "deprecated"], ["Tags"]],
  [["old tags", "cleanup"], ["Retention: delete old tags"]],
  [
    ["compare", "diff"],
    ["Compare roles", "Compare two tags", "Snapshots"],
  ],
  [["health", "status", "version", "about"], ["Platform status"]],
];

it.each(NEWCOMERS.flatMap(([typed, leads]) => typed.map((word) => [word, leads] as const)))(
  "leads a newcomer who types %s to %s",
  (typed, leads) => expect(leads).toContain(first(typed)),
);

it.each([
  ["identites", "Identities"],
  ["advisry", "Advisories"],
  ["rol bindngs", "Role bindings"],
  ["role bindngs", "Role bindings"],
  ["audti log", "Audit log"],
  ["webhoks", "Event subscriptions"],
  ["peopel", "People"],
  ["retenton", "Retention: delete old tags"],
  ["python", undefined],
  ["nginx", undefined],
  ["kubernetes-dashboard", undefined],
])("takes %s for a typing mistake for %s", (typed, label) => {
  expect(sectionsOf(typed)).toEqual([]);
  expect(meantSection(typed, atHand)[0]?.entries[0]?.label).toBe(label);
});

it("says why an action is refused, and offers no way to it", () => {
  const refused = globalActions({ ...around, refusal: () => "Hidden by your role" });
  const create = refused.find(({ label }) => label === "Create repo");
  expect(create).toMatchObject({ detail: "Hidden by your role" });
  expect(create?.link).toBeUndefined();
});

it("knows other words only for what there is", () => {
  const ids = [...SCREENS, ...everywhere].map(({ id }) => id).concat("shortcuts");
  expect(Object.keys(SYNONYMS).filter((id) => id !== "scope" && !ids.includes(id))).toEqual([]);
});

it("leads from an error to what helps", () => {
  const helps = (text: string) => sectionsOf(text)[0]?.entries.map(({ label }) => label);
  expect(helps("denied: requested access to the resource is denied")).toEqual([
    "Why is this refused?",
    "Grant access",
    "Role bindings",
  ]);
  expect(helps("unauthorized: authentication required")).toEqual(["Test a token", "Identities"]);
  expect(helps("manifest unknown")).toEqual(["Tags", "Repos"]);
});

it("asks why it is refused of the repo that a pasted error is about", () => {
  const denied = "denied: cgr.dev/acme/python:latest";
  const found = (...uids: readonly [string, string][]) => ({
    found: uids.map(([collection, uid]) => ({ collection, uid, name: "", place: "" })),
    more: [],
    notes: [],
  });
  const search = (located?: Located) => {
    const sections = offeredAtOnce(denied, readPasted(denied, "http://127.0.0.1/"), atHand, located);
    return sections[0]?.entries[0]?.link?.search;
  };
  const refused = "cgr.dev/acme/python:latest";
  expect(search(found(["repos", "o/r"]))).toEqual({ on: "o_r", refused });
  expect(search(found(["tags", "o/r/t"]))).toEqual({ on: "o_r", refused });
  expect(search(found(["repos", "o/r"], ["repos", "o/s"]))).toEqual({});
  expect(search()).toEqual({});
});

it("asks who can push to a repo in the words of the question", () => {
  const typed = "Who can push to redis?";
  const entry = (located?: Located) =>
    offeredAtOnce(typed, readPasted(typed, "http://127.0.0.1/"), atHand, located)[0]?.entries[0];
  const redis = { collection: "repos", uid: "o/r", name: "redis", place: "" };
  expect(entry()).toMatchObject({ id: "unsure who", label: "Who can push images in redis?" });
  expect(entry({ found: [redis], more: [], notes: [] })?.link).toMatchObject({
    to: "/can",
    search: { act: "push", on: "o_r" },
  });
  expect(readPasted("who can pull from the repo a/b", "http://127.0.0.1/")).toEqual({
    is: "question",
    act: "pull",
    repo: "a/b",
  });
});

it("knows from a pasted refusal what was refused", () => {
  const search = (text: string) => sectionsOf(text)[0]?.entries[0]?.link?.search;
  expect(search("pull access denied for acme/go, repository does not exist")).toEqual({ act: "pull" });
  expect(search('{"errors":[{"code":"DENIED","detail":{"Name":"git-pull","Action":"push"}}]}')).toEqual({
    act: "push",
  });
  expect(search("failed to push cgr.dev/acme/pull: denied")).toEqual({ act: "push" });
  expect(search("denied: cgr.dev/acme/pull-push:pull")).toEqual({});
  const refused = "Permission denied: requires CAP_TAG_DELETE at 0123";
  expect(search(JSON.stringify({ code: 7, message: refused }))).toEqual({ act: "CAP_TAG_DELETE" });
});

it("finds scopes by two letters of their name, and none by a single one", () => {
  const scopes = [{ id: "scope a", label: "Scope to acme", icon: SCREENS[0]!.icon, run: ignore }];
  const headings = (typed: string) =>
    foundSections(typed, undefined, { ...atHand, scopes }, () => ({ to: "/" })).map(({ heading }) => heading);
  expect(headings("ac")).toEqual(["Scope"]);
  expect(headings("a")).toEqual([]);
  expect(headings(" a ")).toEqual([]);
});
