import { exportSPKI, generateKeyPair, exportJWK, importJWK, SignJWT, type JWK } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { codeName, type CodeName } from "~/contract/status";

import { builtInRoleUid } from "../store/roles";
import type { Answer } from "../testing/app";
import { fieldsOf, World, type Person, type Wire } from "./world";

let world: World;
let owner: Person;
/** Owner of another organization. */
let stranger: Person;
/** Reads everything of the folder and binds roles there, nothing more. */
let binder: Person;
let roleMaker: Person & { role: string };
let identityManager: Person;
let outsider: Person;
let organization: string;
let folder: string;
let sibling: string;
/** A machine that owns the folder, and its binding. */
let strong: { uid: string; binding: string };
let elsewhere: { group: string; identity: string; role: string };

const uidOf = async (record: Promise<Wire>): Promise<string> => (await record)["uid"] as string;
const OWNER = builtInRoleUid("owner");
const VIEWER = builtInRoleUid("viewer");

beforeAll(async () => {
  world = await World.open();
  [owner, stranger, outsider] = [
    await world.person("owner"),
    await world.person("stranger"),
    await world.person("outsider"),
  ];
  organization = await uidOf(world.make(owner, "groups.create", { body: { name: "organization" } }));
  const group = (name: string) => uidOf(world.make(owner, "groups.create", { parent: organization, body: { name } }));
  [folder, sibling] = [await group("folder"), await group("sibling")];
  const bind = ["role_bindings.create", "role_bindings.update", "role_bindings.list", "groups.list"];
  binder = await world.holder(owner, "binder", bind, folder);
  await world.bind(owner, folder, binder.uid, "viewer");
  const make = ["roles.create", "roles.update", "roles.list", "groups.list"];
  roleMaker = await world.holder(owner, "role maker", make, folder);
  const manage = ["identity.create", "identity.update", "identity.list"];
  identityManager = await world.holder(owner, "identity manager", manage, folder);
  const uid = await identity(owner, folder, "strong", world.claims("strong"));
  strong = { uid, binding: await uidOf(world.bind(owner, folder, uid, "owner")) };
  const foreign = await uidOf(world.make(stranger, "groups.create", { body: { name: "elsewhere" } }));
  const body = { name: "theirs", capabilities: ["groups.list"] };
  elsewhere = {
    group: foreign,
    identity: await identity(stranger, foreign, "theirs", world.claims("theirs")),
    role: await uidOf(world.make(stranger, "roles.create", { parent: foreign, body })),
  };
});
afterAll(() => world.service.stop());

const identity = (by: Person, parent: string, name: string, relationship: Wire): Promise<string> =>
  uidOf(world.make(by, "identities.create", { parent, body: { name, ...relationship } }));

/** The attempt is refused with this code, on these fields if any, and every record is as it was. */
async function fails(code: CodeName, fields: readonly string[], attempt: () => Promise<Answer>): Promise<void> {
  const answer = await world.unchanged(attempt);
  expect(codeName(answer.json.code), answer.json.message).toBe(code);
  expect(fieldsOf(answer)).toEqual(fields);
}
const denied = (attempt: () => Promise<Answer>) => fails("PERMISSION_DENIED", [], attempt);
const invalid = (field: string, attempt: () => Promise<Answer>) => fails("INVALID_ARGUMENT", [field], attempt);

/** Whether a token opens a group. */
const opens = async (token: string, uid = folder): Promise<boolean> =>
  (await world.send(token, "groups.get", { uid })).status === 200;

const bindTo = ({ token }: Person, parent: string, identityUid: string, roleUid: string) =>
  world.send(token, "roleBindings.create", { parent, body: { identityUid, roleUid } });

