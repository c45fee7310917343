import { exportJWK, generateKeyPair, type JWK } from "jose";
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";

import { expectUnharmed, Target } from "./target";

const ISSUER = "https://planted.example";
const SECONDS = 5;
const CONNECTIONS = 20;

let target: Target;
let organizations: string[];
beforeAll(async () => {
  target = await Target.start();
  organizations = [];
  for (let more = 0; more < 5; more++) organizations.push(await target.organization(`planter ${more}`));
});
afterAll(() => target.stop());

/** Registers the most expensive keys: long exponents if the service accepts them, the slowest curve if not. */
async function plantKeys(subject: string): Promise<number> {
  const number = (bytes: number) => {
    const value = randomBytes(bytes);
    value[0] = 0xff;
    value[bytes - 1] = 0xff;
    return value.toString("base64url");
  };
  const rsa = () => Array.from({ length: 20 }, (): JWK => ({ kty: "RSA", n: number(1024), e: number(1020) }));
  const slow = await Promise.all(
    Array.from({ length: 20 }, async () => exportJWK((await generateKeyPair("ES512")).publicKey)),
  );
  let planted = 0;
  for (let index = 0; index < 50; index++)
    for (const keys of [rsa(), slow]) {
      const staticKeys = { issuer: ISSUER, subject, issuerKeys: JSON.stringify({ keys }) };
      if (!(await target.plant(organizations[index % 5] ?? "", { staticKeys }))) continue;
      planted += 1;
      break;
    }
  return planted;
}

/** A token with an invalid signature, different each time. */
function madeUp(subject: string, alg: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const exp = Math.floor(Date.now() / 1000) + 300;
  const claims = part({
    iss: ISSUER,
    sub: subject,
    aud: target.service.url,
    exp,
    jti: randomBytes(8).toString("hex"),
  });
  const signature = randomBytes(alg === "RS256" ? 1024 : 132);
  signature[0] = 0;
  return `${part({ alg, typ: "JWT" })}.${claims}.${signature.toString("base64url")}`;
}

/** Sends invalid tokens one after another over one connection for SECONDS; returns the number of 401 responses. */
async function flood(subject: string, algorithms: readonly string[] = ["RS256", "ES512"]): Promise<number> {
  const end = performance.now() + SECONDS * 1000;
  let answered = 0;
  while (performance.now() < end) {
    const token = madeUp(subject, algorithms[answered % algorithms.length] ?? "");
    const { status } = await target.call("GET", "/ping/v2/ping", { token });
    expect(status).toBe(401);
    answered += 1;
  }
  return answered;
}

test("made-up tokens, of an issuer and subject for which others have registered keys", async () => {
  const planted = await plantKeys("keys");
  let answered = 0;
  const figures = await target.measure(`${planted} identities with 20 keys`, async () => {
    answered = await flood("keys");
  });
  console.log(`${answered} tokens refused in ${figures.seconds.toFixed(1)} s`);
  expectUnharmed(figures);
});

test("made-up tokens, of an issuer and subject of which there are twins", async () => {
  const { publicKey } = await generateKeyPair("ES256");
  const key = await exportJWK(publicKey);
  const issuerKeys = JSON.stringify({ keys: [key], more: "x".repeat(60_000) });
  let planted = 0;
  for (let index = 0; index < 1_000; index++)
    if (
      await target.plant(organizations[index % 5] ?? "", {
        staticKeys: { issuer: ISSUER, subject: "twin", issuerKeys },
      })
    )
      planted += 1;
  const figures = await target.measure(`${planted} twins`, () => flood("twin"));
  expectUnharmed(figures);
});

test("made-up tokens over twenty connections, of an issuer and subject without and with registered keys", async () => {
  const floods = (subject: string) =>
    Promise.all(Array.from({ length: CONNECTIONS }, () => flood(subject, ["ES256"])));
  expectUnharmed(await target.measure(`${CONNECTIONS} connections, no keys`, () => floods("many")));
  let planted = 0;
  for (let more = 0; more < 10; more++) {
    const organization = await target.organization(`crowd ${more}`);
    for (let index = 0; index < 10; index++) {
      const keys = await Promise.all(
        Array.from({ length: 20 }, async () => exportJWK((await generateKeyPair("ES256")).publicKey)),
      );
      const staticKeys = { issuer: ISSUER, subject: "many", issuerKeys: JSON.stringify({ keys }) };
      if (await target.plant(organization, { staticKeys })) planted += 1;
    }
  }
  expect(planted).toBe(100);
  const what = `${CONNECTIONS} connections, ${planted} identities with 20 keys`;
  expectUnharmed(await target.measure(what, () => floods("many")));
});
