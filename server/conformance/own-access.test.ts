import { afterAll, beforeAll, expect, test } from "vitest";

import { World, type Person } from "./world";

let world: World;
let owner: Person;
let organization: string;

beforeAll(async () => {
  world = await World.open();
  owner = await world.person("founder");
  organization = await world.create(owner, "groups", "", { name: "organization" });
});
afterAll(() => world.service.stop());

test("people without role_bindings.list and roles.list read their own bindings and roles, and no others", async () => {
  const auditor = await world.holder(owner, "auditor", ["CAP_IAM_GROUPS_LIST"], organization);
  const read = async (id: string, query: Record<string, string>) => {
    const answer = await world.make(auditor, id, { query });
    return answer[id.split(".")[0] as string] as { uid: string; roleUid?: string; capabilities?: string[] }[];
  };

  const [own, ...rest] = await read("roleBindings.list", { identity: auditor.uid });
  expect(rest).toEqual([]);
  const roleUid = own?.roleUid ?? "";
  const [role] = await read("roles.list", { "uidp.ids": roleUid });
  expect(role?.capabilities).toEqual(["CAP_IAM_GROUPS_LIST"]);

  expect(await read("roleBindings.list", { identity: owner.uid })).toEqual([]);
  expect(await read("roleBindings.list", {})).toEqual([]);
  expect(await read("roleBindings.list", { group: organization })).toEqual([]);
  const other = await world.create(owner, "roles", organization, {
    name: "other",
    capabilities: ["CAP_IAM_GROUPS_LIST"],
  });
  expect(await read("roles.list", { "uidp.ids": other })).toEqual([]);
  expect(await read("roles.list", {})).toEqual([]);

  // A built-in role is in no organization.
  const puller = await world.person("puller");
  const { roles: found } = await world.make(owner, "roles.list", {
    query: { name: "registry.pull", "uidp.in_root": "true" },
  });
  await world.bind(owner, organization, puller.uid, "registry.pull");
  const builtIn = found[0].uid as string;
  const seen = await world.make(puller, "roles.list", { query: { "uidp.ids": builtIn } });
  expect(seen["roles"]).toHaveLength(1);
});
