import { afterAll, beforeAll, describe, test } from "vitest";

import { builtInRoleUid } from "../domains/access/roles.table";
import { AttackFixture } from "./attack-fixture";
import type { Person, Wire, World } from "./world";

/** Attempts to gain privileges by configuring who else can sign in, and what they get. */

const OWNER = builtInRoleUid("owner");
const VIEWER = builtInRoleUid("viewer");
const MANAGE = ["create", "update", "list", "delete"].map((verb) => `identity_providers.${verb}`);
const OIDC = { issuer: "https://idp.example", clientId: "platform", pkceEnabled: true };

let cast: AttackFixture;
let world: World;
let owner: Person;
let organization: string;
let folder: string;
let sibling: string;
/** Can manage the folder's providers, bind roles there and view it; nothing else. */
let manager: Person;
/** The same, but cannot bind roles. */
let noBinder: Person;
/** Providers in the folder: one grants ownership, one grants viewing, and one has a mapping that grants ownership. */
let strong: string;
let weak: string;
let mapped: string;
let mapping: string;
let elsewhere: { group: string; role: string };

const provider = (by: Person, parent: string, defaultRole: string, more: Wire = {}) =>
  world.create(by, "identityProviders", parent, { name: "provider", defaultRole, oidc: OIDC, ...more });

beforeAll(async () => {
  cast = await AttackFixture.open();
  ({ world, owner, organization, folder, sibling } = cast);
  manager = await world.holder(owner, "manager", [...MANAGE, "role_bindings.create"], folder);
  noBinder = await world.holder(owner, "no binder", MANAGE, folder);
  for (const { uid } of [manager, noBinder]) await world.bind(owner, folder, uid, "viewer");
  [strong, weak, mapped] = [
    await provider(owner, folder, OWNER),
    await provider(manager, folder, VIEWER),
    await provider(owner, folder, VIEWER),
  ];
  mapping = await world.create(owner, "externalGroupRoleMappings", mapped, {
    externalGroupId: "admins",
    roleUid: OWNER,
    scope: organization,
  });
  elsewhere = await cast.elsewhere();
});
afterAll(() => world.service.stop());

const create = ({ token }: Person, parent: string, body: Wire) =>
  world.send(token, "identityProviders.create", {
    parent,
    body: { name: "mine", defaultRole: VIEWER, oidc: OIDC, ...body },
  });
const patch = ({ token }: Person, uid: string, body: Wire, query = {}) =>
  world.send(token, "identityProviders.update", { uid, body, query });
const map = ({ token }: Person, parent: string, body: Wire) =>
  world.send(token, "externalGroupRoleMappings.create", {
    parent,
    body: { externalGroupId: "everybody", roleUid: VIEWER, scope: organization, ...body },
  });

describe("by default roles", () => {
  test("a provider that makes everybody an owner", () =>
    cast.denied(() => create(manager, folder, { defaultRole: OWNER })));

  test("a default role exchanged for owner, in either spelling and by a mask", async () => {
    await cast.denied(() => patch(manager, weak, { defaultRole: OWNER }));
    await cast.denied(() => patch(manager, weak, { default_role: OWNER }, { update_mask: "default_role" }));
    await cast.denied(() =>
      patch(manager, weak, { name: "mine", defaultRole: OWNER, oidc: OIDC }, { updateMask: "*" }),
    );
    await cast.invalid("defaultRole", () =>
      patch(manager, weak, { defaultRole: VIEWER, default_role: OWNER }),
    );
  });

  test("a provider above or beside what one manages", async () => {
    for (const group of [organization, sibling]) await cast.denied(() => create(manager, group, {}));
  });

  test("a role of another organization, in the same words as one that is not there", async () => {
    for (const role of [elsewhere.role, `${elsewhere.group}/${"0".repeat(16)}`])
      await cast.invalid("defaultRole", () => create(owner, folder, { defaultRole: role }));
  });

  test("a provider with a strong default role led to an issuer, a client or a scope of one's own", async () => {
    for (const oidc of [
      { issuer: "https://mallory.example" },
      { clientId: "mallory" },
      { groupsClaim: "nickname" },
      { additionalScopes: ["mallory"] },
    ]) {
      await cast.denied(() => patch(manager, strong, { oidc }));
      await cast.denied(() => patch(manager, strong, { oidc: { ...OIDC, ...oidc } }, { updateMask: "oidc" }));
    }
  });

  test("a provider made or led elsewhere by who may not bind roles", async () => {
    await cast.denied(() => create(noBinder, folder, {}));
    await cast.denied(() => patch(noBinder, weak, { oidc: { issuer: "https://mallory.example" } }));
    await cast.denied(() => patch(noBinder, weak, { name: "renamed" }));
  });

  test("this service as its own provider", () =>
    cast.invalid("oidc.issuer", () =>
      create(owner, folder, { oidc: { ...OIDC, issuer: world.service.config.issuer } }),
    ));
});

describe("by mappings", () => {
  test("a role that is held in the folder, mapped for the organization", () =>
    cast.denied(() => map(manager, weak, {})));

  test("ownership of the organization for a group of one's own", () =>
    cast.denied(() => map(manager, weak, { roleUid: OWNER })));

  test("a role that is held in the organization by who may bind roles in the folder alone", async () => {
    await world.bind(owner, organization, manager.uid, "viewer");
    await cast.denied(() => map(manager, weak, {}));
    await world.make(owner, "roleBindings.delete", {
      uid: (
        await world.make(owner, "roleBindings.list", {
          query: { identity: manager.uid, group: organization },
        })
      )["roleBindings"][0].uid,
    });
  });

  test("a scope below, beside or in another organization", async () => {
    for (const scope of [folder, sibling, elsewhere.group])
      await cast.invalid("scope", () => map(owner, weak, { scope }));
  });

  test("a role of a folder or of another organization", async () => {
    const { role } = await world.holder(owner, "folder role", ["groups.list"], folder);
    for (const roleUid of [role, elsewhere.role, `${organization}/${"0".repeat(16)}`])
      await cast.invalid("roleUid", () => map(owner, weak, { roleUid }));
  });

  test("a mapping changed: its role to a stronger one, its group to one's own", async () => {
    const uid = await world.create(owner, "externalGroupRoleMappings", weak, {
      externalGroupId: "readers",
      roleUid: VIEWER,
      scope: organization,
    });
    const change = (by: Person, body: Wire, query = {}) =>
      world.send(by.token, "externalGroupRoleMappings.update", { uid, body, query });
    await cast.denied(() => change(manager, { roleUid: OWNER }));
    await cast.denied(() => change(manager, { role_uid: OWNER }, { updateMask: "*" }));
    await cast.invalid("externalGroupId", () => change(owner, { externalGroupId: "mallory" }));
    await cast.invalid("scope", () => change(owner, { scope: folder }));
    await world.make(owner, "externalGroupRoleMappings.delete", { uid });
  });

  test("a provider whose groups own the organization led to who says which groups there are", async () => {
    for (const oidc of [{ issuer: "https://mallory.example" }, { groupsClaim: "nickname" }])
      await cast.denied(() => patch(manager, mapped, { oidc }));
  });

  test("a mapping of another organization, read or removed", async () => {
    for (const verb of ["get", "delete"])
      await cast.denied(() =>
        world.send(cast.stranger.token, `externalGroupRoleMappings.${verb}`, { uid: mapping }),
      );
  });
});
