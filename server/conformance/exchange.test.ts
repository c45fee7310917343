import { decodeJwt, generateKeyPair } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { builtInRoleUid } from "../domains/access/roles.table";
import type { Answer } from "../testing/app";
import { GrpcClient } from "../testing/grpc";
import { signed } from "../testing/issuer";
import { AttackFixture } from "./attack-fixture";
import { fieldsOf, type Input, type Person, type Wire, type World } from "./world";

const SUBJECT = "repo:acme@1/app@2:ref:refs/heads/main";
const OWNER = builtInRoleUid("owner");

let cast: AttackFixture;
let world: World;
let owner: Person;
let organization: string;
let folder: string;
let below: string;
let sibling: string;
/** What a GitHub workflow gets; its identity owns the folder. */
let github: string;
let ci: string;
let binding: string;
let strong: string;
let elsewhere: string;
let grpc: GrpcClient;

const workflow = (claims: Wire = {}, seconds = 300): Promise<string> =>
  world.service.issuer.sign(
    {
      sub: SUBJECT,
      aud: world.service.url,
      repository: "acme/app",
      repository_id: "2",
      ref: "refs/heads/main",
      event_name: "push",
      job_workflow_ref: "acme/app/.github/workflows/ci.yml@refs/heads/main",
      ...claims,
    },
    { seconds },
  );

beforeAll(async () => {
  cast = await AttackFixture.open();
  ({ world, owner, organization, folder, sibling } = cast);
  below = await world.create(owner, "groups", folder, { name: "below" });
  ci = await cast.identity(owner, folder, "ci", world.claims(SUBJECT));
  binding = (await world.bind(owner, folder, ci, "owner"))["uid"];
  strong = (await cast.strong()).uid;
  elsewhere = (await cast.elsewhere()).identity;
  github = await workflow();
  grpc = new GrpcClient(world.service.url);
});
afterAll(async () => {
  grpc.close();
  await world.service.stop();
});

type Query = Record<string, string | readonly string[]>;

function exchange(token: string | undefined, query: Query = {}, method = "POST"): Promise<Answer> {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([key, value]) =>
      [value].flat().map((one) => [key, one] as [string, string]),
    ),
  );
  return world.service.call(method, `/sts/exchange?${search}`, token === undefined ? {} : { token });
}

/** The token of an exchange that succeeds. */
async function exchanged(query: Query = {}, token = github): Promise<string> {
  const answer = await exchange(token, query);
  if (answer.status !== 200) throw new Error(answer.bytes.toString());
  return (answer.json as Wire)["token"];
}

const uidsOf = ({ json }: Answer, collection: string): string[] =>
  (json as Wire)[collection].map(({ uid }: { uid: string }) => uid).toSorted();

describe("a workflow's token", () => {
  test("is exchanged, by either method and for the named identity, and the new token lists", async () => {
    for (const [method, query] of [
      ["POST", {}],
      ["GET", { identity: ci, aud: world.service.url }],
      ["POST", { aud: [world.service.url, `${world.service.url}/`], scope: "", identityProvider: "" }],
    ] as const) {
      const before = Date.now();
      const answer = await exchange(github, query, method);
      expect(answer.status).toBe(200);
      const { token, expiry, ...rest } = answer.json as Wire;
      expect(rest).toEqual({});
      // An hour, from a whole second.
      expect(Date.parse(expiry)).toBeGreaterThan(before + 3_600_000 - 1_000);
      expect(Date.parse(expiry)).toBeLessThan(Date.now() + 3_600_000 + 1_000);
      expect(Number(decodeJwt(token).exp) * 1000).toBe(Date.parse(expiry));
      expect(uidsOf(await world.send(token, "groups.list"), "groups")).toEqual([folder, below].toSorted());
    }
  });

  test("leaves an entry in the log of the organization, by the identity", async () => {
    await exchanged();
    const query = { action: "tokens.exchange", "uidp.descendants_of": organization, page_size: "1" };
    const { auditEntries } = await world.make(owner, "auditEntries.list", { query });
    expect(auditEntries[0]).toMatchObject({
      outcome: "OUTCOME_DONE",
      actor: { uid: ci, subject: SUBJECT, issuer: world.service.issuer.url },
      record: { kind: "identities", uid: ci, name: "ci", group: folder },
      request: { transport: "http" },
    });
  });

  test("that matches several identities has to name one, and the new token is that one alone", async () => {
    const twin = await cast.identity(owner, sibling, "twin", world.claims("twice"));
    const other = await cast.identity(owner, folder, "other twin", world.claims("twice"));
    await world.bind(owner, sibling, twin, "viewer");
    await world.bind(owner, folder, other, "viewer");
    const token = await workflow({ sub: "twice" });
    const answer = await exchange(token);
    expect([answer.status, ...fieldsOf(answer)]).toEqual([400, "identity"]);
    for (const uid of [twin, other]) expect(answer.json.message).toContain(uid);
    const one = await exchanged({ identity: twin }, token);
    expect(uidsOf(await world.send(one, "groups.list"), "groups")).toEqual([sibling]);
  });

  test("of a key that expires soon gets no token that lives longer", async () => {
    const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
    const { exportJWK } = await import("jose");
    const expirationTime = new Date(Date.now() + 600_000).toISOString();
    const staticKeys = {
      issuer: "https://keys.example",
      subject: "cluster",
      issuerKeys: JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), alg: "ES256" }] }),
      expirationTime,
    };
    await cast.identity(owner, folder, "cluster", { staticKeys });
    const claims = { iss: "https://keys.example", sub: "cluster", aud: world.service.url };
    const answer = await exchange(await signed(privateKey, claims, { kid: null }));
    expect(Date.parse((answer.json as Wire)["expiry"])).toBeLessThanOrEqual(Date.parse(expirationTime));
    expect((await world.send((answer.json as Wire)["token"], "ping.ping")).status).toBe(200);
  });
});

