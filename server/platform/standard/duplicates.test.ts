import { afterAll, beforeAll, expect, test } from "vitest";

import type { Caller } from "../access/caller";
import { TestStore, type Wire } from "../../testing/store";

let store: TestStore;
let owner: Caller;
let organization: string;

beforeAll(async () => {
  store = await TestStore.open();
  ({ uid: organization, owner } = await store.organization("acme"));
});
afterAll(() => store.database.close());

const create = (name: string): Promise<Wire> =>
  store.call(owner, "repos.create", { parent: organization, body: { name } });

test("a name that is taken in the group is told on its field, with the repo to whoever may see it", async () => {
  const first = await create("nginx");
  const sentence = "a repo with this name already exists in this group";
  const body = { name: "nginx" };
  const refused = await store.refusal(owner, "repos.create", { parent: organization, body });
  expect(refused).toMatchObject({
    name: "ALREADY_EXISTS",
    message: `Already exists: ${sentence}`,
    violations: [{ field: "name", description: sentence }],
  });
  const { resourceType, resourceName } = refused.resource ?? {};
  expect([resourceType, resourceName]).toEqual(["registry.platform.example/Repo", first["uid"]]);
  const { uid } = await create("renamed");
  const again = await store.refusal(owner, "repos.update", { uid, body });
  expect(again).toEqual(refused);
  const { uid: roleUid } = await store.call(owner, "roles.create", {
    parent: organization,
    body: { name: "maker", capabilities: ["repo.create"] },
  });
  const maker = await store.member("maker", roleUid, [organization], owner);
  const blind = await store.refusal(maker, "repos.create", { parent: organization, body });
  expect(blind).toEqual({ ...refused, resource: undefined });
});
