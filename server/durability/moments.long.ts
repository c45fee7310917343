import { afterAll, beforeAll, expect, test } from "vitest";
import { setTimeout as sleep } from "node:timers/promises";

import { World } from "../conformance/world";
import { Changing } from "./moments";

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.service.stop());

test("after 500 random operations, a hundred random moments answer as they did then, byte for byte", async () => {
  const changing = await Changing.open(world, Number(process.env["SEED_OF_MOMENTS"] ?? 500));
  await changing.run(500);
  expect(await changing.compare(100)).toBeGreaterThan(1_500);
  expect(await changing.contrast(30)).toBeGreaterThan(500);
  // Each kind of operation took part.
  const kinds = ["groups", "identities", "roles", "roleBindings", "repos", "tags"];
  for (const kind of kinds) {
    expect(changing.done.get(`create ${kind}`) ?? 0, kind).toBeGreaterThan(5);
    expect(changing.done.get(`delete ${kind}`) ?? 0, kind).toBeGreaterThan(2);
  }
  for (const what of ["delete a whole folder", "move tags", "write a readme", "update groups", "undo roles"])
    expect(changing.done.get(what) ?? 0, what).toBeGreaterThan(0);
}, 1_800_000);

/** A time, and perhaps another that it is compared with. */
interface Times {
  readonly read_time: string;
  readonly compare_time?: string;
}

/** Milliseconds of a page of tags and one of role bindings as of a time, the median of five. */
async function cost(token: string, time: Times, organization: string): Promise<number[]> {
  const found: number[] = [];
  for (const collection of ["tags", "roleBindings"]) {
    const times: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      const started = performance.now();
      const query = { "uidp.descendants_of": organization, order_by: "name", ...time };
      const answer = await world.send(token, `${collection}.list`, { query });
      expect(answer.status, answer.bytes.toString()).toBe(200);
      times.push(performance.now() - started);
    }
    found.push(Math.round(times.toSorted((a, b) => a - b)[2] ?? 0));
  }
  return found;
}

test("what 10,000 changes since the moment cost a page is bounded", async () => {
  const owner = await world.person("owner of many");
  const organization = await world.create(owner, "groups", "", { name: "many" });
  const repo = await world.create(owner, "repos", organization, { name: "many" });
  const digest = `sha256:${"a".repeat(64)}`;
  const { database } = world.service;
  await database.query(
    `insert into tags (uid, parent, name, digest, created_at, updated_at)
     select $1 || '/' || lpad(to_hex(n), 16, '0'), $1, 'tag-' || n, $2, now(), now() from generate_series(1, 5000) n`,
    [repo, digest],
  );
  await sleep(5);
  const moment = new Date().toISOString();
  await sleep(5);
  // Each in a transaction of its own.
  for (let n = 1; n <= 10_000; n += 1)
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await database.query(
      "update tags set digest = 'sha256:' || lpad(to_hex($2::int), 64, '0'), updated_at = now() where uid = $1",
      [`${repo}/${((n % 5_000) + 1).toString(16).padStart(16, "0")}`, n],
    );
  const now = new Date().toISOString();
  const [before, after, both] = [
    await cost(owner.token, { read_time: moment }, organization),
    await cost(owner.token, { read_time: now }, organization),
    await cost(owner.token, { read_time: moment, compare_time: now }, organization),
  ];
  console.info(
    `ms for a page of tags and of role bindings: ${before.join(", ")} with 10,000 changes since, ${after.join(", ")} with none, ${both.join(", ")} compared`,
  );
  expect(Math.max(...before, ...both)).toBeLessThan(5_000);
  const { json } = await world.send(owner.token, "tags.list", {
    query: { "uidp.children_of": repo, name: "tag-1", read_time: moment },
  });
  expect((json["tags"] as { digest: string }[])[0]?.digest).toBe(digest);
}, 1_800_000);