describe("limits", () => {
  test("a scope has what is given above it, and nothing outside", async () => {
    const token = await exchanged({ scopes: below });
    expect(uidsOf(await world.send(token, "groups.list"), "groups")).toEqual([below]);
    expect((await world.send(token, "repos.create", { parent: below, body: { name: "in" } })).status).toBe(
      200,
    );
    await cast.denied(() => world.send(token, "repos.create", { parent: folder, body: { name: "out" } }));
    // `scope` is one more.
    const wide = await exchanged({ scopes: below, scope: folder });
    expect(uidsOf(await world.send(wide, "groups.list"), "groups")).toEqual([folder, below].toSorted());
  });

  test("a token has the named capabilities and no others, over either transport", async () => {
    for (const cap of ["repo.list", "CAP_REPO_LIST"]) {
      const token = await exchanged({ cap });
      expect((await world.send(token, "repos.list")).status).toBe(200);
      expect((await world.send(token, "groups.list")).json).toMatchObject({ groups: [], totalCount: "0" });
      const create = { parent: folder, repo: { name: "no" } };
      await cast.denied(() => world.send(token, "repos.create", { parent: folder, body: create.repo }));
      await expect(grpc.call("registry.v2.ReposService/CreateRepo", create, { token })).rejects.toMatchObject(
        {
          code: 7,
        },
      );
    }
  });

  test("a token with a scope has only the named capabilities where the role is given below the scope", async () => {
    const deep = await cast.identity(owner, folder, "deep", world.claims("deep"));
    await world.bind(owner, below, deep, "owner");
    const token = await exchanged({ cap: "repo.list", scopes: folder }, await workflow({ sub: "deep" }));
    expect((await world.send(token, "repos.list")).status).toBe(200);
    expect((await world.send(token, "groups.list")).json).toMatchObject({ groups: [], totalCount: "0" });
    await cast.denied(() => world.send(token, "repos.create", { parent: below, body: { name: "deep" } }));
  });

  test("a token has no capability that the identity lacks", async () => {
    const reader = await cast.identity(owner, folder, "reader", world.claims("reader"));
    await world.bind(owner, folder, reader, "viewer");
    const token = await exchanged(
      { cap: ["groups.delete", "groups.list"] },
      await workflow({ sub: "reader" }),
    );
    await cast.denied(() => world.send(token, "groups.delete", { uid: below }));
    expect((await world.send(token, "groups.get", { uid: below })).status).toBe(200);
  });
});

