import { describe, expect, test } from "vitest";

import { groups } from "platform-contract/iam/groups";
import { identities } from "platform-contract/iam/identities";

import { applyMask, readMask } from "./masks";
import { withoutUnset } from "./values";

const current = {
  name: "ci",
  description: "old",
  claimMatch: { issuer: "https://a", subject: "s", claims: { env: "prod" } },
};
const apply = (body: Record<string, unknown>, mask?: string) =>
  withoutUnset(applyMask(identities, current, body, readMask(identities, body, mask)));

const violations = (body: Record<string, unknown>, mask?: string) =>
  readMask(identities, body, mask).violations;

describe("without a mask", () => {
  test("the fields that are present change, an empty one is cleared", () => {
    expect(apply({ description: "" })).toEqual({ name: "ci", claimMatch: current.claimMatch });
    expect(apply({ description: null })).toEqual({ name: "ci", claimMatch: current.claimMatch });
  });

  test("objects contribute leaf paths, maps are replaced whole", () => {
    const claimMatch = apply({ claimMatch: { subject: "t", claims: { ref: "main" } } })["claimMatch"];
    expect(claimMatch).toEqual({ issuer: "https://a", subject: "t", claims: { ref: "main" } });
  });

  test("what only the service sets is ignored, an unknown key is refused under its own path", () => {
    expect(apply({ uid: "x", createTime: "y", lastSeenTime: "z", name: "new" })).toEqual({
      ...current,
      name: "new",
    });
    expect(violations({ nam: "x", claimMatch: { isuer: "y" } })).toEqual([
      { field: "nam", description: '"nam" is not a field that can be updated' },
      { field: "claimMatch.isuer", description: '"claimMatch.isuer" is not a field that can be updated' },
    ]);
  });
});

describe("with a mask", () => {
  test("only the listed fields change, in either casing; others in the body are ignored", () => {
    const body = { name: "BAD NAME", description: "new", claimMatch: { subject: "t", issuer: "https://b" } };
    for (const mask of ["description,claimMatch.subject", "description, claim_match.subject"])
      expect(apply(body, mask)).toEqual({
        name: "ci",
        description: "new",
        claimMatch: { ...current.claimMatch, subject: "t" },
      });
  });

  test("a listed field without a value is cleared, a listed object is replaced whole", () => {
    expect(apply({}, "description")).toEqual({ name: "ci", claimMatch: current.claimMatch });
    expect(apply({ claimMatch: { issuer: "https://b", subject: "t" } }, "claimMatch")["claimMatch"]).toEqual({
      issuer: "https://b",
      subject: "t",
    });
  });

  test("a star replaces everything", () => {
    expect(apply({ name: "new", servicePrincipal: "X" }, "*")).toEqual({
      name: "new",
      servicePrincipal: "X",
    });
  });

  test("an unknown path is a violation of updateMask, one that only the service sets is ignored", () => {
    expect(apply({ uid: "x" }, "uid,last_seen_time,create_time")).toEqual(current);
    for (const mask of [
      "nam",
      "claimMatch.claims.env",
      "name.first",
      "name,*",
      "name,,description",
      "uid.x",
      "__proto__",
    ])
      expect(violations({}, mask).map(({ field }) => field)).toEqual(["updateMask"]);
  });

  test("an empty mask is none", () => {
    expect(apply({ description: "new" }, "")).toEqual({ ...current, description: "new" });
  });
});

describe("oneofs", () => {
  test("setting one member clears the other", () => {
    expect(apply({ claimMatch: { subjectPattern: "repo:.*" } })["claimMatch"]).toEqual({
      issuer: "https://a",
      subjectPattern: "repo:.*",
      claims: { env: "prod" },
    });
    const moved = apply({ staticKeys: { issuer: "https://b" } }, "staticKeys.issuer");
    expect(moved).toEqual({ name: "ci", description: "old", staticKeys: { issuer: "https://b" } });
  });

  test("a body that sets two members keeps both, for the schema to refuse", () => {
    const both = apply({ claimMatch: { issuer: "https://b", issuerPattern: "https://.*" } })["claimMatch"];
    expect(both).toMatchObject({ issuer: "https://b", issuerPattern: "https://.*" });
  });

  test("clearing a member does not bring another one back", () => {
    expect(apply({ claimMatch: { subject: "" } })["claimMatch"]).toEqual({
      issuer: "https://a",
      claims: { env: "prod" },
    });
  });
});

test("a mask of a flat resource", () => {
  const before = { name: "one", description: "d" };
  const body = { name: "two" };
  expect(applyMask(groups, before, body, readMask(groups, body, undefined))).toEqual({
    name: "two",
    description: "d",
  });
});
