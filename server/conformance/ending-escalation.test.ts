import { exportJWK, generateKeyPair } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { CodeName } from "platform-contract/status";

import { recordAccepted } from "../domains/access/memberships.table";
import { builtInRoleUid } from "../domains/access/roles.table";
import { GrpcClient } from "../testing/grpc";
import { openDirectory, patchOf, userBody } from "../testing/scim";
import { AttackFixture } from "./attack-fixture";
import { BODIES } from "./samples";
import type { Person, Wire, World } from "./world";

const OWNER = builtInRoleUid("owner");
const VIEWER = builtInRoleUid("viewer");
const HOUR = 3_600_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR).toISOString();

let cast: AttackFixture;
let world: World;
let organization: string;
let folder: string;
/** An owner of the organization for two hours. */
let guest: Person;
let held: string;
/** Their own end. */
let end: string;
/** A role, an invite, a provider, a mapping and a machine of the permanent owner's. */
let role: string;
let roleHolder: string;
let provider: string;
let mapped: string;
let mapping: string;
let robot: string;
let grpc: GrpcClient;

beforeAll(async () => {
  cast = await AttackFixture.open();
  ({ world, organization, folder } = cast);
  const { owner } = cast;
  guest = await world.person("guest");
  end = inHours(2);
  const binding = { identityUid: guest.uid, roleUid: OWNER, expirationTime: end };
  held = (await world.make(owner, "roleBindings.create", { parent: organization, body: binding }))["uid"];
  await recordAccepted(world.service.database, organization, guest.uid);
  // What the guest holds for good is not the power to give it.
  const narrow = { name: "narrow", capabilities: ["groups.list"] };
  role = await world.create(owner, "roles", folder, narrow);
  roleHolder = (await world.bind(owner, folder, guest.uid, role))["uid"];
  const make = (parent: string) =>
    world.create(owner, "identityProviders", parent, BODIES["identityProviders"]!(world, owner, parent));
  provider = await make(folder);
  mapped = await make(organization);
  mapping = await world.create(owner, "externalGroupRoleMappings", mapped, {
    externalGroupId: "admins",
    roleUid: OWNER,
    scope: organization,
  });
  robot = (await cast.strong()).uid;
  grpc = new GrpcClient(world.service.url);
});
afterAll(async () => {
  grpc.close();
  await world.service.stop();
});

type Attempt = readonly [name: string, code: CodeName, fields: readonly string[], attempt: () => Wire];
const send = (id: string, input: Wire, by: Person = guest) => world.send(by.token, id, input);
const ENDS = ["expirationTime"] as const;

const bind = (body: Wire) => send("roleBindings.create", { parent: folder, body });
const change = (body: Wire, mask = Object.keys(body).join(",")) =>
  send("roleBindings.update", { uid: held, query: { update_mask: mask }, body });
const batch = (...expirations: (string | undefined)[]) =>
  send("roleBindings.batchCreate", {
    body: {
      parent: folder,
      roleUid: VIEWER,
      requests: expirations.map((expirationTime, index) => ({
        roleBinding: {
          identityUid: [guest, cast.outsider][index]!.uid,
          ...(expirationTime && { expirationTime }),
        },
      })),
    },
  });

