import { exportJWK, generateKeyPair } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { codeName } from "platform-contract/status";

import { builtInRoleUid } from "../domains/access/roles.table";
import type { Answer } from "../testing/app";
import { AttackFixture } from "./attack-fixture";
import { fieldsOf, type Person, type Wire, type World } from "./world";

const OWNER = builtInRoleUid("owner");
const VIEWER = builtInRoleUid("viewer");

let cast: AttackFixture;
let world: World;
let owner: Person;
let outsider: Person;
let binder: Person;
let roleMaker: Person & { role: string };
let identityManager: Person;
let organization: string;
let folder: string;
let sibling: string;
/** A machine that owns the folder, and its binding. */
let strong: { uid: string; binding: string };
/** In another organization. */
let elsewhere: { group: string; identity: string; role: string };

beforeAll(async () => {
  cast = await AttackFixture.open();
  ({ world, owner, outsider, organization, folder, sibling } = cast);
  [binder, strong] = [await cast.binder(), await cast.strong()];
  const make = ["roles.create", "roles.update", "roles.list", "groups.list"];
  roleMaker = await world.holder(owner, "role maker", make, folder);
  const manage = ["identity.create", "identity.update", "identity.list"];
  identityManager = await world.holder(owner, "identity manager", manage, folder);
  elsewhere = await cast.elsewhere();
});
afterAll(() => world.service.stop());

const bindTo = ({ token }: Person, parent: string, identityUid: string, roleUid: string) =>
  world.send(token, "roleBindings.create", { parent, body: { identityUid, roleUid } });

describe("by guard rails", () => {
  test("one taken away, weakened or excepted from by who may give roles, but not change the group", async () => {
    const end = {
      kind: "GUARD_RAIL_KIND_END_REQUIRED",
      mode: "GUARD_RAIL_MODE_WARN",
      roles: [OWNER],
      maxDays: 1,
    };
    const uid = await world.create(owner, "guardRails", folder, end);
    const expirationTime = new Date(Date.now() + 86_400_000).toISOString();
    const exceptions = [{ subject: binder.uid, expirationTime, reason: "mine" }];
    const patch = (body: Wire) => world.send(binder.token, "guardRails.update", { uid, body });
    await cast.denied(() => patch({ mode: "GUARD_RAIL_MODE_WARN" }));
    await cast.denied(() => patch({ exceptions }));
    await cast.denied(() => world.send(binder.token, "guardRails.delete", { uid }));
    await cast.denied(() => world.send(binder.token, "guardRails.create", { parent: folder, body: end }));
    await world.make(owner, "guardRails.delete", { uid });
  });
});

