import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { beforeAll, expect, test } from "vitest";

import { checkRequest, readRequest, tokenOf } from "./read-request";

const ISSUER = "https://platform.example/oidc";
const EXPECTED = { issuer: ISSUER, subject: "webhook:aaaa/bbbb" };
const BODY = '{"body":{"uid":"aaaa/bbbb/cccc"}}';
const NOW = Date.parse("2026-11-26T12:00:00Z");
/** Of BODY, by `sha256sum`. */
const DIGEST = "sha256:61345d13d753b414378d92de5dd90fe5b5a6f461e1637f96ec505b11b9b459cf";

let keys: object[];
let sign: (change?: {
  claims?: object;
  sub?: string;
  iss?: string;
  aud?: string;
  exp?: number;
}) => Promise<string>;

beforeAll(async () => {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  keys = [{ ...(await exportJWK(publicKey)), kid: "one", alg: "ES256" }];
  sign = ({ claims = { webhook: { digest: DIGEST } }, sub, iss, aud, exp } = {}) =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg: "ES256", kid: "one" })
      .setIssuer(iss ?? ISSUER)
      .setSubject(sub ?? EXPECTED.subject)
      .setAudience(aud ?? "customer")
      .setExpirationTime(exp ?? NOW / 1000 + 300)
      .sign(privateKey);
});

const request = (token: string, body = BODY) => readRequest(`Authorization: Bearer ${token}`, body);

async function verdicts(...args: Parameters<typeof checkRequest>): Promise<Record<string, string>> {
  const checks = await checkRequest(...args);
  return Object.fromEntries(checks.map(({ label, verdict }) => [label.split(" ")[0]!, verdict]));
}

const ALL_RIGHT = {
  Signature: "right",
  Issuer: "right",
  Audience: "right",
  Subject: "right",
  Expiry: "right",
  Body: "right",
};

test("headers are read as tools print them, with the body below an empty line", () => {
  const curl = readRequest("> Authorization: Bearer a.b.c\r\n> ce-id: 1\r\n\r\n{}", "");
  expect([tokenOf(curl), curl.headers.get("ce-id"), curl.body]).toEqual(["a.b.c", "1", "{}"]);
  const json = readRequest('{ "authorization": "Bearer a.b.c", "ce-id": "1" }', "{}");
  expect([tokenOf(json), json.headers.get("ce-id"), json.body]).toEqual(["a.b.c", "1", "{}"]);
  const lines = readRequest('  "authorization": "Bearer a.b.c",\n  "ce-id": "1",', "{}");
  expect([tokenOf(lines), lines.headers.get("ce-id")]).toEqual(["a.b.c", "1"]);
  expect(tokenOf(readRequest("{ broken", ""))).toBeUndefined();
});

test("a request of the subscription is right, also with a line break after its body", async () => {
  const token = await sign();
  expect(await verdicts(request(token), EXPECTED, keys, NOW)).toEqual(ALL_RIGHT);
  expect(await verdicts(request(token, `${BODY}\n`), EXPECTED, keys, NOW)).toEqual(ALL_RIGHT);
});

test("each thing that a receiver must check is wrong alone", async () => {
  const check = async (token: string, body = BODY) => {
    const found = await verdicts(request(token, body), EXPECTED, keys, NOW);
    return Object.entries(found).filter(([, verdict]) => verdict !== "right");
  };
  expect(await check(await sign({ iss: "https://other.example" }))).toEqual([["Issuer", "wrong"]]);
  expect(await check(await sign({ aud: "somebody" }))).toEqual([["Audience", "wrong"]]);
  expect(await check(await sign({ sub: "webhook:aaaa" }))).toEqual([["Subject", "wrong"]]);
  expect(await check(await sign({ exp: NOW / 1000 - 1 }))).toEqual([["Expiry", "late"]]);
  expect(await check(await sign(), BODY.replace("{", "{ "))).toEqual([["Body", "wrong"]]);
  expect(await check(await sign({ claims: {} }))).toEqual([["Body", "wrong"]]);
  const [head, payload, signature = ""] = (await sign()).split(".");
  const forged = [head, payload, `${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`].join(".");
  expect(await check(forged)).toEqual([["Signature", "wrong"]]);
});

test("what cannot be known is not called right", async () => {
  const token = await sign();
  expect(await verdicts(request(token), EXPECTED, undefined, NOW)).toEqual({
    ...ALL_RIGHT,
    Signature: "unknown",
  });
  const others = keys.map((key) => ({ ...key, kid: "two" }));
  expect(await verdicts(request(token), EXPECTED, others, NOW)).toEqual({
    ...ALL_RIGHT,
    Signature: "unknown",
  });
  expect(await verdicts(request(token, ""), EXPECTED, keys, NOW)).toEqual({ ...ALL_RIGHT, Body: "unknown" });
  expect(await verdicts(readRequest("ce-id: 1", BODY), EXPECTED, keys, NOW)).toEqual({ Token: "wrong" });
  expect(await verdicts(request("cut"), EXPECTED, keys, NOW)).toEqual({ Token: "wrong" });
});
