import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

import { pathOf } from "platform-contract/endpoint";

import { endpointOf, type Wire } from "../../conformance/world";
import { Federation } from "../../testing/federation";

let federation: Federation;
beforeAll(async () => {
  federation = await Federation.open();
});
afterAll(() => federation.stop());
afterEach(() => federation.issuer.instead.clear());

test("the issuer is checked by what it publishes", async () => {
  const { url } = federation.issuer;
  const check = (issuer: string, scopes = "") =>
    federation.world.make(federation.owner, "identityProviders.checkIssuer", {
      parent: federation.folder,
      query: { issuer, ...(scopes && { additionalScopes: scopes }) },
    });
  expect(await check(url)).toMatchObject({
    violations: [],
    issuer: url,
    signingKeyCount: 1,
    announcesPkce: true,
  });
  expect((await check(url, "payroll"))["notes"]).toEqual([
    expect.objectContaining({ field: "oidc.additionalScopes" }),
  ]);
  const problem = async (answer: Promise<Wire>) => (await answer)["violations"][0].description;
  const renamed = await check(`${url}/`);
  expect(renamed).toMatchObject({ issuer: url });
  expect(renamed["violations"][0].description).toBe(`must be ${url}, as its discovery document says`);
  expect(await problem(check("http://127.0.0.1:9"))).toMatch(/^http:.*can't be reached$/);
  expect(await problem(check(`${url}/nothing/here`))).toContain("answers with status 404");
  expect(await problem(check(`${federation.base}/oidc`))).toContain("other than this one");
  const document: Wire = await (await fetch(`${url}/.well-known/openid-configuration`)).json();
  const published = async (change: Wire) => {
    federation.issuer.instead.set("/.well-known/openid-configuration", { ...document, ...change });
    return check(url);
  };
  expect(await problem(published({ response_types_supported: ["id_token"] }))).toContain(
    "authorization code",
  );
  expect(await problem(published({ id_token_signing_alg_values_supported: ["HS256"] }))).toContain("HS256");
  expect(await problem(published({ jwks_uri: `${url}/none` }))).toContain("in place of signing keys");
  expect(await problem(published({ jwks_uri: undefined }))).toContain("names no jwks_uri");
  federation.issuer.instead.set("/jwks", { keys: [] });
  expect(await problem(published({}))).toContain("no key");
  federation.issuer.instead.delete("/jwks");
  const quiet = await published({ code_challenge_methods_supported: undefined });
  expect(quiet).toMatchObject({ violations: [], announcesPkce: false });
  expect(quiet["notes"][0].description).toContain("PKCE");
  federation.issuer.instead.set("/.well-known/openid-configuration", "no object");
  expect(await problem(check(url))).toContain("doesn't have a discovery document");
});

test("who may not create providers there reserves, checks and tests nothing; checks have a limit", async () => {
  const { world, owner, folder } = federation;
  const viewer = await world.holder(owner, "viewer of providers", ["identity_providers.list"], folder);
  for (const id of ["identityProviders.reserve", "identityProviders.checkIssuer"]) {
    const query = id.endsWith("Issuer") ? { issuer: federation.issuer.url } : {};
    expect((await world.send(viewer.token, id, { parent: folder, query })).status).toBe(403);
  }
  const uid = await federation.makeProvider();
  const body = { oidc: { issuer: federation.issuer.url, clientId: "x", pkceEnabled: true } };
  expect((await world.send(viewer.token, "identityProviders.testSignIn", { uid, body })).status).toBe(403);
  const path = `${pathOf(endpointOf("identityProviders.checkIssuer"), { parent: folder })}?issuer=${encodeURIComponent("http://127.0.0.1:9")}`;
  const statuses = new Set<number>();
  for (let round = 0; round < 40 && !statuses.has(429); round += 1)
    statuses.add((await world.service.call("GET", path, { token: owner.token })).status);
  expect(statuses).toEqual(new Set([200, 429]));
});
