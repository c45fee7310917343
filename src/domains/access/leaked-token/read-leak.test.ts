import { expect, test } from "vitest";

import { readLeak } from "./read-leak";

const TRUST = { oidc: { authority: "https://own.example" } };
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const jwt = (claims: unknown) => `${part({ alg: "ES256" })}.${part(claims)}.signature`;
const CLAIMS = {
  iss: "https://ci.example",
  sub: "job",
  aud: "https://p.example",
  jti: "a-1",
  iat: 10,
  exp: 20,
};

const leakOf = (text: string) => {
  const reading = readLeak(text, TRUST);
  if (reading?.is !== "leak") throw new Error(JSON.stringify(reading));
  return reading.leak;
};

test.each([
  ["a token", jwt(CLAIMS)],
  ["a header", `Authorization: Bearer ${jwt(CLAIMS)}\n`],
  ["a token broken by a terminal", `"${jwt(CLAIMS).slice(0, 40)}\n${jwt(CLAIMS).slice(40)}"`],
  ["claims", JSON.stringify(CLAIMS, null, 2)],
])("%s says whose it is, its id, and its times", (_what, text) => {
  expect(leakOf(text)).toMatchObject({
    jti: "a-1",
    token: { issuer: "https://ci.example", subject: "job", audiences: ["https://p.example"] },
    exchangedFor: undefined,
    issued: 10_000,
    ends: 20_000,
  });
});

test("nothing that it keeps holds the token", () => {
  const token = jwt(CLAIMS);
  const kept = JSON.stringify(leakOf(token));
  for (const piece of token.split(".")) expect(kept).not.toContain(piece);
});

test("a token from an exchange names its identity", () => {
  const exchanged = { identity: "a".repeat(40), rule: "x", issuer: "i", subject: "s" };
  expect(leakOf(jwt({ ...CLAIMS, exchanged })).exchangedFor).toBe("a".repeat(40));
  expect(leakOf(jwt({ ...CLAIMS, exchanged: "x" })).exchangedFor).toBeUndefined();
});

test.each([[""], [5], [null], [["a"]], ["a\nb"], ["a\u0000"], ["\ud800"], ["ä".repeat(101)]])(
  "an id of %j is one that no entry has",
  (jti) => {
    expect(leakOf(jwt({ ...CLAIMS, jti })).jti).toBeUndefined();
    expect(leakOf(JSON.stringify({ ...CLAIMS, jti })).jti).toBeUndefined();
  },
);

test("claims with an id alone are enough, and with neither id nor subject they are not", () => {
  expect(leakOf('{"jti":"x"}')).toMatchObject({ jti: "x", token: undefined, issued: undefined });
  expect(readLeak('{"iss":"https://ci.example"}', TRUST)).toMatchObject({ is: "unreadable" });
  expect(readLeak("{", TRUST)).toMatchObject({ is: "unreadable" });
  expect(readLeak("{}", TRUST)).toMatchObject({ is: "unreadable" });
});

test("an id is looked for when the user says so", () => {
  expect(readLeak(" 0b9e-4711 ", TRUST)).toEqual({ is: "id", jti: "0b9e-4711" });
  expect(readLeak("  ", TRUST)).toBeUndefined();
});

test("no part of a token is taken for an id, since that is sent", () => {
  const token = jwt(CLAIMS);
  const [header = "", payload = ""] = token.split(".");
  for (const text of [
    header,
    payload,
    `${header}.${payload}`,
    token.slice(0, -20),
    token.slice(9),
    "a.b.c.d.e",
  ])
    expect(readLeak(text, TRUST)?.is).toBe("unreadable");
});
