import { createLocalJWKSet, jwtVerify } from "jose";
import { expect, test } from "vitest";

import { scopeOfSubject } from "./pull-tokens";
import { keysDocument, newSubject, signPullToken } from "./sign";

const claims = {
  issuer: "https://console.example/pull-tokens",
  audience: "https://console.example/registry",
  now: Date.now(),
  expires: new Date(Date.now() + 86_400_000),
};

test("the token verifies with the public half, and says for what it is", async () => {
  const { token, subject, key } = await signPullToken({ ...claims, subject: newSubject("acme/base") });
  const issuerKeys = keysDocument(key);
  expect(issuerKeys).not.toContain('"d"');
  const { payload } = await jwtVerify(token, createLocalJWKSet(JSON.parse(issuerKeys)), {
    issuer: claims.issuer,
    audience: claims.audience,
    subject,
  });
  expect(payload).toMatchObject({
    scope: "repository:acme/base:pull",
    exp: Math.floor(claims.expires.getTime() / 1000),
  });
});

test("each token has a key and a subject of its own, and no scope unless it is for one repo", async () => {
  const [one, other] = await Promise.all(
    [1, 2].map(() => signPullToken({ ...claims, subject: newSubject(undefined) })),
  );
  expect(one?.subject).not.toBe(other?.subject);
  expect(one?.key).not.toEqual(other?.key);
  expect(JSON.parse(atob(one?.token.split(".")[1] ?? ""))).not.toHaveProperty("scope");
});

test("a subject says what its tokens can pull, and nothing else is read as one", () => {
  expect(scopeOfSubject(newSubject("acme/base"))).toBe("acme/base");
  expect(scopeOfSubject(newSubject(undefined))).toBe("*");
  const uuid = crypto.randomUUID();
  for (const subject of [
    `pull-${uuid}`,
    `pull-${uuid}@acme`,
    `pull-${uuid}@acme/base:push`,
    `pull-${uuid}@a/b c/d:*`,
  ])
    expect(scopeOfSubject(subject)).toBeUndefined();
});
