import { exportJWK, generateKeyPair } from "jose";
import { afterEach, expect, test, vi } from "vitest";

import { signed } from "../../testing/issuer";
import { localKeys, rememberVerified, verify } from "./tokens";

const ISSUER = "https://platform.test/oidc";

afterEach(() => {
  vi.useRealTimers();
});

test("a token that comes again is not verified again, until it expires or the keys are others", async () => {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const jwk = { ...(await exportJWK(publicKey)), kid: "test", alg: "ES256" };
  const token = await signed(privateKey, { iss: ISSUER, aud: "here", sub: "somebody" });
  const setOf = localKeys();
  const once = rememberVerified();
  let verifications = 0;
  const outcome = (kid = "test") => {
    const keys = setOf({ keys: [{ ...jwk, kid }] });
    return once(token, keys, () => {
      verifications += 1;
      return verify(token, keys, ISSUER);
    }).then(
      ({ subject }) => subject,
      (error: Error) => error.message,
    );
  };
  expect([await outcome(), await outcome(), await outcome()]).toEqual(["somebody", "somebody", "somebody"]);
  expect(verifications).toBe(1);
  vi.useFakeTimers({ now: Date.now() + 24 * 3_600_000, toFake: ["Date"] });
  expect([await outcome(), await outcome()]).toEqual(Array(2).fill("the token has expired"));
  vi.useRealTimers();
  expect([await outcome("another"), await outcome("another")]).toEqual(
    Array(2).fill("the token is not valid"),
  );
  expect(await outcome()).toBe("somebody");
});