describe("by eligible grants", () => {
  const grant = (identityUid: string, roleUid: string, more: Wire = {}) => ({
    identityUid,
    roleUid,
    maxDuration: "3600s",
    ...more,
  });
  const on = ({ token }: Person, uid: string) =>
    world.send(token, "eligibleGrants.activate", { uid, body: { duration: "3600s", reason: "mine" } });

  test("owner made for oneself or a friend by somebody who may only bind and view, or above where they may", async () => {
    const create = (parent: string, body: Wire) =>
      world.send(binder.token, "eligibleGrants.create", { parent, body });
    for (const { uid } of [binder, outsider]) {
      await cast.denied(() => create(folder, grant(uid, OWNER)));
      await cast.denied(() => create(folder, grant(uid, OWNER, { requireApproval: true })));
    }
    for (const group of [organization, sibling])
      await cast.denied(() => create(group, grant(binder.uid, VIEWER)));
    // Whoever can change how a machine is recognized must not get a role with it.
    await cast.invalid("identityUid", () => create(folder, grant(strong.uid, VIEWER)));
    await cast.invalid("identityUid", () => create(folder, grant(elsewhere.identity, VIEWER)));
    await cast.invalid("roleUid", () => create(folder, grant(binder.uid, elsewhere.role)));
  });

  test("one of somebody else switched on, one's own approved, or one approved that one could not give", async () => {
    const body = grant(binder.uid, OWNER, { requireApproval: true });
    const uid = await world.create(owner, "eligibleGrants", folder, body);
    await cast.fails("NOT_FOUND", [], () => on(outsider, uid));
    const { activation } = await world.make(binder, "eligibleGrants.activate", {
      uid,
      body: { duration: "3600s", reason: "mine" },
    });
    const { requestTime } = activation;
    const approve = ({ token }: Person) =>
      world.send(token, "eligibleGrants.approve", { uid, body: { requestTime } });
    await cast.denied(() => approve(binder));
    await cast.denied(() => approve(outsider));
    await cast.denied(() => approve(roleMaker));
    const friend = await world.holder(owner, "friend", ["role_bindings.create"], folder);
    await cast.denied(() => approve(friend));
    // Waiting is nothing yet.
    await cast.denied(() => world.send(binder.token, "identities.create", { parent: folder, body: {} }));
    await world.make(owner, "eligibleGrants.delete", { uid });
  });

  test("what is switched on made to last, or used to make what lasts", async () => {
    const uid = await world.create(owner, "eligibleGrants", folder, grant(outsider.uid, OWNER));
    const { activation } = await world.make(outsider, "eligibleGrants.activate", {
      uid,
      body: { duration: "3600s", reason: "mine" },
    });
    const { roleBinding, endTime } = activation;
    const late = new Date(Date.parse(endTime) + 1).toISOString();
    const send = (id: string, input: Wire) => world.send(outsider.token, id, input);
    const fails = (attempt: () => Promise<Answer>) =>
      cast.fails("PERMISSION_DENIED", ["expirationTime"], attempt);
    for (const expirationTime of ["", late]) {
      await fails(() => send("roleBindings.update", { uid: roleBinding, body: { expirationTime } }));
      await fails(() =>
        send("roleBindings.create", {
          parent: folder,
          body: { identityUid: outsider.uid, roleUid: VIEWER, ...(expirationTime && { expirationTime }) },
        }),
      );
      await fails(() =>
        send("eligibleGrants.create", {
          parent: folder,
          body: grant(outsider.uid, VIEWER, expirationTime ? { expirationTime } : {}),
        }),
      );
    }
    await cast.denied(() =>
      send("groupInvites.create", { parent: folder, body: { roleUid: VIEWER, ttl: "60s" } }),
    );
    await world.make(outsider, "eligibleGrants.deactivate", { uid, body: {} });
    expect(await cast.opens(outsider.token)).toBe(false);
    await world.make(owner, "eligibleGrants.delete", { uid });
  });
});

describe("by role bindings", () => {
  test("owner bound to oneself by somebody who may only bind and view", async () => {
    await cast.denied(() => bindTo(binder, folder, binder.uid, OWNER));
    await cast.denied(() => bindTo(binder, folder, outsider.uid, OWNER));
  });

  test("a role that is held, bound at the group above or in a sibling", async () => {
    for (const group of [organization, sibling])
      await cast.denied(() => bindTo(binder, group, binder.uid, VIEWER));
  });

  test("the role of one's own binding exchanged for owner, in either spelling and by a mask", async () => {
    const { roleBindings } = await world.make(binder, "roleBindings.list", {
      query: { identity: binder.uid },
    });
    const patch = (body: Wire, query = {}) =>
      world.send(binder.token, "roleBindings.update", { uid: roleBindings[0].uid, body, query });
    await cast.denied(() => patch({ roleUid: OWNER }));
    await cast.denied(() => patch({ role_uid: OWNER }, { update_mask: "role_uid" }));
    await cast.denied(() => patch({ identityUid: binder.uid, roleUid: OWNER }, { updateMask: "*" }));
    await cast.invalid("roleUid", () => patch({ roleUid: VIEWER, role_uid: OWNER }));
  });

  test("the owner's binding moved to oneself", async () => {
    const body = { identityUid: binder.uid };
    await cast.denied(() => world.send(binder.token, "roleBindings.update", { uid: strong.binding, body }));
  });

  test("an identity or a role of another organization, in the same words as ones that are not there", async () => {
    const nowhere = `${elsewhere.group}/${"0".repeat(16)}`;
    const messages = new Set<string>();
    const note = async (answer: Promise<Answer>) => (messages.add((await answer).json.message), answer);
    for (const uid of [elsewhere.identity, nowhere, elsewhere.group])
      await cast.invalid("identityUid", () => note(bindTo(owner, organization, uid, VIEWER)));
    for (const uid of [elsewhere.role, nowhere, organization])
      await cast.invalid("roleUid", () => note(bindTo(owner, organization, owner.uid, uid)));
    expect(messages.size).toBe(2);
  });

  test("a role of a folder bound above it or beside it", async () => {
    for (const group of [organization, sibling])
      await cast.invalid("roleUid", () => bindTo(owner, group, outsider.uid, roleMaker.role));
  });

  test("a machine of a folder bound above it", async () => {
    const low = await cast.identity(owner, folder, "low", world.claims("low"));
    await world.bind(owner, organization, low, "owner");
    const token = await world.machine("low");
    for (const uid of [organization, sibling, folder])
      await cast.denied(() => world.send(token, "groups.get", { uid }));
    await cast.denied(() => world.send(token, "groups.create", { parent: folder, body: { name: "mine" } }));
    expect((await world.send(token, "groups.list")).json["totalCount"]).toBe("0");
  });
});