describe("by role bindings", () => {
  test("owner bound to oneself by somebody who may only bind and view", async () => {
    await denied(() => bindTo(binder, folder, binder.uid, OWNER));
    await denied(() => bindTo(binder, folder, outsider.uid, OWNER));
  });

  test("a role that is held, bound at the group above or in a sibling", async () => {
    for (const group of [organization, sibling]) await denied(() => bindTo(binder, group, binder.uid, VIEWER));
  });

  test("the role of one's own binding exchanged for owner, in either spelling and by a mask", async () => {
    const { roleBindings } = await world.make(binder, "roleBindings.list", { query: { identity: binder.uid } });
    const patch = (body: Wire, query = {}) =>
      world.send(binder.token, "roleBindings.update", { uid: roleBindings[0].uid, body, query });
    await denied(() => patch({ roleUid: OWNER }));
    await denied(() => patch({ role_uid: OWNER }, { update_mask: "role_uid" }));
    await denied(() => patch({ identityUid: binder.uid, roleUid: OWNER }, { updateMask: "*" }));
    await invalid("roleUid", () => patch({ roleUid: VIEWER, role_uid: OWNER }));
  });

  test("the owner's binding moved to oneself", async () => {
    const body = { identityUid: binder.uid };
    await denied(() => world.send(binder.token, "roleBindings.update", { uid: strong.binding, body }));
  });

  test("an identity or a role of another organization, in the same words as ones that are not there", async () => {
    const nowhere = `${elsewhere.group}/${"0".repeat(16)}`;
    const messages = new Set<string>();
    const note = async (answer: Promise<Answer>) => (messages.add((await answer).json.message), answer);
    for (const uid of [elsewhere.identity, nowhere, elsewhere.group])
      await invalid("identityUid", () => note(bindTo(owner, organization, uid, VIEWER)));
    for (const uid of [elsewhere.role, nowhere, organization])
      await invalid("roleUid", () => note(bindTo(owner, organization, owner.uid, uid)));
    expect(messages.size).toBe(2);
  });

  test("a role of a folder bound above it or beside it", async () => {
    for (const group of [organization, sibling])
      await invalid("roleUid", () => bindTo(owner, group, outsider.uid, roleMaker.role));
  });

  test("a machine of a folder bound above it", async () => {
    const low = await identity(owner, folder, "low", world.claims("low"));
    await world.bind(owner, organization, low, "owner");
    const token = await world.machine("low");
    for (const uid of [organization, sibling, folder])
      await denied(() => world.send(token, "groups.get", { uid }));
    await denied(() => world.send(token, "groups.create", { parent: folder, body: { name: "mine" } }));
    expect((await world.send(token, "groups.list")).json["totalCount"]).toBe("0");
  });
});

describe("by roles", () => {
  const more = ["roles.list", "CAP_IAM_GROUPS_DELETE"];

  test("a role with a capability that its maker does not hold", async () => {
    const body = { name: "more", capabilities: more };
    await denied(() => world.send(roleMaker.token, "roles.create", { parent: folder, body }));
  });

  test("a capability added to the role that one holds", async () => {
    const { role: uid } = roleMaker;
    for (const query of [{}, { updateMask: "capabilities" }, { updateMask: "*" }])
      await denied(() =>
        world.send(roleMaker.token, "roles.update", { uid, query, body: { name: "role maker", capabilities: more } }),
      );
  });

  test("a capability that is internal to the platform, by its owner", async () => {
    for (const capability of ["CAP_INTERNAL", "CAP_REPO_INTERNAL_ADMIN", "repo.internal.admin"]) {
      const body = { name: "inner", capabilities: [capability] };
      await invalid("capabilities[0]", () => world.send(owner.token, "roles.create", { parent: folder, body }));
    }
  });

  test("a built-in role changed or removed", async () => {
    const body = { capabilities: more };
    await denied(() => world.send(owner.token, "roles.update", { uid: VIEWER, body }));
    await denied(() => world.send(owner.token, "roles.delete", { uid: builtInRoleUid("apk.pull") }));
  });
});

