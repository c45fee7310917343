import { createPrivateKey, createPublicKey } from "node:crypto";
import { importJWK, jwtVerify, SignJWT } from "jose";
import { describe, expect, it } from "vitest";

import { keysOf, withKey, withoutKey, type HeldKey } from "./keys";
import { newKey } from "./new-key";

const document = JSON.stringify({
  more: "kept",
  keys: [{ kty: "EC", crv: "P-256", x: "x", y: "y", kid: "old" }, { kty: "RSA", n: "n", e: "AQAB" }, null],
});

describe("a document of keys", () => {
  it("is read as far as it says", () => {
    expect(keysOf(document)).toMatchObject([
      { index: 0, kid: "old", algorithm: "P-256" },
      { index: 1, kid: undefined, algorithm: "RSA" },
      { index: 2, kid: undefined, algorithm: "" },
    ]);
    for (const other of ["", "[]", '{"keys":1}', "null"]) expect(keysOf(other)).toBeUndefined();
  });

  it("gets and loses a key, and keeps the rest as it is", () => {
    const added = withKey(document, { kty: "EC", crv: "P-256", kid: "new", alg: "ES256" });
    expect(keysOf(added)?.map(({ kid }) => kid)).toEqual(["old", undefined, undefined, "new"]);
    const [old, , , made] = keysOf(added) ?? [];
    expect(JSON.parse(withoutKey(added, made as HeldKey))).toEqual(JSON.parse(document));
    const without = withoutKey(document, old as HeldKey);
    expect(keysOf(without)?.map(({ algorithm }) => algorithm)).toEqual(["RSA", ""]);
    expect(JSON.parse(without)).toMatchObject({ more: "kept" });
  });

  it("does not get a key twice, and loses no other key when somebody else has removed one", () => {
    const added = withKey(document, { kty: "EC", kid: "new" });
    expect(withKey(added, { kty: "EC", kid: "new" })).toBe(added);
    const [old] = keysOf(document) ?? [];
    const without = withoutKey(document, old as HeldKey);
    expect(withoutKey(without, old as HeldKey)).toBe(without);
  });
});

it("makes a key whose private half signs what its public half verifies, and whose id is its thumbprint", async () => {
  const { publicKey, privatePem } = await newKey();
  expect(publicKey).not.toHaveProperty("d");
  expect(publicKey).toMatchObject({ kty: "EC", crv: "P-256", alg: "ES256", use: "sig" });
  const pem = await privatePem();
  const secret = createPrivateKey(pem);
  expect(createPublicKey(secret).export({ format: "jwk" })).toMatchObject({ x: publicKey.x, y: publicKey.y });
  const token = await new SignJWT({ sub: "s" })
    .setProtectedHeader({ alg: "ES256", kid: publicKey.kid as string })
    .sign(secret);
  await expect(jwtVerify(token, await importJWK(publicKey))).resolves.toMatchObject({
    protectedHeader: { kid: publicKey.kid },
  });
  expect((await newKey()).publicKey.kid).not.toBe(publicKey.kid);
});
