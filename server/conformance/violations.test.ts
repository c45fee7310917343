import { afterAll, beforeAll, expect, test } from "vitest";

import { Ground, invalid } from "./ground";
import { fieldsOf, type Person, type Wire, type World } from "./world";

// A response lists all violations, and an update is only validated for what it changes.
let world: World;
let owner: Person;
let folder: string;

beforeAll(async () => {
  const ground = await Ground.open();
  ({ world, owner, folder } = ground);
});
afterAll(() => world.service.stop());

const send = (id: string, input: Wire) => world.send(owner.token, id, input);
const make = (collection: string, body: Wire) => world.create(owner, collection, folder, body);

test("unknown keys, unknown mask paths, wrong query and wrong body are told together", async () => {
  const repo = await make("repos", { name: "together" });
  const body = { name: "Not A Name", activeTags: 7 };
  invalid(
    await send("repos.update", { uid: repo, query: { updateMask: "name,nothing,name.x,activeTags" }, body }),
    ["updateMask", "name", "activeTags"],
  );
  invalid(await send("repos.update", { uid: repo, body: { ...body, nothing: 1 } }), [
    "nothing",
    "name",
    "activeTags",
  ]);
  const twice = `/registry/v2/repos/${repo}?updateMask=name&update_mask=name`;
  const doubled = { active_tags: [], activeTags: [], name: "Not A Name" };
  const both = await world.service.call("PATCH", twice, { ...owner, body: doubled });
  invalid(both, ["updateMask", "activeTags", "name"]);
  const headers = { "content-type": "application/json" };
  const broken = await world.service.call("PATCH", twice, { ...owner, headers, body: "{" });
  invalid(broken, ["updateMask"]);
  expect(broken.json.message).toMatch(/^Invalid argument: updateMask: .*; the body must be a JSON object$/);
  const created = { parent: folder, body: { name: "No!", active_tags: [], activeTags: [] } };
  invalid(await send("repos.create", created), ["activeTags", "name"]);
  invalid(
    await send("repos.updateReadme", { uid: repo, query: { updateMask: "content,x" }, body: { content: 7 } }),
    ["content", "updateMask"],
  );
  invalid(await send("repos.list", { query: { order_by: "nothing", page_size: "x" } }), [
    "page_size",
    "order_by",
  ]);
});

test("fields that cannot be read are refused although nothing else is wrong, and nothing is written", async () => {
  const repo = await make("repos", { name: "unread" });
  await world.unchanged(async () => {
    const body = { description: "new", active_tags: ["1"], activeTags: ["1"] };
    invalid(await send("repos.update", { uid: repo, body }), ["activeTags"]);
    invalid(await send("repos.create", { parent: folder, body: { ...body, name: "other" } }), ["activeTags"]);
    invalid(await send("repos.update", { uid: `${folder}/${"f".repeat(16)}`, body }), ["activeTags"]);
  });
});

test("a mask takes every key in both spellings", async () => {
  const uid = await make("repos", { name: "spelled" });
  const source = await make("repos", { name: "source" });
  const sync_config = { source };
  for (const updateMask of ["syncConfig", "sync_config", "syncConfig.source", "sync_config.source"]) {
    const answer = await send("repos.update", { uid, query: { updateMask }, body: { sync_config } });
    expect([updateMask, answer.status, answer.json["sync_config"]]).toMatchObject([
      updateMask,
      200,
      { source },
    ]);
    await world.make(owner, "repos.update", { uid, query: { updateMask: "syncConfig" }, body: {} });
  }
});

test("keys inside the items of a list: known ones in both spellings, unknown ones are refused", async () => {
  const uid = await make("repos", { name: "overlaid" });
  for (const key of ["groupname", "groupName", "group_name"]) {
    const overlay = { accounts: { groups: [{ [key]: "web", gid: 1 }] } };
    const { customOverlay } = await world.make(owner, "repos.update", {
      uid,
      body: { customOverlay: overlay },
    });
    expect(customOverlay.accounts.groups).toEqual([{ groupname: "web", gid: 1 }]);
  }
  await world.unchanged(async () => {
    const customOverlay = { accounts: { users: [{ username: "a", nme: "x" }], grps: [] } };
    for (const [updateMask, ...fields] of [
      ["", "customOverlay.accounts.grps", "customOverlay.accounts.users[0].nme"],
      ["customOverlay", "customOverlay.accounts.users[0].nme", "customOverlay.accounts.grps"],
      ["customOverlay.accounts.users", "customOverlay.accounts.users[0].nme"],
    ] as const) {
      const answer = await send("repos.update", { uid, query: { updateMask }, body: { customOverlay } });
      expect([updateMask, ...fieldsOf(answer)]).toEqual([updateMask, ...fields]);
    }
  });
});

test("what an older rule let in blocks no change of something else", async () => {
  const { database } = world.service;
  const group = await make("groups", { name: "short" });
  await database.query("update groups set name = 'go' where uid = $1", [group]);
  const described = { uid: group, body: { description: "Go services" } };
  expect(await world.make(owner, "groups.update", described)).toMatchObject({
    name: "go",
    ...described.body,
  });
  invalid(await send("groups.update", { uid: group, body: { name: "gö" } }), ["name"]);
  invalid(await send("groups.update", { uid: group, body: { name: "go" } }), ["name"]);

  const bot = await make("identities", { name: "old", ...world.claims("old") });
  const definition = JSON.stringify({
    issuer: "a",
    audience: "a",
    audiencePattern: "b",
    subjectPattern: "(",
  });
  await database.query("update identities set name = 'OLD', definition = $2 where uid = $1", [
    bot,
    definition,
  ]);
  await world.make(owner, "identities.update", { uid: bot, body: { description: "still here" } });
  // Rules across fields apply to the whole record: violations caused by this update are rejected, earlier ones are not.
  invalid(
    await send("identities.update", { uid: bot, body: { claimMatch: { subject: "", subjectPattern: "" } } }),
    ["claimMatch.subject"],
  );
  invalid(await send("identities.update", { uid: bot, body: { staticKeys: { subject: "s" } } }), [
    "staticKeys.issuer",
    "staticKeys.issuerKeys",
  ]);
  await world.unchanged(async () => {
    const { issuer } = world.service.config;
    invalid(await send("identities.update", { uid: bot, body: { claimMatch: { issuer } } }), [
      "claimMatch.issuer",
    ]);
  });
});