describe("by how identities are recognised", () => {
  test("a strong identity made to be recognised by a token of one's own", async () => {
    const patch = (body: Wire, query = {}) =>
      world.send(identityManager.token, "identities.update", { uid: strong.uid, body, query });
    const { publicKey } = await generateKeyPair("ES256", { extractable: true });
    const issuerKeys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), alg: "ES256" }] });
    const staticKeys = { issuer: "https://mallory.example", subject: "mallory", issuerKeys };
    await denied(() => patch({ claimMatch: { subject: "mallory" } }));
    await denied(() => patch({ claim_match: { subject: "mallory" } }, { update_mask: "claim_match.subject" }));
    await denied(() => patch({ claimMatch: { subjectPattern: ".*" } }));
    await denied(() => patch({ claimMatch: { issuer: world.service.config.issuer, subject: "identity manager" } }));
    await denied(() => patch({ claimMatch: { audience: "mallory" } }, { updateMask: "claimMatch.audience" }));
    await denied(() => patch({ staticKeys }));
    await denied(() => patch({ name: "strong", staticKeys }, { updateMask: "*" }));
    expect(await opens(await world.machine("mallory"))).toBe(false);
    expect(await opens(await world.machine("strong"))).toBe(true);
  });

  test("one's own person changed into somebody else", async () => {
    const claimMatch = { subject: "owner" };
    for (const { uid } of [identityManager, owner])
      await denied(() => world.send(identityManager.token, "identities.update", { uid, body: { claimMatch } }));
  });

  test("a twin of somebody's claims takes nothing from them and has nothing of theirs", async () => {
    const { issuer } = world.service.config;
    const twin = await identity(identityManager, folder, "twin", { claimMatch: { issuer, subject: "owner" } });
    const double = await identity(identityManager, folder, "double", world.claims("strong"));
    for (const uid of [twin, double]) {
      const { json } = await world.send(owner.token, "roleBindings.list", { query: { identity: uid } });
      expect(json["totalCount"]).toBe("0");
      const changed = world.send(identityManager.token, "identities.update", {
        uid,
        body: { claimMatch: { issuer: world.service.issuer.url, subject: "mallory" } },
      });
      expect((await changed).status).toBe(200);
    }
    const mallory = await world.machine("mallory");
    await denied(() => world.send(mallory, "groups.get", { uid: folder }));
    await denied(() => world.send(identityManager.token, "groups.get", { uid: folder }));
    expect(await opens(owner.token, sibling)).toBe(true);
    expect(await opens(await world.machine("strong"))).toBe(true);
  });

  test("a pattern that takes in the people of this service", async () => {
    const { issuer } = world.service.config;
    const create = (relationship: Wire) =>
      world.send(owner.token, "identities.create", { parent: folder, body: { name: "all", ...relationship } });
    await invalid("claimMatch.subjectPattern", () => create({ claimMatch: { issuer, subjectPattern: ".*" } }));
    const staticKeys = { issuer, subject: "owner", issuerKeys: '{"keys":[]}' };
    const refused = await world.unchanged(() => create({ staticKeys }));
    expect(fieldsOf(refused)).toContain("staticKeys.issuer");
    // Any issuer means any that is trusted, never this service itself.
    const any = await identity(owner, folder, "any", { claimMatch: { issuerPattern: ".*", subjectPattern: ".*" } });
    const binding = await world.bind(owner, folder, any, "viewer");
    await denied(() => world.send(outsider.token, "groups.get", { uid: folder }));
    expect(await opens(await world.machine("anybody"))).toBe(true);
    await world.make(owner, "roleBindings.delete", { uid: binding["uid"] });
    expect(await opens(await world.machine("anybody"))).toBe(false);
  });

  test("a subject around, before or behind what a pattern names", async () => {
    const { url: issuer } = world.service.issuer;
    const patterns = ["repo:acme/(app|web)", "^ref:main$|^ref:release$", "(?m)^tag:one$", "user:.*"];
    for (const [index, subjectPattern] of patterns.entries()) {
      const uid = await identity(owner, folder, `pattern ${index}`, { claimMatch: { issuer, subjectPattern } });
      await world.bind(owner, folder, uid, "viewer");
    }
    for (const subject of ["repo:acme/app", "repo:acme/web", "ref:release", "tag:one", "user:ada"])
      expect(await opens(await world.machine(subject)), subject).toBe(true);
    const tricks = ["xrepo:acme/app", "repo:acme/apps", "repo:acme/app\n", "\nrepo:acme/web", "repo:acme/app|web"];
    tricks.push("ref:main2", "ref:main|^ref:release", "tag:one\ntag:two", "x\ntag:one", "user:a\nb", "REPO:acme/app");
    for (const subject of tricks) {
      const token = await world.machine(subject);
      const answer = await world.send(token, "groups.get", { uid: folder });
      expect(codeName(answer.json.code), subject).toBe("PERMISSION_DENIED");
    }
  });
});