/** What an attacker may try to get a token; nobody of them gets one. */
describe("no token", () => {
  const refused = (status: number, work: () => Promise<Answer>) => async () => {
    const answer = await world.unchanged(work);
    expect(answer.json).not.toHaveProperty("token");
    expect({ status: answer.status, message: answer.json.message }).toMatchObject({ status });
  };

  test.each<[string, number, () => Promise<Answer>]>([
    ["without one", 401, () => exchange(undefined)],
    [
      "for an identity of the folder that it does not match",
      404,
      () => exchange(github, { identity: strong }),
    ],
    ["for an identity of another organization", 404, () => exchange(github, { identity: elsewhere })],
    ["for a person", 404, () => exchange(github, { identity: owner.uid })],
    ["for a group", 404, () => exchange(github, { identity: folder })],
    ["for a subject that nobody matches", 404, async () => exchange(await workflow({ sub: `${SUBJECT}x` }))],
    [
      "for another audience",
      401,
      async () => exchange(await workflow({ sub: "x", aud: "https://else.example" })),
    ],
    ["for a person's access token", 400, () => exchange(owner.token)],
    ["for a token from an exchange: it would never end", 400, async () => exchange(await exchanged())],
    [
      "for a limited one, to widen it",
      400,
      async () => exchange(await exchanged({ cap: "repo.list", scopes: below })),
    ],
    ["for an ID token", 401, async () => exchange(await world.service.token("owner", {}, { typ: "JWT" }))],
    [
      "for one that says it comes from here",
      401,
      async () => exchange(await workflow({ iss: world.service.config.issuer, sub: "automation" })),
    ],
    ["for one that has expired", 401, async () => exchange(await workflow({}, -60))],
    [
      "for one that somebody else signed",
      401,
      async () => {
        const { privateKey } = await generateKeyPair("ES256");
        const claims = { iss: world.service.issuer.url, sub: SUBJECT, aud: world.service.url };
        return exchange(await signed(privateKey, claims));
      },
    ],
    [
      "for one without a signature",
      401,
      () => {
        const [, payload = ""] = github.split(".");
        const header = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
        return exchange(`${header}.${payload}.`);
      },
    ],
    [
      "for another service",
      400,
      () => exchange(github, { aud: [world.service.url, "https://else.example"] }),
    ],
    ["with a limit whose name is misspelled", 400, () => exchange(github, { caps: "repo.list" })],
    [
      "with a capability that does not exist",
      400,
      () => exchange(github, { cap: ["repo.list", "repo.lists"] }),
    ],
    ["with an empty limit", 400, () => exchange(github, { cap: "" })],
    ["with an empty scope among others", 400, () => exchange(github, { scopes: ["", folder] })],
    ["with a scope in which it has no role", 400, () => exchange(github, { scopes: sibling })],
    ["with a scope that does not exist", 400, () => exchange(github, { scopes: "f".repeat(40) })],
    [
      "with an identity provider",
      400,
      () => exchange(github, { identityProvider: `${folder}/${"1".repeat(16)}` }),
    ],
    [
      "with limits in the body, where they would be ignored",
      400,
      () => world.service.call("POST", "/sts/exchange", { token: github, body: { cap: ["repo.list"] } }),
    ],
    [
      "with limits in a form, as RFC 8693 has them",
      400,
      () =>
        world.service.call("POST", "/sts/exchange", {
          token: github,
          body: "cap=repo.list",
          headers: { "content-type": "application/x-www-form-urlencoded" },
        }),
    ],
  ])("%s", async (_name, status, work) => {
    await refused(status, work)();
  });

  test("tells an identity that does not exist from one that it does not match", async () => {
    const [one, other] = await Promise.all(
      [strong, `${folder}/${"0".repeat(16)}`].map((identity) => exchange(github, { identity })),
    );
    expect(one?.json).toEqual(other?.json);
  });

  test("becomes another identity by a claim of ours in a token of theirs", async () => {
    const claim = decodeJwt(await exchanged())["exchanged"] as Wire;
    const token = await workflow({ sub: "nobody", exchanged: { ...claim, identity: strong } });
    expect((await world.send(token, "groups.list")).json["totalCount"]).toBe("0");
  });
});

