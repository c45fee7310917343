import { exportJWK, exportSPKI, generateKeyPair, importJWK, SignJWT, type JWK } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { AttackFixture } from "./attack-fixture";
import type { Person, Wire, World } from "./world";

let cast: AttackFixture;
let world: World;
let owner: Person;
let stranger: Person;
let outsider: Person;
let binder: Person;
let organization: string;
let folder: string;
/** The group of another organization. */
let elsewhere: string;

beforeAll(async () => {
  cast = await AttackFixture.open();
  ({ world, owner, stranger, outsider, organization, folder } = cast);
  binder = await cast.binder();
  await cast.strong();
  elsewhere = (await cast.elsewhere()).group;
});
afterAll(() => world.service.stop());

describe("by tokens", () => {
  const unauthenticated = async (token: string) => {
    await cast.fails("UNAUTHENTICATED", [], () => world.send(token, "groups.get", { uid: folder }));
    await cast.fails("UNAUTHENTICATED", [], () =>
      world.send(token, "groups.create", { parent: folder, body: { name: "mine" } }),
    );
  };
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claimsOf = (issuer: string, subject: string) => {
    const now = Math.floor(Date.now() / 1000);
    return { iss: issuer, sub: subject, aud: world.service.url, iat: now, exp: now + 300 };
  };

  test("an ID token, and one for another audience", async () => {
    await unauthenticated(await world.service.token("owner", { aud: "console" }, { typ: "JWT" }));
    await unauthenticated(await world.service.token("owner", {}, { typ: "JWT" }));
    await unauthenticated(await world.service.token("owner", { aud: "https://elsewhere.example" }));
    await unauthenticated(await world.machine("strong", { aud: "https://elsewhere.example" }));
  });

  test("no signature, one cut off, and the claims of somebody else under one's own", async () => {
    for (const [issuer, subject] of [
      [world.service.config.issuer, "owner"],
      [world.service.issuer.url, "strong"],
    ] as const)
      for (const alg of ["none", "None", "ES256"])
        await unauthenticated(
          `${encoded({ alg, typ: "at+jwt", kid: "test" })}.${encoded(claimsOf(issuer, subject))}.`,
        );
    const [head, , signature] = outsider.token.split(".");
    await unauthenticated(`${head}.${encoded(claimsOf(world.service.config.issuer, "owner"))}.${signature}`);
  });

  test("the public key as a shared secret", async () => {
    const keysOf = async (url: string) => ((await (await fetch(url)).json()) as { keys: JWK[] }).keys;
    const own = await keysOf(`${world.service.url}/oidc/jwks`);
    const trusted = await keysOf(`${world.service.issuer.url}/keys`);
    for (const [issuer, subject, keys] of [
      [world.service.config.issuer, "owner", own],
      [world.service.issuer.url, "strong", trusted],
    ] as const) {
      const [jwk] = keys.filter(({ kty }) => kty === "EC");
      const pem = await exportSPKI((await importJWK(jwk!, "ES256", { extractable: true })) as CryptoKey);
      for (const secret of [pem, JSON.stringify(jwk)])
        await unauthenticated(
          await new SignJWT(claimsOf(issuer, subject))
            .setProtectedHeader({ alg: "HS256", typ: "at+jwt", kid: jwk!.kid! })
            .sign(new TextEncoder().encode(secret)),
        );
    }
  });

  test("a key of one's own, carried in the token or named by it", async () => {
    const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
    const jwk = await exportJWK(publicKey);
    for (const more of [{ jwk }, { jku: `${world.service.issuer.url}/keys` }, { kid: "../../dev/null" }])
      await unauthenticated(
        await new SignJWT(claimsOf(world.service.config.issuer, "owner"))
          .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid: "test", ...more })
          .sign(privateKey),
      );
  });

  test("a person of this service, by a token of another issuer that is trusted", async () => {
    const token = await world.machine("owner");
    await cast.denied(() => world.send(token, "groups.get", { uid: organization }));
    await cast.denied(() => world.send(token, "groups.create", { body: { name: "theirs" } }));
  });
});

describe("by the shape of a request", () => {
  test("somebody else's page token", async () => {
    const query = { page_size: "1" };
    const { nextPageToken } = await world.make(owner, "groups.list", { query });
    expect(nextPageToken).toMatch(/./);
    for (const { token } of [stranger, binder])
      await cast.invalid("page_token", () =>
        world.send(token, "groups.list", { query: { ...query, page_token: nextPageToken } }),
      );
  });

  test("uid, parent, times and what the operator sets, by body, spelling or mask", async () => {
    const before = await world.make(owner, "groups.get", { uid: folder });
    const patch = (body: Wire, query = {}) =>
      world.send(owner.token, "groups.update", { uid: folder, body, query });
    await cast.invalid("parent", () => patch({ parent: elsewhere }));
    await cast.invalid("updateMask", () => patch({ parent: elsewhere }, { updateMask: "parent" }));
    await cast.invalid("verified", () => patch({ verified: true }));
    await cast.invalid("kind", () => patch({ kind: "ORG_KIND_INFRA" }, { update_mask: "kind" }));
    const mine = { uid: organization, create_time: "2000-01-01T00:00:00.000Z", resource_limits: { idps: 9 } };
    const masks = [{}, { updateMask: "uid,create_time,resourceLimits,status" }, { updateMask: "*" }];
    for (const query of masks) expect((await patch({ name: "folder", ...mine }, query)).status).toBe(200);
    const after = await world.make(owner, "groups.get", { uid: folder });
    expect({ ...after, updateTime: "" }).toEqual({ ...before, updateTime: "" });
  });

  test("a group under a parent that is not one's own, by any writing of its uid", async () => {
    const { token } = stranger;
    for (const parent of [organization, folder, `${organization}/${"0".repeat(16)}`])
      await cast.denied(() => world.send(token, "groups.create", { parent, body: { name: "mine" } }));
    const tricks = [
      `${elsewhere}/../${organization}`,
      `${elsewhere}/%2e%2e/${organization}`,
      `${elsewhere}%2F..%2F${organization}`,
      `${elsewhere}%00${organization}`,
      `${organization.toUpperCase()}`,
      `${organization}/`,
    ];
    for (const uid of tricks) {
      const answer = await world.unchanged(() =>
        world.service.call("POST", `/iam/v2/groups/${uid}`, { token, body: { name: "mine" } }),
      );
      expect({ uid, refused: [400, 403].includes(answer.status) }).toEqual({ uid, refused: true });
    }
  });

  test("another method named in a header", async () => {
    const { token } = binder;
    const headers = { "x-http-method-override": "DELETE", "x-http-method": "DELETE" };
    const path = `/iam/v2/groups/${folder}?_method=DELETE`;
    const answer = await world.unchanged(() => world.service.call("GET", path, { token, headers }));
    expect(answer.status).toBe(200);
  });
});