describe("by tokens", () => {
  const unauthenticated = async (token: string) => {
    await fails("UNAUTHENTICATED", [], () => world.send(token, "groups.get", { uid: folder }));
    await fails("UNAUTHENTICATED", [], () =>
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
        await unauthenticated(`${encoded({ alg, typ: "at+jwt", kid: "test" })}.${encoded(claimsOf(issuer, subject))}.`);
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
    await denied(() => world.send(token, "groups.get", { uid: organization }));
    await denied(() => world.send(token, "groups.create", { body: { name: "theirs" } }));
  });
});

describe("by the shape of a request", () => {
  test("somebody else's page token", async () => {
    const query = { page_size: "1" };
    const { nextPageToken } = await world.make(owner, "groups.list", { query });
    expect(nextPageToken).toMatch(/./);
    for (const { token } of [stranger, binder])
      await invalid("page_token", () =>
        world.send(token, "groups.list", { query: { ...query, page_token: nextPageToken } }),
      );
  });

  test("uid, parent, times and what the operator sets, by body, spelling or mask", async () => {
    const before = await world.make(owner, "groups.get", { uid: folder });
    const patch = (body: Wire, query = {}) => world.send(owner.token, "groups.update", { uid: folder, body, query });
    await invalid("parent", () => patch({ parent: elsewhere.group }));
    await invalid("updateMask", () => patch({ parent: elsewhere.group }, { updateMask: "parent" }));
    await invalid("verified", () => patch({ verified: true }));
    await invalid("kind", () => patch({ kind: "ORG_KIND_INFRA" }, { update_mask: "kind" }));
    const mine = { uid: organization, create_time: "2000-01-01T00:00:00.000Z", resource_limits: { idps: 9 } };
    const masks = [{}, { updateMask: "uid,create_time,resourceLimits,status" }, { updateMask: "*" }];
    for (const query of masks) expect((await patch({ name: "folder", ...mine }, query)).status).toBe(200);
    const after = await world.make(owner, "groups.get", { uid: folder });
    expect({ ...after, updateTime: "" }).toEqual({ ...before, updateTime: "" });
  });

  test("a group under a parent that is not one's own, by any writing of its uid", async () => {
    const { token } = stranger;
    for (const parent of [organization, folder, `${organization}/${"0".repeat(16)}`])
      await denied(() => world.send(token, "groups.create", { parent, body: { name: "mine" } }));
    const tricks = [
      `${elsewhere.group}/../${organization}`,
      `${elsewhere.group}/%2e%2e/${organization}`,
      `${elsewhere.group}%2F..%2F${organization}`,
      `${elsewhere.group}%00${organization}`,
      `${organization.toUpperCase()}`,
      `${organization}/`,
    ];
    for (const uid of tricks) {
      const answer = await world.unchanged(() =>
        world.service.call("POST", `/iam/v2/groups/${uid}`, { token, body: { name: "mine" } }),
      );
      expect([400, 403], uid).toContain(answer.status);
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