describe("by bindings that end", () => {
  const attempts: readonly Attempt[] = [
    [
      "owner to oneself, for good",
      "PERMISSION_DENIED",
      ENDS,
      () => bind({ identityUid: guest.uid, roleUid: OWNER }),
    ],
    [
      "a lesser role to oneself, for good",
      "PERMISSION_DENIED",
      ENDS,
      () => bind({ identityUid: guest.uid, roleUid: VIEWER }),
    ],
    [
      "a role to oneself that one holds for good, without the power to give it",
      "PERMISSION_DENIED",
      ENDS,
      () => bind({ identityUid: cast.outsider.uid, roleUid: role }),
    ],
    [
      "owner to somebody else, for good",
      "PERMISSION_DENIED",
      ENDS,
      () => bind({ identityUid: cast.outsider.uid, roleUid: OWNER }),
    ],
    [
      "a role that ends later than one's own",
      "PERMISSION_DENIED",
      ENDS,
      () => bind({ identityUid: guest.uid, roleUid: VIEWER, expirationTime: inHours(3) }),
    ],
    [
      "a role that ends a millisecond later",
      "PERMISSION_DENIED",
      ENDS,
      () =>
        bind({
          identityUid: guest.uid,
          roleUid: VIEWER,
          expirationTime: new Date(Date.parse(end) + 1).toISOString(),
        }),
    ],
    [
      "the same moment written in another zone, plus a second",
      "PERMISSION_DENIED",
      ENDS,
      () =>
        bind({
          identityUid: guest.uid,
          roleUid: VIEWER,
          expirationTime: new Date(Date.parse(end) + HOUR + 1000).toISOString().replace("Z", "+01:00"),
        }),
    ],
    [
      "an end in the past",
      "INVALID_ARGUMENT",
      ENDS,
      () => bind({ identityUid: guest.uid, roleUid: VIEWER, expirationTime: inHours(-1) }),
    ],
    [
      "an end in a thousand years",
      "INVALID_ARGUMENT",
      ENDS,
      () => bind({ identityUid: guest.uid, roleUid: VIEWER, expirationTime: "3000-01-01T00:00:00Z" }),
    ],
    [
      "one's own end moved",
      "PERMISSION_DENIED",
      ENDS,
      () => change({ expirationTime: inHours(3) }, "expirationTime"),
    ],
    ["one's own end cleared by a mask", "PERMISSION_DENIED", ENDS, () => change({}, "expiration_time")],
    [
      "one's own end cleared by a star",
      "PERMISSION_DENIED",
      ENDS,
      () => change({ identityUid: guest.uid, roleUid: OWNER }, "*"),
    ],
    [
      "the end of a binding that one holds for good, by its role",
      "PERMISSION_DENIED",
      ENDS,
      () =>
        send("roleBindings.update", {
          uid: roleHolder,
          query: { update_mask: "roleUid" },
          body: { roleUid: OWNER },
        }),
    ],
    [
      "a batch whose second role does not end",
      "PERMISSION_DENIED",
      ["requests[1].roleBinding.expirationTime"],
      () => batch(end, undefined),
    ],
    [
      "a batch whose first role ends later",
      "PERMISSION_DENIED",
      ["requests[0].roleBinding.expirationTime"],
      () => batch(inHours(3), end),
    ],
    [
      "an invite, which gives a role for good",
      "PERMISSION_DENIED",
      [],
      () => send("groupInvites.create", { parent: folder, body: { roleUid: VIEWER, ttl: "3600s" } }),
    ],
    [
      "an identity provider whose default role is for good",
      "PERMISSION_DENIED",
      [],
      () =>
        send("identityProviders.create", {
          parent: folder,
          body: BODIES["identityProviders"]!(world, guest, folder),
        }),
    ],
    [
      "another default role",
      "PERMISSION_DENIED",
      [],
      () => send("identityProviders.update", { uid: provider, body: { defaultRole: OWNER } }),
    ],
    [
      "a mapping",
      "PERMISSION_DENIED",
      [],
      () =>
        send("externalGroupRoleMappings.create", {
          parent: provider,
          body: { externalGroupId: "mine", roleUid: VIEWER, scope: organization },
        }),
    ],
    [
      "a SCIM token, with which people are put into mapped groups later",
      "PERMISSION_DENIED",
      [],
      () => send("identityProviders.generateScimToken", { uid: provider, body: {} }),
    ],
    [
      "a SCIM token that ends in time, without an end of what it gives",
      "PERMISSION_DENIED",
      [],
      () => send("identityProviders.generateScimToken", { uid: provider, body: { expireTime: end } }),
    ],
    [
      "a machine that is an owner for good, recognized by one's own key",
      "PERMISSION_DENIED",
      [],
      async () => {
        const { publicKey } = await generateKeyPair("ES256", { extractable: true });
        const issuerKeys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), alg: "ES256" }] });
        return send("identities.update", {
          uid: robot,
          query: { update_mask: "staticKeys" },
          body: { staticKeys: { issuer: "https://mallory.example", subject: "mallory", issuerKeys } },
        });
      },
    ],
    [
      "more capabilities for the role that one holds for good",
      "PERMISSION_DENIED",
      [],
      () =>
        send("roles.update", {
          uid: role,
          query: { update_mask: "capabilities" },
          body: { capabilities: ["groups.list", "role_bindings.create"] },
        }),
    ],
  ];
  test.each(attempts)("%s", async (_name, code, fields, attempt) => {
    const failed = cast.fails(code, fields, attempt as () => ReturnType<typeof send>);
    await expect(failed).resolves.toBeUndefined();
  });

  test("the same over gRPC", async () => {
    for (const binding of [
      { identityUid: guest.uid, roleUid: OWNER },
      { identityUid: guest.uid, roleUid: OWNER, expirationTime: { seconds: "32503680000" } },
    ])
      await expect(
        grpc.call(
          "iam.v2.RoleBindingsService/CreateRoleBinding",
          { parent: folder, roleBinding: binding },
          { token: guest.token },
        ),
      ).rejects.toMatchObject({ code: "expirationTime" in binding ? 3 : 7 });
  });
});

