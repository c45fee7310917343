import { exportJWK, generateKeyPair, type JWK } from "jose";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";

import { closeServer } from "../testing/site";
import { signed } from "../testing/issuer";
import { OCI_MANIFEST, putImage } from "../testing/registry";
import { eventually, RegistryFixture } from "./registry-fixture";
import type { Person, Wire } from "./world";

let fixture: RegistryFixture;
let stranger: Person;
let elsewhere: string;
let base: string;
beforeAll(async () => {
  fixture = await RegistryFixture.open();
  const { world } = fixture;
  stranger = await world.person("stranger");
  elsewhere = await world.create(stranger, "groups", "", { name: "acme inc" });
  base = await fixture.repo("base");
});
afterEach(() => (fixture.registry.instead = undefined));
afterAll(() => fixture.close());

const BASE = "acme-inc/base";

describe("scopes", () => {
  test("an organization of almost the same name has another namespace", async () => {
    const rows = await fixture.world.service.database.query<{ name: string; organization: string }>(
      "select name, organization from namespaces",
    );
    expect(new Map(rows.map(({ name, organization }) => [organization, name]))).toEqual(
      new Map([
        [fixture.organization, "acme-inc"],
        [elsewhere, `acme-inc-${elsewhere.slice(0, 8)}`],
      ]),
    );
    expect(await fixture.access(stranger.token, `repository:${BASE}:pull,push`)).toEqual([]);
    expect(await fixture.access(stranger.token, "repository:acme-inc/taken:pull,push")).toEqual([]);
    const { repos } = await fixture.world.make(fixture.owner, "repos.list", { query: { name: "taken" } });
    expect(repos ?? []).toEqual([]);
  });

  test.each([
    "repository:acme-inc/../acme-inc/base:pull",
    "repository:acme-inc/..:pull",
    "repository:acme-inc%2fbase:pull",
    "repository:acme-inc//base:pull",
    "repository:/acme-inc/base:pull",
    "repository:acme-inc/base/:pull",
    "repository:Acme-Inc/base:pull",
    "repository:acme-inc/BASE:pull",
    "repository:acme-inc/a/b:pull,push",
    "repository:base:pull",
    "repository:*:pull",
    "repository:acme-inc/*:pull",
    "repository:acme-inc/base:*",
    "repository:acme-inc/base:admin",
    "repository:acme-inc/base:",
    "repository:acme-inc/base",
    "repository:acme-inc/base:pull:push",
    "repository:acme-inc/base\0:pull",
    "repository:acme-inc/base\n:pull",
    `repository:acme-inc/${"a".repeat(255)}:push`,
    "registry:catalog:*",
    "repository(plugin):acme-inc/../base:pull",
    "repository:v2/base:pull,push",
    "",
  ])("%j gives nothing", async (scope) => {
    expect(await fixture.token(fixture.owner.token, [scope])).toMatchObject({ status: 200, access: [] });
  });

  test("a hundred scopes are refused, and another service too", async () => {
    const scopes = Array.from({ length: 100 }, (_, number) => `repository:acme-inc/r${number}:pull,push`);
    expect((await fixture.token(fixture.owner.token, scopes)).status).toBe(400);
    expect((await fixture.token(fixture.owner.token, [], { service: "other.example" })).status).toBe(400);
  });

  test("a repo in a folder answers to the rights there, and one of two with a name to nobody", async () => {
    const { world, owner, organization } = fixture;
    const folder = await world.create(owner, "groups", organization, { name: "folder" });
    await fixture.repo("inside", folder);
    const within = await world.person("within");
    await world.bind(owner, folder, within.uid, "owner");
    expect(await fixture.access(within.token, "repository:acme-inc/inside:pull,push")).toEqual([
      "acme-inc/inside:pull,push",
    ]);
    expect(
      await fixture.access(within.token, `repository:${BASE}:pull`, "repository:acme-inc/new:push"),
    ).toEqual([]);
    // Refused while a registry is connected; it may be there from before.
    const twice = await world.send(owner.token, "repos.create", { parent: folder, body: { name: "base" } });
    expect([twice.status, twice.json.message]).toEqual([
      400,
      expect.stringContaining("the registry knows no folders"),
    ]);
    await world.service.database.query(
      `insert into repos (uid, parent, name, created_at, updated_at) values ($1, $2, 'inside', now(), now())`,
      [`${organization}/${"f".repeat(16)}`, organization],
    );
    expect(await fixture.access(owner.token, "repository:acme-inc/inside:pull")).toEqual([]);
    await world.make(owner, "repos.update", {
      uid: `${organization}/${"f".repeat(16)}`,
      body: { name: "renamed" },
    });
    expect(await fixture.access(owner.token, "repository:acme-inc/inside:pull")).toEqual([
      "acme-inc/inside:pull",
    ]);
  });
});

