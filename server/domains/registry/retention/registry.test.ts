import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

import { eventually, RegistryFixture } from "../../../conformance/registry-fixture";
import type { Wire } from "../../../conformance/world";
import { OCI_MANIFEST, putImage } from "../../../testing/registry";

let fixture: RegistryFixture;
beforeAll(async () => {
  fixture = await RegistryFixture.open();
});
afterEach(() => {
  fixture.registry.instead = undefined;
});
afterAll(() => fixture.close());

const DAY = 86_400_000;
const there = (name: string): string[] => [
  ...(fixture.registry.repositories.get(`acme-inc/${name}`)?.tags.keys() ?? []),
];
const digestThere = (name: string, tag: string): string =>
  fixture.registry.repositories.get(`acme-inc/${name}`)?.tags.get(tag) ?? "";

/** A repo with these tags in the registry, each of its own image, known here for 90 days; pulls are counted as long. */
async function pushed(name: string, tags: readonly string[]): Promise<string> {
  const repo = await fixture.repo(name);
  for (const tag of tags) putImage(fixture.registry, `acme-inc/${name}`, { tag, content: `${name} ${tag}` });
  for (const tag of tags) await fixture.pushed(`acme-inc/${name}`, tag);
  await eventually(async () => Object.keys(await fixture.tags(repo)).length === tags.length);
  const past = new Date(Date.now() - 90 * DAY);
  const { database } = fixture.world.service;
  await database.query("update tags set updated_at = $2 where parent = $1", [repo, past]);
  await database.query("update registry_usage_start set started_at = $1", [past]);
  return repo;
}
async function started(repo: string, body: Wire): Promise<void> {
  const { world, owner } = fixture;
  await world.make(owner, "retentionRules.set", { uid: repo, body });
  const { previewToken, version } = await world.make(owner, "retentionDecisions.list", { uid: repo });
  await world.make(owner, "retentionRules.confirm", { uid: repo, body: { previewToken, version } });
}
const runOf = async (repo: string): Promise<Wire | undefined> => {
  const { world, owner } = fixture;
  const { retentionRuns = [] } = await world.make(owner, "retentionRuns.list", {
    query: { "uidp.descendants_of": repo },
  });
  return (retentionRuns as Wire[]).find((run) => run["endTime"]);
};
const deletionsOf = async (run: string): Promise<Wire[]> =>
  (await fixture.world.make(fixture.owner, "retentionDeletions.list", { uid: run }))["retentionDeletions"];

test("what was pulled stays, by its name or by its digest, and what goes is gone in the registry too", async () => {
  const { world, owner } = fixture;
  const repo = await pushed("pulled", ["by-name", "by-digest", "unused", "unused-too"]);
  let sent = 0;
  const pull = (target: Wire): Wire => ({
    id: `pull-${(sent += 1)}`,
    timestamp: new Date().toISOString(),
    action: "pull",
    target: { repository: "acme-inc/pulled", mediaType: OCI_MANIFEST, ...target },
    request: { method: "GET" },
    actor: { name: owner.uid },
  });
  await fixture.notify([
    pull({ tag: "by-name", digest: digestThere("pulled", "by-name") }),
    pull({ digest: digestThere("pulled", "by-digest") }),
  ]);
  await world.service.writeCounts();
  // The rule does not ask for pulls: what is used stays nevertheless.
  await world.make(owner, "retentionRules.set", { uid: repo, body: { olderThanDays: 30 } });
  const { retentionDecisions } = await world.make(owner, "retentionDecisions.list", { uid: repo });
  expect(Object.fromEntries((retentionDecisions as Wire[]).map(({ name, why }) => [name, why]))).toEqual({
    "by-name": "Its image was downloaded within 30 days",
    "by-digest": "Its image was downloaded within 30 days",
    unused: "Not updated for 90 days",
    "unused-too": "Not updated for 90 days",
  });
  await started(repo, { notPulledDays: 30 });
  await eventually(async () => (await runOf(repo)) !== undefined, 30);
  expect(await runOf(repo)).toMatchObject({ deletions: 2, failures: 0 });
  expect(there("pulled").toSorted()).toEqual(["by-digest", "by-name"]);
  expect(Object.keys(await fixture.tags(repo)).toSorted()).toEqual(["by-digest", "by-name"]);
});

test("a tag is restored in the registry too, as long as the registry has its image", async () => {
  const { world, owner, registry } = fixture;
  const repo = await pushed("restored", ["here", "gone"]);
  const [here, gone] = [digestThere("restored", "here"), digestThere("restored", "gone")];
  await started(repo, { olderThanDays: 30 });
  await eventually(async () => (await runOf(repo)) !== undefined, 30);
  const run = (await runOf(repo))!["uid"] as string;
  // What a registry does that collects what has no tag.
  registry.repositories.get("acme-inc/restored")?.manifests.delete(gone);
  const deletionUids = (await deletionsOf(run)).map(({ uid }) => uid);
  const restore = async (more: Wire = {}) =>
    Object.fromEntries(
      (
        (await world.make(owner, "retentionRuns.restore", { uid: run, body: { deletionUids, ...more } }))[
          "outcomes"
        ] as Wire[]
      ).map(({ name, restored, refusal }) => [name, restored ?? refusal]),
    );
  const outcome = { here: true, gone: "The registry no longer has the image." };
  expect(await restore({ validateOnly: true })).toEqual(outcome);
  expect(there("restored")).toEqual([]);
  expect(await restore()).toEqual(outcome);
  expect([digestThere("restored", "here"), await fixture.tags(repo)]).toEqual([here, { here }]);
});

test("a run waits for a registry that does not answer", async () => {
  const { registry } = fixture;
  const repo = await pushed("waits", ["old"]);
  let asked = 0;
  registry.instead = (_request, response) => {
    asked += 1;
    response.writeHead(500).end();
    return true;
  };
  await started(repo, { olderThanDays: 30 });
  // For the tag, and whether it answers at all.
  await eventually(async () => asked > 1, 30);
  expect(await runOf(repo)).toBeUndefined();
  expect(Object.keys(await fixture.tags(repo))).toEqual(["old"]);
  registry.instead = undefined;
  // Another rule wakes it.
  const other = await pushed("other", ["old"]);
  await started(other, { olderThanDays: 30 });
  await eventually(async () => (await runOf(repo)) !== undefined, 30);
  expect(there("waits")).toEqual([]);
});
