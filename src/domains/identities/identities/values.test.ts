import { describe, expect, it } from "vitest";

import type { Identity, IdentityInput } from "platform-contract/iam/identities";
import { changesBetween as between } from "~/ui/form/changes";

import { GITHUB_ISSUER } from "./github";
import {
  asRaw,
  emptyIdentity,
  fromIdentity,
  leavesOf,
  MAPS,
  memberOf,
  toBody,
  type FormKind,
  type IdentityValues,
} from "./values";

const changesBetween = (before: IdentityInput, after: IdentityInput) =>
  between({ ...before }, { ...after }, new Set(MAPS));
const uid = `${"a".repeat(40)}/${"b".repeat(16)}`;
const issuer = "https://issuer.example";

const BODIES: Record<string, IdentityInput> = {
  github: {
    name: "ci",
    claimMatch: { issuer: GITHUB_ISSUER, subject: "repo:acme@1/api@2:pull_request", audience: "x" },
  },
  claims: {
    name: "ci",
    description: "Builds",
    claimMatch: {
      issuerPattern: "https://.*",
      subjectPattern: "repo:.*",
      audiencePattern: "a.*",
      claims: { env: "prod" },
      claimPatterns: { env: "p.*", ref: "v.*" },
    },
  },
  keys: {
    name: "fleet",
    staticKeys: {
      issuer,
      subject: "fleet",
      issuerKeys: '{"keys":[]}',
      expirationTime: "2026-06-01T08:30:00.000Z",
      audiences: ["https://audience.example"],
    },
  },
  aws: {
    name: "node",
    awsIdentity: { awsAccount: "123456789012", arn: "arn:aws:iam::1:role/x", userIdPattern: "AROA.*" },
  },
  service: { name: "sync", servicePrincipal: "SERVICE_PRINCIPAL_INGESTER" },
};

const cases = Object.entries(BODIES);
const stored = (body: IdentityInput): Identity => ({ uid, ...body });

describe("an identity in the form", () => {
  it.each(cases)("of kind %s comes back as it was", (kind, body) => {
    const values = fromIdentity(stored(body));
    expect(values.kind).toBe(kind);
    expect(toBody(values)).toEqual(body);
    expect(changesBetween(toBody(values), toBody(values))).toEqual({ mask: [], body: {} });
  });

  it("is not GitHub's form where that would lose something", () => {
    const { claimMatch } = BODIES["github"] ?? {};
    const kindOf = (match: object) =>
      fromIdentity(stored({ name: "ci", claimMatch: { ...claimMatch, ...match } })).kind;
    expect(kindOf({ claims: {} })).toBe("github");
    expect(kindOf({ claims: { environment: "prod" } })).toBe("claims");
    expect(kindOf({ issuer })).toBe("claims");
    expect(kindOf({ newMember: "x" })).toBe("claims");
    expect(kindOf({ audience: undefined, audiencePattern: "x.*" })).toBe("claims");
  });

  it("of a kind that only a newer service knows keeps it", () => {
    const values = fromIdentity({ uid, name: "new", gcpIdentity: { account: "x" } } as Identity);
    expect(values.kind).toBe("other");
    expect(toBody({ ...values, name: "renamed" })).toEqual({ name: "renamed" });
  });

  it("gives no empty texts, nor spaces around them", () => {
    const values: IdentityValues = { ...emptyIdentity, kind: "claims", name: " ci ", description: "  " };
    values.claimMatch = { ...values.claimMatch, issuer: ` ${issuer} `, claims: {} };
    expect(toBody(values)).toEqual({ name: "ci", claimMatch: { issuer } });
  });

  it("of GitHub's form goes on as the claims that it stands for", () => {
    const github = fromIdentity(stored(BODIES["github"] ?? { name: "" }));
    const claims = asRaw({ ...github, claimMatch: { ...github.claimMatch, issuer: "", subject: "" } });
    expect(claims.kind).toBe("claims");
    expect(toBody(claims)).toEqual(BODIES["github"]);
  });
});

describe("what an update says", () => {
  const before = BODIES["claims"] ?? { name: "" };
  const match = before.claimMatch ?? {};

  it("is the changed leaves and nothing else", () => {
    const after = { ...before, name: "ci-2", claimMatch: { ...match, subjectPattern: "repo:acme/.*" } };
    expect(changesBetween(before, after)).toEqual({
      mask: ["name", "claimMatch.subjectPattern"],
      body: { name: "ci-2", claimMatch: { subjectPattern: "repo:acme/.*" } },
    });
  });

  it("clears what was emptied", () => {
    const { description: _, ...after } = before;
    expect(changesBetween(before, after)).toEqual({ mask: ["description"], body: {} });
  });

  it("names both members of a oneof that was switched", () => {
    const { subjectPattern: _, ...rest } = match;
    const { mask, body } = changesBetween(before, {
      ...before,
      claimMatch: { ...rest, subject: "repo:acme/api" },
    });
    expect(mask.toSorted()).toEqual(["claimMatch.subject", "claimMatch.subjectPattern"]);
    expect(body).toEqual({ claimMatch: { subject: "repo:acme/api" } });
  });

  it("replaces a map whole, and only when it differs", () => {
    const reordered = { ...match, claimPatterns: { ref: "v.*", env: "p.*" } };
    expect(changesBetween(before, { ...before, claimMatch: reordered }).mask).toEqual([]);
    const { mask, body } = changesBetween(before, {
      ...before,
      claimMatch: { ...match, claims: { env: "prod", a: "b" } },
    });
    expect(mask).toEqual(["claimMatch.claims"]);
    expect(body).toEqual({ claimMatch: { claims: { env: "prod", a: "b" } } });
    const { claims: _, ...without } = match;
    expect(changesBetween(before, { ...before, claimMatch: without })).toEqual({
      mask: ["claimMatch.claims"],
      body: {},
    });
  });

  it("leaves a time alone that nobody changes", () => {
    const wire = stored({
      name: "x",
      staticKeys: { issuer, subject: "s", issuerKeys: "{}", expirationTime: "2026-06-01T08:30:41.123Z" },
    });
    const values = fromIdentity(wire);
    expect(changesBetween(toBody(values), toBody({ ...values, name: "y" })).mask).toEqual(["name"]);
  });
});

it("an update that changes the kind names the old rule and the new one, each as a whole", () => {
  const before: IdentityInput = { name: "x", claimMatch: { issuer: "i", subject: "s", claims: { a: "b" } } };
  const after: IdentityInput = { name: "x", awsIdentity: { awsAccount: "1", arn: "a", userId: "u" } };
  const { mask, body } = between({ ...before }, { ...after }, new Set(leavesOf(before, after)));
  expect(mask).toEqual(["claimMatch", "awsIdentity"]);
  expect(body).toEqual({ awsIdentity: after.awsIdentity });
  expect(leavesOf(before, { ...before, name: "y" })).toEqual(MAPS);
});

it("a kind of the form is a member of the API's oneof", () => {
  const of = (kind: FormKind, provider = "gitlab") => memberOf({ kind, preset: { provider, fields: {} } });
  expect([of("github"), of("preset"), of("preset", "aws"), of("keys"), of("other")]).toEqual([
    "claimMatch",
    "claimMatch",
    "awsIdentity",
    "staticKeys",
    undefined,
  ]);
});