describe("by roles", () => {
  const more = ["roles.list", "CAP_IAM_GROUPS_DELETE"];

  test("a role with a capability that its maker does not hold", async () => {
    const body = { name: "more", capabilities: more };
    await cast.denied(() => world.send(roleMaker.token, "roles.create", { parent: folder, body }));
  });

  test("a capability added to the role that one holds", async () => {
    const { role: uid } = roleMaker;
    for (const query of [{}, { updateMask: "capabilities" }, { updateMask: "*" }])
      await cast.denied(() =>
        world.send(roleMaker.token, "roles.update", {
          uid,
          query,
          body: { name: "role maker", capabilities: more },
        }),
      );
  });

  test("a capability that is internal to the platform, by its owner", async () => {
    for (const capability of ["CAP_INTERNAL", "CAP_REPO_INTERNAL_ADMIN", "repo.internal.admin"]) {
      const body = { name: "inner", capabilities: [capability] };
      await cast.invalid("capabilities[0]", () =>
        world.send(owner.token, "roles.create", { parent: folder, body }),
      );
    }
  });

  test("a built-in role changed or removed", async () => {
    const body = { capabilities: more };
    await cast.denied(() => world.send(owner.token, "roles.update", { uid: VIEWER, body }));
    await cast.denied(() => world.send(owner.token, "roles.delete", { uid: builtInRoleUid("apk.pull") }));
  });
});

