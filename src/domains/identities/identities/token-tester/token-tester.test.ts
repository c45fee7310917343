import { describe, expect, it } from "vitest";

import type { Identity } from "platform-contract/iam/identities";

import { compare } from "./compare";
import { segmentsOf } from "./difference";
import { readToken } from "./read-token";
import { tokenOf } from "./testing";

const NOW = Date.parse("2026-06-01T12:00:00Z");
const SECONDS = NOW / 1000;
const PLATFORM = "https://platform.example";
const GITHUB = "https://token.actions.githubusercontent.com";
const TRUST = { oidc: { authority: `${PLATFORM}/oidc` }, trustedIssuers: [GITHUB, "https://gitlab.example"] };
const WITH_IDS = "repo:acme@1234/app@5678:ref:refs/heads/main";

const identity = (name: string, rule: Partial<Identity>): Identity => ({
  uid: `${"a".repeat(40)}/${"b".repeat(16)}`,
  name,
  ...rule,
});
const ci = identity("ci", { claimMatch: { issuer: GITHUB, subject: WITH_IDS } });
const claims = { iss: GITHUB, sub: WITH_IDS, aud: PLATFORM, iat: SECONDS - 60, exp: SECONDS + 300 };

const read = (text: string) => readToken(text, TRUST, NOW);
function tried(changed: object, against: Identity = ci) {
  const { token, problems } = read(tokenOf({ ...claims, ...changed }));
  if (!token) throw new Error("unreadable");
  const result = compare(against, token, PLATFORM, NOW);
  return { ...result, problems, failed: result.checks.filter(({ fits }) => !fits) };
}
const titles = (text: string) => read(text).problems.map(({ title }) => title);