describe("passwords", () => {
  /** An identity with a key of its own, and what it signs. */
  async function keyed(name: string, more: Wire = {}, key?: { jwk: JWK; issuer: string }) {
    const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
    const issuer = key?.issuer ?? `https://${name}.example`;
    const jwk = key?.jwk ?? (await exportJWK(publicKey));
    const { world, owner, organization } = fixture;
    const staticKeys = { issuer, subject: "puller", issuerKeys: JSON.stringify({ keys: [jwk] }), ...more };
    const uid = await world.create(owner, "identities", organization, { name, staticKeys });
    await world.bind(owner, organization, uid, "owner");
    return (aud: string | string[], seconds = 300, scope?: string) =>
      signed(
        privateKey,
        { iss: issuer, sub: "puller", aud, ...(scope && { scope }) },
        { seconds, kid: null },
      );
  }
  const audience = () => `${fixture.world.service.url}/registry`;
  const ping = async (token: string) => (await fixture.world.send(token, "ping.ping")).status;

  test("a token for the registry that names a repository gets no other, whatever its identity may", async () => {
    const sign = await keyed("limited", { audiences: [audience()] });
    await fixture.repo("beside");
    const limited = await sign(audience(), 300, `openid repository:${BASE}:pull`);
    const asked = [`repository:${BASE}:pull,push,delete`, "repository:acme-inc/beside:pull"];
    expect(await fixture.access(limited, ...asked)).toEqual([`${BASE}:pull`]);
    expect(await fixture.access(limited, "repository:acme-inc/first-push:pull,push")).toEqual([]);
    expect(await fixture.access(await sign(audience(), 300, "openid"), asked[1] ?? "")).toHaveLength(1);
  });

  test.each([{}, { audiences: "registry" }])(
    "a token for the registry is none for the API: %j",
    async ({ audiences }) => {
      const sign = await keyed(`pulls-${audiences ?? "any"}`, audiences ? { audiences: [audience()] } : {});
      const token = await sign(audience());
      expect(await fixture.access(token, `repository:${BASE}:pull`)).toEqual([`${BASE}:pull`]);
      expect(await ping(token)).toBe(401);
      expect(await ping(await sign([audience(), fixture.world.service.url]))).toBe(401);
      const exchanged = await fixture.world.send(token, "sts.exchange").catch(() => undefined);
      expect(exchanged?.status ?? 401).toBe(401);
      expect((await fixture.world.service.call("POST", "/sts/exchange", { token })).status).toBe(401);
      expect((await fixture.token(await sign(audience(), -60), [])).status).toBe(401);
      expect((await fixture.token(await sign("https://other.example"), [])).status).toBe(401);
    },
  );

  test("a token that the registry gets is a password for nothing, even for who registers our key", async () => {
    const { world, owner, registry } = fixture;
    const { token } = await fixture.token(owner.token, [`repository:${BASE}:pull`]);
    expect([await ping(token), (await fixture.token(token, [])).status]).toEqual([401, 401]);
    const { keys } = (await world.service.call("GET", "/registry/jwks.json")).json as unknown as {
      keys: JWK[];
    };
    for (const [number, jwk] of keys.entries()) {
      const name = `theft-${number}`;
      const staticKeys = {
        issuer: audience(),
        subject: owner.uid,
        audiences: [registry.host],
        issuerKeys: JSON.stringify({ keys: [jwk] }),
      };
      await world.create(owner, "identities", fixture.organization, { name, staticKeys });
    }
    expect([await ping(token), (await fixture.token(token, [])).status]).toEqual([401, 401]);
  });

  test("the tokens of others, expired ones, and those of limited rights stay what they are", async () => {
    const { world, owner, organization } = fixture;
    const subject = "repo:acme@1/app@2:ref:refs/heads/main";
    const ci = await world.create(owner, "identities", organization, {
      name: "ci",
      ...world.claims(subject),
    });
    await world.bind(owner, organization, ci, "owner");
    const scope = `repository:${BASE}:pull,push,delete`;
    const own = await world.machine(subject);
    expect(await fixture.access(own, scope)).toEqual([`${BASE}:pull,push,delete`]);
    const exchange = async (query: string) =>
      (
        (await world.service.call("POST", `/sts/exchange?${query}`, { token: own })).json as unknown as {
          token: string;
        }
      ).token;
    expect(await fixture.access(await exchange("cap=repo.blobs.get"), scope)).toEqual([`${BASE}:pull`]);
    const folder = await world.create(owner, "groups", organization, { name: "scope" });
    expect(await fixture.access(await exchange(`scopes=${folder}`), scope)).toEqual([]);
    expect((await fixture.token(await world.machine("somebody else"), [scope])).access).toEqual([]);
    expect(
      (await fixture.token(await world.machine(subject, { aud: "https://other.example" }), [scope])).status,
    ).toBe(401);
    const late = await world.service.issuer.sign({ sub: subject, aud: world.service.url }, { seconds: -60 });
    expect((await fixture.token(late, [scope])).status).toBe(401);
    const { privateKey } = await generateKeyPair("ES256");
    const forged = await signed(
      privateKey,
      { iss: world.service.config.issuer, sub: "owner", aud: world.service.url },
      { typ: "at+jwt" },
    );
    expect((await fixture.token(forged, [scope])).status).toBe(401);
  });
});