describe("by how identities are recognised", () => {
  test("a strong identity made to be recognised by a token of one's own", async () => {
    const patch = (body: Wire, query = {}) =>
      world.send(identityManager.token, "identities.update", { uid: strong.uid, body, query });
    const { publicKey } = await generateKeyPair("ES256", { extractable: true });
    const issuerKeys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), alg: "ES256" }] });
    const staticKeys = { issuer: "https://mallory.example", subject: "mallory", issuerKeys };
    await cast.denied(() => patch({ claimMatch: { subject: "mallory" } }));
    await cast.denied(() =>
      patch({ claim_match: { subject: "mallory" } }, { update_mask: "claim_match.subject" }),
    );
    await cast.denied(() => patch({ claimMatch: { subjectPattern: ".*" } }));
    await cast.invalid("claimMatch.issuer", () =>
      patch({ claimMatch: { issuer: world.service.config.issuer, subject: "identity manager" } }),
    );
    await cast.denied(() =>
      patch({ claimMatch: { audience: "mallory" } }, { updateMask: "claimMatch.audience" }),
    );
    await cast.denied(() => patch({ staticKeys }));
    await cast.denied(() => patch({ name: "strong", staticKeys }, { updateMask: "*" }));
    expect(await cast.opens(await world.machine("mallory"))).toBe(false);
    expect(await cast.opens(await world.machine("strong"))).toBe(true);
  });

  test("one's own person changed into somebody else", async () => {
    const claimMatch = { subject: "owner" };
    for (const { uid } of [identityManager, owner])
      await cast.denied(() =>
        world.send(identityManager.token, "identities.update", { uid, body: { claimMatch } }),
      );
  });

  test("a twin of somebody's claims takes nothing from them and has nothing of theirs", async () => {
    const uid = await cast.identity(identityManager, folder, "double", world.claims("strong"));
    const { json } = await world.send(owner.token, "roleBindings.list", { query: { identity: uid } });
    expect(json["totalCount"]).toBe("0");
    const changed = world.send(identityManager.token, "identities.update", {
      uid,
      body: { claimMatch: { issuer: world.service.issuer.url, subject: "mallory" } },
    });
    expect((await changed).status).toBe(200);
    const mallory = await world.machine("mallory");
    await cast.denied(() => world.send(mallory, "groups.get", { uid: folder }));
    await cast.denied(() => world.send(identityManager.token, "groups.get", { uid: folder }));
    expect(await cast.opens(owner.token, sibling)).toBe(true);
    expect(await cast.opens(await world.machine("strong"))).toBe(true);
  });

  test("an identity that takes in people of this service, or its client", async () => {
    const { issuer } = world.service.config;
    const create = (relationship: Wire) =>
      world.send(owner.token, "identities.create", {
        parent: folder,
        body: { name: "all", ...relationship },
      });
    for (const who of [{ subjectPattern: ".*" }, { subject: "automation" }, { subject: "owner" }])
      for (const own of [issuer, `${issuer}/`])
        await cast.invalid("claimMatch.issuer", () => create({ claimMatch: { issuer: own, ...who } }));
    const staticKeys = { issuer, subject: "owner", issuerKeys: '{"keys":[]}' };
    const refused = await world.unchanged(() => create({ staticKeys }));
    expect(fieldsOf(refused)).toContain("staticKeys.issuer");
    // Any issuer means any trusted issuer, never this service itself.
    const any = await cast.identity(owner, folder, "any", {
      claimMatch: { issuerPattern: ".*", subjectPattern: ".*" },
    });
    const binding = await world.bind(owner, folder, any, "viewer");
    await cast.denied(() => world.send(outsider.token, "groups.get", { uid: folder }));
    expect(await cast.opens(await world.machine("anybody"))).toBe(true);
    await world.make(owner, "roleBindings.delete", { uid: binding["uid"] });
    expect(await cast.opens(await world.machine("anybody"))).toBe(false);
  });

  test("a subject around, before or behind what a pattern names", async () => {
    const { url: issuer } = world.service.issuer;
    const patterns = ["repo:acme/(app|web)", "^ref:main$|^ref:release$", "(?m)^tag:one$", "user:.*"];
    for (const [index, subjectPattern] of patterns.entries()) {
      const uid = await cast.identity(owner, folder, `pattern ${index}`, {
        claimMatch: { issuer, subjectPattern },
      });
      await world.bind(owner, folder, uid, "viewer");
    }
    for (const subject of ["repo:acme/app", "repo:acme/web", "ref:release", "tag:one", "user:ada"])
      expect([subject, await cast.opens(await world.machine(subject))]).toEqual([subject, true]);
    const tricks = [
      "xrepo:acme/app",
      "repo:acme/apps",
      "repo:acme/app\n",
      "\nrepo:acme/web",
      "repo:acme/app|web",
    ];
    tricks.push(
      "ref:main2",
      "ref:main|^ref:release",
      "tag:one\ntag:two",
      "x\ntag:one",
      "user:a\nb",
      "REPO:acme/app",
    );
    for (const subject of tricks) {
      const token = await world.machine(subject);
      const answer = await world.send(token, "groups.get", { uid: folder });
      expect([subject, codeName(answer.json.code)]).toEqual([subject, "PERMISSION_DENIED"]);
    }
  });
});