describe("a token", () => {
  it("that is right matches", () => {
    const { fits, failed, problems } = tried({});
    expect({ fits, failed, problems }).toEqual({ fits: true, failed: [], problems: [] });
  });

  it("is read out of what it was copied with", () => {
    const token = tokenOf(claims);
    for (const text of [
      `Authorization: Bearer ${token}\n`,
      `"${token}",`,
      token.replace(/(.{40})/g, "$1\n  "),
    ])
      expect(read(text).token?.subject, text).toBe(WITH_IDS);
  });

  it("for another audience says both", () => {
    const { near, failed } = tried({ aud: ["https://other.example", "sts.example"] });
    expect(near).toBe(true);
    expect(failed).toMatchObject([{ claim: "aud", wanted: PLATFORM, found: "https://other.example" }]);
    expect(failed[0]?.why).toContain("must be for this platform");
    expect(failed[0]?.change).toContain(`Request the token for the audience ${PLATFORM}`);
    const named = identity("x", { claimMatch: { issuer: GITHUB, subject: WITH_IDS, audience: "a" } });
    expect(tried({}, named).failed).toMatchObject([{ claim: "aud", wanted: "a", found: PLATFORM }]);
  });

  it("without an audience is told to request one, with nothing to remove", () => {
    const named = identity("x", { claimMatch: { issuer: GITHUB, subject: WITH_IDS, audience: "a" } });
    const pattern = identity("y", {
      claimMatch: { issuer: GITHUB, subject: WITH_IDS, audiencePattern: "a.*" },
    });
    const changes = [ci, named, pattern].map((each) => tried({ aud: undefined }, each).failed[0]?.change);
    expect(changes).toEqual([
      `Request the token for the audience ${PLATFORM}.`,
      "Request the token for the audience a.",
      "Request the token for an audience that matches a.*.",
    ]);
  });

  it.each([
    [{ email: "a@b.example" }, "Have the issuer add the claim, or remove the claim email from the identity."],
    [
      { email: "a@b.example", Email: "a@b.example" },
      "Have the issuer call the claim email, or change the identity's claim email to Email.",
    ],
  ])("without another claim is told what fits the cause", (sent, change) => {
    const wants = identity("z", {
      claimMatch: { issuer: GITHUB, subject: WITH_IDS, claims: { email: "a@b.example" } },
    });
    expect(tried({ ...sent, email: undefined }, wants).failed[0]?.change).toBe(change);
  });

  it("whose issuer ends with a slash says that", () => {
    const { near, failed, problems } = tried({ iss: `${GITHUB}/` });
    expect(near).toBe(true);
    // The service trusts the issuer, but compares identities exactly.
    expect(problems).toEqual([]);
    expect(failed).toMatchObject([
      { claim: "iss", why: "The token's value ends with a slash, but the identity's doesn't." },
    ]);
  });

  it("that names a repository without ids says so, and marks them", () => {
    const { near, failed } = tried({ sub: "repo:acme/app:ref:refs/heads/main" });
    expect(near).toBe(true);
    expect(failed[0]?.why).toBe(
      "The token names owner and repository without their ids, which the identity requires.",
    );
    expect(failed[0]?.change).toContain("Opt in to ids");
    const [wanted, found] = segmentsOf(WITH_IDS, "repo:acme/app:ref:refs/heads/main");
    expect(wanted.filter(({ differs }) => differs).map(({ text }) => text)).toEqual(["@1234", "@5678"]);
    expect(found.some(({ differs }) => differs)).toBe(false);
  });

  it("with ids, where the identity has names alone, asks for the safer one", () => {
    const names = identity("x", {
      claimMatch: { issuer: GITHUB, subject: "repo:acme/app:ref:refs/heads/main" },
    });
    const { near, failed } = tried({ sub: "repo:acme@1234/app@5678:ref:refs/heads/dev" }, names);
    expect(near).toBe(true);
    expect(failed[0]?.why).toBe(
      "The token names owner and repository with their ids, and the identity expects names alone. It is for branch dev, and the identity accepts branch main.",
    );
    expect(failed[0]?.change).toContain("Ids can't be taken over");
  });

  it("of another branch, of pull requests, and without any of them, says which", () => {
    const why = (sub: string) => tried({ sub }).failed[0]?.why;
    expect(why("repo:acme@1234/app@5678:environment:prod")).toBe(
      "Same repository. It is for environment prod, and the identity accepts branch main.",
    );
    expect(why("repo:acme@1234/app@5678:pull_request")).toContain("It is for pull requests");
    expect(why("repo:acme/app")).toContain("It is for no branch, tag or environment");
    const other = tried({ sub: "repo:else@9/where@8:ref:refs/heads/main" });
    expect(other).toMatchObject({ near: false, failed: [{ why: expect.stringContaining("else/where") }] });
  });

  it("in another case says that", () => {
    const { near, failed } = tried({ sub: WITH_IDS.replace("app", "App") });
    expect(near).toBe(true);
    expect(failed[0]?.why).toBe("Only the case differs. Values are compared character by character.");
    const [wanted, found] = segmentsOf("repo:acme/app", "repo:acme/App");
    expect([wanted, found].map((side) => side.find(({ differs }) => differs)?.text)).toEqual(["a", "A"]);
  });

  it("that has expired, or is not valid yet, would match", () => {
    expect(tried({ exp: SECONDS - 11 })).toMatchObject({
      fits: true,
      problems: [
        { title: "The token has expired", text: expect.stringContaining("2026-06-01 11:59:49 UTC") },
      ],
    });
    expect(tried({ nbf: SECONDS + 60 })).toMatchObject({
      fits: true,
      problems: [{ title: "The token isn't valid yet", text: expect.stringContaining("12:01:00 UTC") }],
    });
    // Clocks can differ by ten seconds.
    expect(tried({ exp: SECONDS - 9, nbf: SECONDS + 9 }).problems).toEqual([]);
    expect(tried({ exp: undefined }).problems).toMatchObject([
      { title: "The token has no exp (expiry) claim" },
    ]);
  });

  it("of an issuer that nobody knows is refused, whatever matches", () => {
    const other = identity("x", { claimMatch: { issuer: "https://else.example", subject: "s" } });
    const { fits, problems } = tried({ iss: "https://else.example", sub: "s" }, other);
    expect(fits).toBe(true);
    expect(problems).toMatchObject([{ title: "The platform doesn't trust this issuer" }]);
    expect(tried({ iss: "https://GitLab.example" }).problems[0]?.text).toContain(
      "It trusts https://gitlab.example,",
    );
    const untold = { oidc: TRUST.oidc };
    expect(readToken(tokenOf({ ...claims, iss: "https://else.example" }), untold, NOW).problems).toEqual([]);
  });

  it("that is none, encrypted or not signed says so", () => {
    expect(read("correct horse")).toMatchObject({ problems: [{ title: "This isn't a JWT" }] });
    expect(titles("a.b.c")).toEqual(["This isn't a JWT"]);
    expect(titles(tokenOf(claims).slice(0, 60))).toEqual(["This isn't a JWT"]);
    expect(titles(tokenOf([]))).toEqual(["This isn't a JWT"]);
    const jwe = `${Buffer.from('{"alg":"RSA-OAEP","enc":"A256GCM"}').toString("base64url")}.a.b.c.d`;
    expect(titles(jwe)).toEqual(["This token is encrypted"]);
    expect(titles(`${tokenOf(claims, { alg: "none" }).replace(/[^.]*$/, "")}`)).toEqual([
      "The token isn't signed",
    ]);
    expect(titles(tokenOf(claims, { alg: "HS256" }))).toEqual(["The token is signed with HS256"]);
    expect(titles(tokenOf({ ...claims, sub: undefined }))).toEqual(["The token has no sub (subject) claim"]);
  });

  it("may match two identities", () => {
    const pattern = identity("any branch", {
      claimMatch: { issuer: GITHUB, subjectPattern: "repo:acme@1234/app@5678:.*", audience: PLATFORM },
    });
    expect([ci, pattern].map((each) => tried({}, each).fits)).toEqual([true, true]);
  });
});