describe("notifications", () => {
  test("without the secret nothing is taken", async () => {
    for (const secret of ["", "secret", fixture.owner.token]) {
      const answer = await fixture.notify([], secret);
      expect([answer.status, answer.json]).toMatchObject([401, { errors: [{ code: "UNAUTHORIZED" }] }]);
    }
  });

  test("what they say is not believed: the registry has the last word, in any order, any number of times", async () => {
    const { registry, world } = fixture;
    const { digest: first } = putImage(registry, BASE, { tag: "1", content: "first" });
    await fixture.pushed(BASE, "1", { actor: { name: stranger.uid } });
    await eventually(async () => (await fixture.tags(base))["1"] === first);
    const { digest: second } = putImage(registry, BASE, { tag: "1", content: "second" });
    const old = {
      action: "push",
      target: { repository: BASE, tag: "1", digest: first, mediaType: OCI_MANIFEST },
    };
    await fixture.notify(Array.from({ length: 500 }, () => old));
    await eventually(async () => (await fixture.tags(base))["1"] === second);
    // A deletion that never happened, and tags that are not there.
    await fixture.notify([
      { action: "delete", target: { repository: BASE, tag: "1" } },
      { action: "push", target: { repository: BASE, tag: "never", mediaType: OCI_MANIFEST } },
      { action: "push", target: { repository: "acme-inc/no-such-repo", tag: "1", mediaType: OCI_MANIFEST } },
      { action: "push", target: { repository: "../x", tag: "../../y", mediaType: OCI_MANIFEST } },
      { action: 7 },
    ]);
    await eventually(
      async () => (await world.service.database.query("select 1 from registry_looks")).length === 0,
    );
    expect(await fixture.tags(base)).toEqual({ "1": second });
    const rows = await world.service.database.query(
      "select pushed_by from registry_images where digest = $1",
      [first],
    );
    expect(rows).toEqual([{ pushed_by: null }]);
    expect(registry.asked.filter((line) => line.includes(".."))).toEqual([]);
  });

  test("the packages that one repo says an image has are not another's", async () => {
    const { registry, world, owner } = fixture;
    const theirs = `acme-inc-${elsewhere.slice(0, 8)}/copy`;
    await fixture.access(stranger.token, `repository:${theirs}:push`);
    const { digest } = putImage(registry, BASE, { tag: "shared", content: "shared" });
    putImage(registry, theirs, { tag: "shared", content: "shared" });
    const purl = "pkg:apk/wolfi/openssl@3.1.0-r0?arch=x86_64";
    const sbom = {
      spdxVersion: "SPDX-2.3",
      packages: [{ externalRefs: [{ referenceType: "purl", referenceLocator: purl }] }],
    };
    const layer = { mediaType: "text/spdx+json", ...registry.putBlob(theirs, JSON.stringify(sbom)) };
    registry.put(theirs, { schemaVersion: 2, layers: [layer] }, `${digest.replace(":", "-")}.sbom`);
    await fixture.pushed(BASE, "shared");
    await fixture.pushed(theirs, "shared");
    const known = async (by: Person, group: string) => {
      const { tags } = await world.make(by, "tags.list", {
        query: { "uidp.descendants_of": group, name: "shared" },
      });
      const tagUid = (tags as Wire[] | undefined)?.[0]?.["uid"];
      if (tagUid === undefined) return undefined;
      return (await world.make(by, "advisories.list", { query: { tagUid } }))["imagePackages"];
    };
    await eventually(async () => (await known(stranger, elsewhere))?.known === true);
    await eventually(async () => (await known(owner, fixture.organization)) !== undefined);
    expect(await known(owner, fixture.organization)).toMatchObject({ known: false, count: 0 });
  });
});