/** What the holder of a limited token may try. */
describe("a limited token does not", () => {
  test("loses its limits by a change of its text", async () => {
    const [header, payload, signature] = (await exchanged({ cap: "repo.list" })).split(".");
    const claims = JSON.parse(Buffer.from(payload!, "base64url").toString()) as Wire;
    delete claims["exchanged"].cap;
    const text = Buffer.from(JSON.stringify(claims)).toString("base64url");
    expect((await world.send(`${header}.${text}.${signature}`, "groups.list")).status).toBe(401);
  });

  test.each<[string, readonly string[], string, () => Input]>([
    [
      "give owner to somebody",
      ["role_bindings.create"],
      "roleBindings.create",
      () => ({
        parent: folder,
        body: { identityUid: owner.uid, roleUid: OWNER },
      }),
    ],
    [
      "give owner to itself in a batch",
      ["role_bindings.create"],
      "roleBindings.batchCreate",
      () => ({
        body: { parent: folder, requests: [{ roleBinding: { identityUid: ci, roleUid: OWNER } }] },
      }),
    ],
    [
      "change its binding to owner",
      ["role_bindings.update"],
      "roleBindings.update",
      () => ({
        uid: binding,
        body: { roleUid: builtInRoleUid("viewer") },
      }),
    ],
    ["delete its own binding", ["repo.list"], "roleBindings.delete", () => ({ uid: binding })],
    [
      "make a role that can do more",
      ["roles.create"],
      "roles.create",
      () => ({
        parent: folder,
        body: { name: "more", capabilities: ["repo.delete"] },
      }),
    ],
    [
      "invite an owner",
      ["group_invites.create", "role_bindings.create"],
      "groupInvites.create",
      () => ({
        parent: folder,
        body: { roleUid: OWNER, ttl: "3600s" },
      }),
    ],
    [
      "let others become its identity",
      ["identity.update"],
      "identities.update",
      () => ({
        uid: ci,
        body: world.claims("attacker"),
      }),
    ],
    [
      "become a stronger identity",
      ["identity.update"],
      "identities.update",
      () => ({
        uid: strong,
        body: world.claims("attacker"),
      }),
    ],
    ["create an organization", ["groups.create"], "groups.create", () => ({ body: { name: "mine" } })],
    [
      "subscribe to events",
      ["groups.list"],
      "subscriptions.create",
      () => ({
        parent: folder,
        body: { sink: "https://attacker.example/hook" },
      }),
    ],
    [
      "make an identity for later",
      ["role_bindings.create"],
      "identities.create",
      () => ({ parent: folder, body: { name: "later", ...world.claims("attacker") } }),
    ],
    [
      "set up an identity provider with owner",
      ["identity_providers.create"],
      "identityProviders.create",
      () => ({
        parent: folder,
        body: {
          name: "mine",
          defaultRole: OWNER,
          oidc: { issuer: "https://i.example", clientId: "x", clientSecret: "y" },
        },
      }),
    ],
  ])("%s", async (_name, cap, id, input) => {
    const token = await exchanged({ cap });
    await cast.denied(() => world.send(token, id, input()));
  });

  test("redeem an invite, which is for people", async () => {
    const body = { roleUid: builtInRoleUid("viewer"), ttl: "3600s" };
    const { code } = await world.make(owner, "groupInvites.create", { parent: sibling, body });
    const answer = await world.send(await exchanged(), "groupInvites.register", { body: { code } });
    expect(answer.status).toBe(404);
  });

  test("read on from a page, or repeat an answer, that another token got", async () => {
    const whole = await exchanged();
    const query = { page_size: "1" };
    const { nextPageToken } = await world.make({ uid: ci, token: whole }, "groups.list", { query });
    const limited = await exchanged({ scopes: below });
    const answer = await world.send(limited, "groups.list", { query: { page_token: nextPageToken } });
    expect([answer.status, ...fieldsOf(answer)]).toEqual([400, "page_token"]);
    const create = (token: string) =>
      world.service.call("POST", `/registry/v2/repos/${folder}`, {
        token,
        body: { name: "once" },
        headers: { "idempotency-key": "the-same-key-for-both" },
      });
    expect((await create(whole)).status).toBe(200);
    expect((await create(limited)).status).toBe(403);
    // It may create a repo, but what it gets is not the answer that the other one got.
    expect((await create(await exchanged({ cap: "repo.create" }))).status).toBe(409);
  });
});

describe("a token ends", () => {
  const alive = async (token: string) => (await world.send(token, "groups.list")).status;

  test("with its identity's sign-in rule, and with its identity", async () => {
    const uid = await cast.identity(owner, folder, "fleeting", world.claims("fleeting"));
    await world.bind(owner, folder, uid, "viewer");
    const upstream = await workflow({ sub: "fleeting" });
    const token = await exchanged({}, upstream);
    expect(await alive(token)).toBe(200);
    await world.make(owner, "identities.update", { uid, body: { description: "still the same" } });
    expect(await alive(token)).toBe(200);
    await world.make(owner, "identities.update", { uid, body: world.claims("somebody else") });
    expect(await alive(token)).toBe(401);
    await expect(grpc.call("iam.v2.GroupsService/ListGroups", {}, { token })).rejects.toMatchObject({
      code: 16,
    });
    expect((await exchange(upstream)).status).toBe(404);
    const next = await exchanged({}, await workflow({ sub: "somebody else" }));
    expect(await alive(next)).toBe(200);
    await world.make(owner, "identities.delete", { uid });
    expect(await alive(next)).toBe(401);
  });

  test("in its rights with its identity's roles", async () => {
    const uid = await cast.identity(owner, folder, "demoted", world.claims("demoted"));
    const { uid: bound } = await world.bind(owner, folder, uid, "owner");
    const token = await exchanged({}, await workflow({ sub: "demoted" }));
    expect((await world.send(token, "groups.get", { uid: folder })).status).toBe(200);
    await world.make(owner, "roleBindings.delete", { uid: bound });
    await cast.denied(() => world.send(token, "groups.get", { uid: folder }));
  });
});