describe("patterns", () => {
  const match = (subjectPattern: string) => identity("x", { claimMatch: { issuer: GITHUB, subjectPattern } });
  it.each([
    ["a part", "repo:acme@1234/app", true, /matches only a part, "repo:acme@1234\/app"/],
    ["another case", "REPO:.*", true, /if it ignored case/],
    ["nothing", "repo:else/.*", false, /doesn't match the value/],
    ["no expression", "repo:(?=x)", false, /isn't a valid regular expression/],
    ["too long", "a".repeat(501), false, /longer than the platform allows/],
  ])("%s", (_what, pattern, near, why) => {
    const { fits, failed } = tried({}, match(pattern));
    expect(fits).toBe(false);
    expect(failed).toMatchObject([{ claim: "sub", near }]);
    expect(failed[0]?.why).toMatch(why);
  });

  it("a * in an exact value is no wildcard", () => {
    const starred = identity("x", { claimMatch: { issuer: GITHUB, subject: "repo:acme@1234/app@5678:*" } });
    const { failed } = tried({ sub: "repo:acme@1234/app@5678:environment:prod" }, starred);
    expect(failed[0]?.why).toBe("The identity compares this value exactly: * isn't a wildcard here.");
  });
});

describe("other claims", () => {
  const staging = identity("x", {
    claimMatch: {
      issuer: GITHUB,
      subject: WITH_IDS,
      claims: { environment: "staging", protected: "true" },
      claimPatterns: { ref: "refs/tags/.*" },
    },
  });

  it("fit as texts, numbers, truths and members of lists", () => {
    expect(
      tried({ environment: ["prod", "staging"], protected: true, ref: "refs/tags/v1" }, staging).fits,
    ).toBe(true);
  });

  it("are missing, nested or spelled in another case", () => {
    const { failed } = tried(
      { Environment: "staging", protected: { is: true }, ref: "refs/heads/x" },
      staging,
    );
    expect(failed.map(({ claim, why }) => `${claim}: ${why}`)).toEqual([
      "environment: The token has the claim Environment, which is spelled differently.",
      "protected: The token's claim isn't a string, so it can't be compared.",
      "ref: The pattern doesn't match the value.",
    ]);
  });
});

describe("static keys", () => {
  const keys = { issuer: "https://fleet.example", subject: "fleet", issuerKeys: '{"keys":[{"kid":"k1"}]}' };
  const fleet = (more: object = {}) => identity("fleet", { staticKeys: { ...keys, ...more } });
  const sent = { iss: keys.issuer, sub: "fleet" };

  it("match without the platform's trust in the issuer", () => {
    const { fits, problems } = tried(sent, fleet());
    expect(fits).toBe(true);
    expect(problems).toMatchObject([{ butStaticKeys: true }]);
  });

  it("expire, and have names", () => {
    const { failed } = tried(
      sent,
      fleet({ expirationTime: "2026-05-01T00:00:00Z", issuerKeys: '{"keys":[{"kid":"k2"}]}' }),
    );
    expect(failed.map(({ claim }) => claim)).toEqual(["kid", "keys"]);
  });
});
