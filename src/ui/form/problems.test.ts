import { describe, expect, it } from "vitest";

import { entryOf, matchPath, renamed, placeProblems } from "./problems";

const names = [
  "name",
  "claimMatch.subject",
  "claimMatch.claims",
  "requests.0.roleUid",
  "requests.1.roleUid",
  "sync_config.source",
  "kind",
];

describe("matchPath", () => {
  it.each([
    ["name", "name"],
    ["identity.name", "name"],
    ["claimMatch.subject", "claimMatch.subject"],
    ["claim_match.subject", "claimMatch.subject"],
    ["identity.claim_match.subject", "claimMatch.subject"],
    ["Identity.ClaimMatch.Subject", "claimMatch.subject"],
    ["requests[1].role_uid", "requests.1.roleUid"],
    ["requests.1.roleUid", "requests.1.roleUid"],
    ["batch.requests[0].roleUid", "requests.0.roleUid"],
    ["syncConfig.source", "sync_config.source"],
    ["repo.sync_config.source", "sync_config.source"],
    // Matches the longest parent that is a field: a key of a map belongs to the map.
    ["claim_match.claims.job_workflow_ref", "claimMatch.claims"],
    ["identity.claimMatch.claims['a-b']", "claimMatch.claims"],
  ])("finds the field of %s", (path, name) => {
    expect(matchPath(path, names)).toBe(name);
  });

  it.each([
    "",
    "claimMatch",
    "claimMatch.issuer",
    "requests[2].roleUid",
    "identity",
    "service_principal",
    "na.me",
  ])("finds none for %s", (path) => {
    expect(matchPath(path, names)).toBeUndefined();
  });

  it("prefers the field itself to the parent that a first part happens to name", () => {
    expect(matchPath("identity.name", ["identity", "name"])).toBe("name");
    expect(matchPath("identity.other", ["identity", "name"])).toBe("identity");
  });
});

it("knows a field of the API by the form's name, whatever its style", () => {
  const table = { "claimMatch.issuerPattern": "name", static_keys: "kind" };
  expect(renamed("identity.claim_match.issuer_pattern", table)).toBe("name");
  expect(renamed("staticKeys.issuer", table)).toBe("kind");
  expect(renamed("claimMatch.issuer", table)).toBe("claimMatch.issuer");
});

it("says which entry of a list is meant, where one field shows the list", () => {
  expect(entryOf("contents.packages[2]", "contents.packages")).toBe(2);
  expect(entryOf("repo.custom_overlay.packages.0", "customOverlay.packages")).toBe(0);
  expect(entryOf("contents.packages", "contents.packages")).toBeUndefined();
  expect(entryOf("users.1.name", "users.1.name")).toBeUndefined();
  expect(entryOf("claims.a", "claims")).toBeUndefined();
});

it("puts a problem of the header with the reason at the field for it", () => {
  const problem = { field: "Change-Justification", description: "required" };
  const { placed, unmatched } = placeProblems([problem], ["roleUid", "justification"]);
  expect([...placed]).toEqual([["justification", "required"]]);
  expect(unmatched).toEqual([]);
});
