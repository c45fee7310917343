import { generateKeyPairSync, randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";

import { startService, type TestService } from "../testing/service";
import { neighbourIn, say, type Neighbour } from "./neighbour";

const ISSUER = "https://planted.example";
const SUBJECT = "planted";
/** Of one issuer and subject; an organization can have ten. */
const IDENTITIES = 100;
const OF_ONE = 10;
const KEYS = 20;
/** Connections with invented tokens, and how many each sends. */
const CONNECTIONS = 20;
const TOKENS = 15;
/** Signatures that one token can cost (`docs/operate/watch.md`), and tokens of one address at once. */
const TRIED = 8;
const AT_ONCE = 2;

let service: TestService;
let neighbour: Neighbour;
const identities: { organization: string; token: string }[] = [];
beforeAll(async () => {
  service = await startService();
  neighbour = await neighbourIn(service);
  for (let index = 0; index < IDENTITIES / OF_ONE; index += 1) {
    const token = await service.token(`planter ${index}`);
    const { json } = await service.call("POST", "/iam/v2/groups", { token, body: { name: "planted" } });
    for (let more = 0; more < OF_ONE; more += 1)
      identities.push({ organization: String(json["uid"]), token });
  }
}, 300_000);
afterAll(() => service.stop());
afterEach(() => {
  vi.restoreAllMocks();
});

async function plant(): Promise<void> {
  for (const { organization, token } of identities) {
    const keys = Array.from({ length: KEYS }, () =>
      generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "jwk" }),
    );
    const staticKeys = { issuer: ISSUER, subject: SUBJECT, issuerKeys: JSON.stringify({ keys }) };
    const path = `/iam/v2/identities/${organization}`;
    const { status } = await service.call("POST", path, { token, body: { name: "planted", staticKeys } });
    expect(status).toBe(200);
  }
}

function invented(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const exp = Math.floor(Date.now() / 1_000) + 300;
  const claims = { iss: ISSUER, sub: SUBJECT, aud: service.url, exp, jti: randomBytes(8).toString("hex") };
  return `${part({ alg: "ES256" })}.${part(claims)}.${randomBytes(64).toString("base64url")}`;
}

/** Sends invented tokens; returns the neighbor's wait meanwhile, and the most that were verified at once. */
async function flood(): Promise<{ wait: number; most: number }> {
  let most = 0;
  const connection = async () => {
    for (let index = 0; index < TOKENS; index += 1) {
      const { status } = await service.call("GET", "/ping/v2/ping", { token: invented() });
      expect(status).toBe(401);
      most = Math.max(most, service.places().addresses.running);
    }
  };
  const done = Promise.all(Array.from({ length: CONNECTIONS }, connection));
  const wait = await neighbour.wait();
  await done;
  return { wait, most };
}

test("twenty connections with invented tokens cost few signatures each, two at once, and the neighbour none", async () => {
  const peace = await neighbour.wait();
  const without = await flood();
  await plant();
  const verify = vi.spyOn(crypto.subtle, "verify");
  const planted = await flood();
  const tried = verify.mock.calls.length;
  verify.mockClear();
  await neighbour.wait();
  say(
    `invented tokens: a neighbour's list ${peace.toFixed(1)} ms in peace, ${without.wait.toFixed(1)} ms without keys, ` +
      `${planted.wait.toFixed(1)} ms with ${IDENTITIES} identities of ${KEYS} keys; ${tried} signatures for ` +
      `${CONNECTIONS * TOKENS} tokens, ${planted.most} at once`,
  );
  expect(verify).not.toHaveBeenCalled();
  expect(tried).toBeGreaterThan(0);
  expect(tried).toBeLessThanOrEqual(CONNECTIONS * TOKENS * TRIED);
  expect(Math.max(without.most, planted.most)).toBeLessThanOrEqual(AT_ONCE);
});