describe("a registry that", () => {
  /** False if the ledger has what such a registry answers. */
  const untouched = async (tag: string, instead: NonNullable<RegistryFixture["registry"]["instead"]>) => {
    const { registry } = fixture;
    putImage(registry, BASE, { tag, content: tag });
    const before = registry.asked.length;
    registry.instead = instead;
    await fixture.pushed(BASE, tag);
    await eventually(async () => registry.asked.length > before);
    await eventually(async () => {
      // While it is looked at, a look is leased for two minutes; afterwards it is put off for seconds, or gone.
      const rows = await fixture.world.service.database.query(
        `select 1 from registry_looks
         where reference = $1 and (attempts = 0 or due_at > now() + interval '1 minute')`,
        [tag],
      );
      return rows.length === 0;
    });
    registry.instead = undefined;
    return !(tag in (await fixture.tags(base)));
  };

  test("lies about a digest is not believed", async () => {
    const isUntouched = await untouched("lies", (_request, response) => {
      response.writeHead(200, {
        "content-type": OCI_MANIFEST,
        "docker-content-digest": `sha256:${"0".repeat(64)}`,
      });
      response.end('{"schemaVersion":2}');
      return true;
    });
    expect(isUntouched).toBe(true);
  });

  test("answers with 10 MB is not read", async () => {
    const isUntouched = await untouched("large", (_request, response) => {
      response.writeHead(200, { "content-type": OCI_MANIFEST });
      response.end(JSON.stringify({ schemaVersion: 2, filler: "x".repeat(10_000_000) }));
      return true;
    });
    expect(isUntouched).toBe(true);
  });

  test("redirects gets no request elsewhere, let alone a token", async () => {
    const seen: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.end("{}");
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    const isUntouched = await untouched("moved", (_request, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${port}/v2/x` }).end();
      return true;
    });
    expect([isUntouched, seen]).toEqual([true, []]);
    await closeServer(other);
  });

  test("redirects to itself gets no token the second time", async () => {
    const { registry } = fixture;
    putImage(registry, BASE, { tag: "around", content: "around" });
    const tokens: (string | undefined)[] = [];
    registry.instead = (request, response) => {
      if (request.url?.startsWith("/again")) tokens.push(request.headers.authorization);
      response.writeHead(request.url?.startsWith("/again") ? 404 : 307, { location: "/again" }).end();
      return true;
    };
    await fixture.pushed(BASE, "around");
    await eventually(async () => tokens.length > 0);
    expect(new Set(tokens)).toEqual(new Set([undefined]));
  });

  test("does not answer keeps its tags here: UNAVAILABLE, and when to come again", async () => {
    const { registry, world, owner } = fixture;
    putImage(registry, BASE, { tag: "stays", content: "stays" });
    await fixture.pushed(BASE, "stays");
    await eventually(async () => "stays" in (await fixture.tags(base)));
    const { tags } = await world.make(owner, "tags.list", {
      query: { "uidp.children_of": base, name: "stays" },
    });
    registry.instead = (_request, response) => {
      response.writeHead(500).end();
      return true;
    };
    const answer = await world.send(owner.token, "tags.delete", { uid: tags[0].uid });
    expect([answer.status, Number(answer.headers["retry-after"]) > 0]).toEqual([503, true]);
    registry.instead = undefined;
    expect(await fixture.tags(base)).toHaveProperty("stays");
    registry.deletes = false;
    expect((await world.send(owner.token, "tags.delete", { uid: tags[0].uid })).status).toBe(400);
    registry.deletes = true;
    expect(registry.repositories.get(BASE)?.tags.has("stays")).toBe(true);
  });
});

test.each([true, false])(
  "a deleted tag goes from the registry, its sisters stay; by tag: %s",
  async (byTag) => {
    const { registry, world, owner } = fixture;
    registry.deletesTags = byTag;
    const [gone, sister] = [`gone-${byTag}`, `sister-${byTag}`];
    const { digest } = putImage(registry, BASE, { tag: gone, content: gone });
    putImage(registry, BASE, { tag: sister, content: gone });
    for (const tag of [gone, sister]) await fixture.pushed(BASE, tag);
    await eventually(async () => sister in (await fixture.tags(base)) && gone in (await fixture.tags(base)));
    const { tags } = await world.make(owner, "tags.list", {
      query: { "uidp.children_of": base, name: gone },
    });
    await world.make(owner, "tags.delete", { uid: tags[0].uid });
    const there = registry.repositories.get(BASE)!;
    expect([there.tags.get(gone), there.tags.get(sister), there.manifests.has(digest)]).toEqual([
      undefined,
      digest,
      true,
    ]);
    expect(await fixture.tags(base)).toMatchObject({ [sister]: digest });
    expect(await fixture.tags(base)).not.toHaveProperty(gone);
  },
);
