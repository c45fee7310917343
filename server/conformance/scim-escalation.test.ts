import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { builtInRoleUid } from "../domains/access/roles.table";
import { openDirectory, patchOf, TestDirectory, userBody } from "../testing/scim";
import { BODIES } from "./samples";
import { AttackFixture } from "./attack-fixture";
import type { Person, Wire, World } from "./world";

let cast: AttackFixture;
let world: World;
/** The victims' provider and directory, with a person in a group that owns the folder. */
let provider: string;
let victim: TestDirectory;
let person: string;
let group: string;
/** Of another organization, whose owner attacks. */
let own: TestDirectory;
const attackers = new Map<string, Person>();

beforeAll(async () => {
  cast = await AttackFixture.open();
  ({ world } = cast);
  const { owner, stranger, organization, folder } = cast;
  const make = (by: Person, parent: string) =>
    world.create(by, "identityProviders", parent, BODIES["identityProviders"]!(world, by, parent));
  provider = await make(owner, folder);
  victim = await openDirectory(world, owner, provider);
  person = (await victim.make("POST", "/Users", userBody("victim")))["id"];
  group = (await victim.make("POST", "/Groups", { displayName: "admins", members: [{ value: person }] }))[
    "id"
  ];
  await world.create(owner, "externalGroupRoleMappings", provider, {
    externalGroupId: "admins",
    roleUid: builtInRoleUid("owner"),
    scope: organization,
  });
  const elsewhere = await world.create(stranger, "groups", "", { name: "elsewhere" });
  own = await openDirectory(world, stranger, await make(stranger, elsewhere));
  const manages = ["identity_providers.scim.manage", "groups.list"];
  const everythingElse = ["identity_providers.list", "identity_providers.update", "role_bindings.create"];
  const editor = await world.person("editor");
  await world.bind(owner, organization, editor.uid, "editor");
  attackers
    .set("an editor of the organization", editor)
    .set("the owner of another organization", stranger)
    .set("who may manage SCIM, but not read providers", await world.holder(owner, "manages", manages, folder))
    .set("who may change providers, but not SCIM", await world.holder(owner, "else", everythingElse, folder));
});
afterAll(() => world.service.stop());

const BODY: Readonly<Record<string, Wire>> = {
  generateScimToken: {},
  regenerateScimToken: { etag: "2" },
  revokeScimToken: {},
  setScimEnabled: { enabled: false, etag: "2" },
};

describe("by the operations of SCIM", () => {
  const attempts = Object.keys(BODY).flatMap((verb) =>
    [
      "an editor of the organization",
      "the owner of another organization",
      "who may manage SCIM, but not read providers",
      "who may change providers, but not SCIM",
    ].map((who) => [verb, who] as const),
  );
  test.each(attempts)("%s by %s", async (verb, who) => {
    const by = attackers.get(who)!;
    await cast.denied(() =>
      world.send(by.token, `identityProviders.${verb}`, { uid: provider, body: BODY[verb]! }),
    );
    expect((await victim.call("GET", "/Users?count=0")).status).toBe(200);
  });
});

describe("by SCIM itself", () => {
  const mine = () => new TestDirectory(victim.base, own.token);
  const above = () => new TestDirectory(`${world.service.url}/scim/v2/${cast.organization}`, victim.token);
  const leave = patchOf({ op: "replace", value: { active: false } });
  const promote = () => patchOf({ op: "add", path: "members", value: [{ value: person }] });
  const attempts: readonly (readonly [string, number, () => Promise<{ status: number }>])[] = [
    ["another provider's token reads people", 401, () => mine().call("GET", "/Users")],
    ["another provider's token adds a person", 401, () => mine().call("POST", "/Users", userBody("mallory"))],
    [
      "another provider's token deactivates a person",
      401,
      () => mine().call("PATCH", `/Users/${person}`, leave),
    ],
    ["another provider's token removes a person", 401, () => mine().call("DELETE", `/Users/${person}`)],
    [
      "another provider's token adds to a group",
      401,
      () => mine().call("PATCH", `/Groups/${group}`, promote()),
    ],
    ["another provider's token removes a group", 401, () => mine().call("DELETE", `/Groups/${group}`)],
    [
      "one's own directory deactivates somebody else's person",
      404,
      () => own.call("PATCH", `/Users/${person}`, leave),
    ],
    [
      "one's own directory replaces somebody else's person",
      404,
      () => own.call("PUT", `/Users/${person}`, userBody("m")),
    ],
    [
      "one's own directory changes somebody else's group",
      404,
      () => own.call("PATCH", `/Groups/${group}`, promote()),
    ],
    [
      "somebody else's person in one's own group",
      400,
      () => own.call("POST", "/Groups", { displayName: "admins", members: [{ value: person }] }),
    ],
    ["the token at the address of the organization", 401, () => above().call("GET", "/Users")],
    [
      "the token of an owner",
      401,
      () => new TestDirectory(victim.base, cast.owner.token).call("GET", "/Users"),
    ],
    [
      "the hash of the token",
      401,
      async () => {
        const rows = await world.service.database.query<{ hash: string }>(
          "select hash from scim_settings where uid = $1",
          [provider],
        );
        return new TestDirectory(victim.base, `cgscim_${rows[0]!.hash}`).call("GET", "/Users");
      },
    ],
    ["the SCIM token reads the API", 401, () => world.send(victim.token, "groups.get", { uid: cast.folder })],
    [
      "the SCIM token makes itself an owner",
      401,
      () =>
        world.send(victim.token, "roleBindings.create", {
          parent: cast.folder,
          body: { identityUid: cast.outsider.uid, roleUid: builtInRoleUid("owner") },
        }),
    ],
    [
      "the SCIM token is exchanged",
      401,
      () => world.service.call("POST", "/sts/exchange", { token: victim.token }),
    ],
    [
      "a group is given the name of a mapped group of another provider",
      201,
      () => own.call("POST", "/Groups", { displayName: "admins" }),
    ],
    [
      "a person is pushed under the externalId of another provider's person",
      201,
      () => own.call("POST", "/Users", userBody("victim")),
    ],
  ];
  test.each(attempts)("%s", async (_name, status, attempt) => {
    const before = await world.make(cast.owner, "roleBindings.list", {
      query: { "uidp.descendants_of": cast.organization, page_size: "200" },
    });
    const pushed = [await victim.get("/Users"), await victim.get("/Groups")];
    expect((await attempt()).status).toBe(status);
    expect([await victim.get("/Users"), await victim.get("/Groups")]).toEqual(pushed);
    expect(
      await world.make(cast.owner, "roleBindings.list", {
        query: { "uidp.descendants_of": cast.organization, page_size: "200" },
      }),
    ).toEqual(before);
  });

  test("34 attempts", () => expect(attempts.length + Object.keys(BODY).length * 4).toBe(34));
});
