import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

import { putImage } from "../testing/registry";
import { eventually, RegistryFixture } from "./registry-fixture";

let fixture: RegistryFixture;
beforeAll(async () => {
  fixture = await RegistryFixture.open();
});
afterEach(() => {
  fixture.registry.instead = undefined;
  fixture.registry.deletesTags = false;
});
afterAll(() => fixture.close());

/** A repo with these tags in the registry, known here. */
async function pushed(name: string, tags: readonly string[]): Promise<string> {
  const repo = await fixture.repo(name);
  for (const tag of tags) putImage(fixture.registry, `acme-inc/${name}`, { tag, content: name });
  for (const tag of tags) await fixture.pushed(`acme-inc/${name}`, tag);
  await eventually(async () => Object.keys(await fixture.tags(repo)).length === tags.length);
  return repo;
}
const tagsThere = (name: string): string[] => [
  ...(fixture.registry.repositories.get(`acme-inc/${name}`)?.tags.keys() ?? []),
];

test.each([true, false])(
  "a deleted repo does not come back, and what another repo's tag names stays; by tag: %s",
  async (byTag) => {
    const { registry, world, owner } = fixture;
    registry.deletesTags = byTag;
    const [name, other] = [`whole-${byTag}`, `other-${byTag}`];
    const repo = await pushed(name, ["1.0", "1.1"]);
    const content = { tag: "kept", content: name };
    const { digest } = putImage(registry, `acme-inc/${other}`, content);
    // Nobody told the service of this one.
    putImage(registry, `acme-inc/${name}`, { tag: "past-the-service", content: "unknown" });
    await world.make(owner, "repos.delete", { uid: repo });
    expect(tagsThere(name)).toEqual([]);
    await fixture.compare();
    const { repos = [] } = await world.make(owner, "repos.list", { query: { name } });
    expect(repos).toEqual([]);
    expect(registry.repositories.get(`acme-inc/${other}`)?.tags.get("kept")).toBe(digest);
  },
);

test("a deletion that is only checked deletes nothing in the registry", async () => {
  const { world, owner } = fixture;
  const repo = await pushed("checked", ["1.0"]);
  const query = { validateOnly: "true" };
  const { tags = [] } = await world.make(owner, "tags.list", { query: { "uidp.children_of": repo } });
  await world.make(owner, "tags.delete", { uid: tags[0]["uid"], query });
  await world.make(owner, "repos.delete", { uid: repo, query });
  expect(tagsThere("checked")).toEqual(["1.0"]);
});

test("a repo stays if the registry does not answer, or has more tags than somebody would wait for", async () => {
  const { registry, world, owner } = fixture;
  const repo = await pushed("stays", ["1.0"]);
  registry.instead = (_request, response) => {
    response.writeHead(500).end();
    return true;
  };
  expect((await world.send(owner.token, "repos.delete", { uid: repo })).status).toBe(503);
  registry.instead = undefined;
  for (let index = 0; index < 201; index += 1)
    putImage(registry, "acme-inc/stays", { tag: `t${index}`, content: "same" });
  const refused = await world.send(owner.token, "repos.delete", { uid: repo });
  expect([refused.status, refused.json.message]).toEqual([
    400,
    expect.stringContaining("delete tags until at most 200 are left"),
  ]);
  expect(tagsThere("stays")).toHaveLength(202);
  expect(await fixture.tags(repo)).toHaveProperty("1.0");
});

test("a registry that hangs holds none of its caller's turns at the database", async () => {
  const { registry, world, owner } = fixture;
  const repo = await pushed("hangs", ["a", "b", "c"]);
  const { tags } = await world.make(owner, "tags.list", { query: { "uidp.children_of": repo } });
  const hanging: (() => void)[] = [];
  registry.instead = (_request, response) => {
    hanging.push(() => response.writeHead(500).end());
    return true;
  };
  const deletions = (tags as { uid: string }[]).map(({ uid }) =>
    world.send(owner.token, "tags.delete", { uid }),
  );
  await eventually(async () => hanging.length >= 2);
  const start = performance.now();
  await Promise.all(Array.from({ length: 4 }, () => world.make(owner, "groups.list")));
  expect(performance.now() - start).toBeLessThan(4_000);
  registry.instead = (_request, response) => {
    response.writeHead(500).end();
    return true;
  };
  for (const end of hanging) end();
  expect((await Promise.all(deletions)).map(({ status }) => status)).toEqual([503, 503, 503]);
  expect(Object.keys(await fixture.tags(repo))).toHaveLength(3);
});
