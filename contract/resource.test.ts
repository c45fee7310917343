import { describe, expect, it } from "vitest";

import { pathOf } from "./endpoint";
import { groups } from "./iam/groups";
import { identities } from "./iam/identities";
import { roles } from "./iam/roles";
import { endpoints, resources } from "./index";
import { timestamp } from "./schema";

const issues = (schema: typeof identities.request, value: unknown) => {
  const result = schema.safeParse(value);
  return result.success ? [] : result.error.issues.map((issue) => [issue.path.join("."), issue.message]);
};

describe("a request", () => {
  it("lists every failing field at once, each in its own sentence", () => {
    expect(issues(identities.request, { claimMatch: {} })).toEqual([
      ["name", 'must match "^[a-z0-9 ._-]{1,}$"'],
      ["claimMatch.issuer", "one of issuer, issuerPattern is required"],
      ["claimMatch.subject", "one of subject, subjectPattern is required"],
    ]);
  });

  it("takes one relationship, and one only", () => {
    expect(issues(identities.request, { name: "ci" })).toEqual([
      ["claimMatch", "one of claimMatch, staticKeys, awsIdentity, servicePrincipal is required"],
    ]);
    const two = {
      name: "ci",
      servicePrincipal: "SERVICE_PRINCIPAL_COSIGNED",
      claimMatch: { issuer: "https://issuer.example", subject: "s" },
    };
    expect(issues(identities.request, two)).toEqual([
      ["servicePrincipal", "only one of claimMatch, staticKeys, awsIdentity, servicePrincipal can be set"],
    ]);
  });

  it("takes a time only if it exists", () => {
    const takes = (value: string) => timestamp().safeParse(value).success;
    for (const time of [
      "2028-02-29T23:59:59.999999999Z",
      "2026-12-31T23:30:00-01:00",
      "0001-01-01T00:00:00Z",
    ])
      expect(takes(time), time).toBe(true);
    for (const time of [
      "2026-02-31T00:00:00Z",
      "2026-02-29T00:00:00+01:00",
      "2026-04-31T00:00:00Z",
      "2026-01-01T24:00:00Z",
      "2026-01-01T00:00:00+99:99",
      "2026-01-01T00:00:00+24:00",
    ])
      expect(takes(time), time).toBe(false);
  });

  it("takes an issuer only as a URL", () => {
    const named = (of: object) => issues(identities.request, { name: "ci", ...of });
    for (const issuer of ["issuer", "ftp://issuer.example", "https://", "https://a b", "javascript:x"]) {
      const claims = { issuer, subject: "s" };
      expect(named({ claimMatch: claims }).map(([field]) => field)).toEqual(["claimMatch.issuer"]);
      expect(named({ staticKeys: { ...claims, issuerKeys: "{}" } }).map(([field]) => field)).toEqual([
        "staticKeys.issuer",
      ]);
    }
    for (const issuer of ["https://issuer.example/a", "http://127.0.0.1:8080/oidc"])
      expect(named({ claimMatch: { issuer, subject: "s" } })).toEqual([]);
  });

  it("refuses an enum value that it does not know, NUL, and half a surrogate pair", () => {
    const base = { name: "ci", servicePrincipal: "SERVICE_PRINCIPAL_NEW" };
    expect(issues(identities.request, base)[0]?.[0]).toBe("servicePrincipal");
    for (const bad of ["a\0b", "\ud800", "x\udc00y"])
      expect(issues(groups.request as never, { name: "acme", description: bad })).toEqual([
        ["description", "must not contain NUL or unpaired surrogates"],
      ]);
    expect(issues(groups.request as never, { name: "😀😀😀" })).toEqual([]);
  });

  it("counts bytes, not characters", () => {
    expect(issues(groups.request as never, { name: "acme", description: "é".repeat(4_001) })).toEqual([
      ["description", "must be at most 8000 bytes long"],
    ]);
  });
});

describe("an answer", () => {
  it("keeps unknown fields and unknown enum values, and judges no value", () => {
    const wire = {
      uid: "a".repeat(40),
      name: "Not A Valid Name",
      servicePrincipal: "SERVICE_PRINCIPAL_NEW",
      addedLater: { deep: [1] },
      claimMatch: { issuer: "i", addedLater: true },
    };
    expect(identities.answer.parse(wire)).toEqual(wire);
  });

  it("needs only what every server sends", () => {
    expect(roles.answer.safeParse({ uid: "a".repeat(40), name: "viewer" }).success).toBe(true);
    expect(roles.answer.safeParse({ name: "viewer" }).success).toBe(false);
  });
});

describe("a list", () => {
  it("refuses an order that it does not offer by naming those that it does", () => {
    for (const { list, sortable } of resources)
      for (const order of ["capabilities", "name down", "name,uid", "1"]) {
        const [issue] = list.query["order_by"]?.safeParse(order).error?.issues ?? [];
        for (const field of sortable) expect(issue?.message).toContain(field);
      }
  });
});

describe("endpoints", () => {
  it("state their access and have ids of their own", () => {
    expect(new Set(endpoints.map(({ id }) => id)).size).toBe(endpoints.length);
    for (const { access } of endpoints) expect(access.needs.length > 0).toBe(access.at !== "anyone");
  });

  it("keep the slashes of a uid raw, and leave out an empty parent", () => {
    expect(pathOf(groups.get, { uid: "ab/cd" })).toBe("/iam/v2/groups/ab/cd");
    expect(pathOf(groups.create, { parent: "" })).toBe("/iam/v2/groups");
  });
});