describe("by exchanged tokens and access requests of who holds a role for a time", () => {
  let machine: string;
  let binding: string;
  /** The token of an exchange, limited as its query says. */
  const exchanged = async (query = ""): Promise<Person> => {
    const token = await world.machine("short-lived");
    const answer = await world.service.call("POST", `/sts/exchange?${query}`, { token });
    return { uid: machine, token: (answer.json as Wire)["token"] as string };
  };
  beforeAll(async () => {
    machine = await cast.identity(cast.owner, organization, "short-lived", world.claims("short-lived"));
    const body = { identityUid: machine, roleUid: OWNER, expirationTime: end };
    binding = (await world.make(cast.owner, "roleBindings.create", { parent: organization, body }))["uid"];
    await world.make(guest, "groups.requestGroupAccess", { uid: folder, body: {} });
  });
  const give = (by: Person, body: Wire, parent = folder) =>
    send("roleBindings.create", { parent, body: { identityUid: machine, roleUid: VIEWER, ...body } }, by);
  const attempts: readonly Attempt[] = [
    [
      "a role for good, with the whole token",
      "PERMISSION_DENIED",
      ENDS,
      async () => give(await exchanged(), {}),
    ],
    [
      "a role for good, with a token limited to giving it",
      "PERMISSION_DENIED",
      [],
      async () => give(await exchanged("cap=role_bindings.create"), {}),
    ],
    [
      "a role for a time, with a token limited to giving it",
      "PERMISSION_DENIED",
      [],
      async () => give(await exchanged("cap=role_bindings.create"), { expirationTime: end }),
    ],
    [
      "a role for a time, outside of the scope of the token",
      "PERMISSION_DENIED",
      [],
      async () => give(await exchanged(`scopes=${folder}`), { expirationTime: end }, organization),
    ],
    [
      "a role for good, in the scope of the token",
      "PERMISSION_DENIED",
      ENDS,
      async () => give(await exchanged(`scopes=${folder}`), {}),
    ],
    [
      "the end of the machine's own role moved",
      "PERMISSION_DENIED",
      ENDS,
      async () =>
        send(
          "roleBindings.update",
          {
            uid: binding,
            query: { update_mask: "expirationTime" },
            body: { expirationTime: inHours(3) },
          },
          await exchanged(),
        ),
    ],
    [
      "a request for access with the token of a machine",
      "NOT_FOUND",
      [],
      async () => send("groups.requestGroupAccess", { uid: organization, body: {} }, await exchanged()),
    ],
    [
      "one's own request granted for good",
      "PERMISSION_DENIED",
      ENDS,
      () => bind({ identityUid: guest.uid, roleUid: VIEWER }),
    ],
    [
      "a request declined by who asked for it and may grant nothing",
      "PERMISSION_DENIED",
      [],
      () =>
        send(
          "accessRequests.decline",
          { uid: `${folder}/${"0".repeat(16)}`, body: { reason: "mine" } },
          cast.outsider,
        ),
    ],
  ];
  test.each(attempts)("%s", async (_name, code, fields, attempt) => {
    const failed = cast.fails(code, fields, attempt as () => ReturnType<typeof send>);
    await expect(failed).resolves.toBeUndefined();
  });
});

test("who holds a role for a time gives it for as long, and shortens it", async () => {
  const made = await bind({ identityUid: cast.outsider.uid, roleUid: VIEWER, expirationTime: end });
  expect([made.status, made.json]).toMatchObject([200, { expirationTime: end }]);
  const sooner = inHours(1);
  expect((await change({ expirationTime: sooner })).json).toMatchObject({ expirationTime: sooner });
  // And back to what it was: not by oneself, since one's own access now ends sooner.
  await cast.fails("PERMISSION_DENIED", ENDS, () => change({ expirationTime: end }));
  const back = { uid: held, query: { update_mask: "expirationTime" }, body: { expirationTime: end } };
  expect((await send("roleBindings.update", back, cast.owner)).status).toBe(200);
});

test("what was issued while a role was held for good gives nothing once it ends on a date", async () => {
  const { owner } = cast;
  const deputy = await world.person("deputy");
  const { uid } = await world.bind(owner, folder, deputy.uid, "owner");
  const invite = { parent: folder, body: { roleUid: VIEWER, ttl: "3600s" } };
  const { code } = await world.make(deputy, "groupInvites.create", invite);
  const open = () => world.send(guest.token, "groupInvites.register", { body: { code, validateOnly: true } });
  expect((await open()).status).toBe(200);
  const update = { uid, query: { update_mask: "expirationTime" }, body: { expirationTime: end } };
  await world.make(owner, "roleBindings.update", update);
  expect((await open()).status).toBe(404);
});

test("a token of a directory is not issued to who could not give its mapped roles", async () => {
  const { owner } = cast;
  const manages = ["identity_providers.scim.manage", "identity_providers.list", "groups.list"];
  const clerk = await world.holder(owner, "scim clerk", manages, organization);
  const directory = await openDirectory(world, owner, mapped);
  const { etag } = (await world.make(owner, "identityProviders.get", { uid: mapped }))["scim"] as Wire;
  for (const [verb, body] of [
    ["regenerateScimToken", { etag }],
    ["setScimEnabled", { enabled: true, etag }],
  ] as const)
    await cast.denied(() => send(`identityProviders.${verb}`, { uid: mapped, body }, clerk));
  // Turning it off and revoking the token take something away.
  expect((await send("identityProviders.revokeScimToken", { uid: mapped, body: {} }, clerk)).status).toBe(
    200,
  );
  expect((await directory.call("POST", "/Users", userBody("late"))).status).toBe(401);
  expect((await directory.call("PATCH", "/Users/x", patchOf())).status).toBe(401);
  expect((await send("externalGroupRoleMappings.get", { uid: mapping }, owner)).status).toBe(200);
});
