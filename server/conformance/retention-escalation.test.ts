import { afterAll, beforeAll, expect, test } from "vitest";

import { sha256 } from "../testing/registry";
import { AttackFixture } from "./attack-fixture";
import type { Person, Wire, World } from "./world";

let cast: AttackFixture;
let world: World;
let owner: Person;
let organization: string;
let folder: string;
let sibling: string;
let repo: string;
let beside: string;

beforeAll(async () => {
  cast = await AttackFixture.open();
  ({ world, owner, organization, folder, sibling } = cast);
  repo = await world.create(owner, "repos", folder, { name: "ours" });
  beside = await world.create(owner, "repos", sibling, { name: "theirs" });
  for (const one of [repo, beside])
    await world.create(owner, "tags", one, { name: "old", digest: sha256("old") });
  await world.service.database.query("update tags set updated_at = now() - interval '90 days'");
});
afterAll(() => world.service.stop());

const RULE = { olderThanDays: 30 };
const READS = ["groups.list", "repo.list", "tag.list"];
const all = async (): Promise<number> =>
  Number(
    (await world.make(owner, "tags.list", { query: { "uidp.descendants_of": organization } }))["totalCount"],
  );
const tokenOf = async (by: Person, uid: string): Promise<Wire> => {
  const { previewToken, version } = await world.make(by, "retentionDecisions.list", { uid });
  return { previewToken, version };
};

test("who cannot delete tags sets, confirms, stops and deletes no rule", async () => {
  await world.make(owner, "retentionRules.set", { uid: repo, body: RULE });
  const creator = await world.holder(
    owner,
    "creator",
    [...READS, "tag.create", "repo.update", "repo.delete"],
    folder,
  );
  const body = await tokenOf(creator, repo);
  for (const [id, sent] of [
    ["retentionRules.set", RULE],
    ["retentionRules.confirm", body],
    ["retentionRules.stop", {}],
    ["retentionRules.delete", undefined],
  ] as const)
    await cast.denied(() => world.send(creator.token, id, { uid: repo, ...(sent && { body: sent }) }));
  // Nor with the preview of somebody who can, nor for an owner with theirs.
  await cast.fails("FAILED_PRECONDITION", [], () =>
    world.send(owner.token, "retentionRules.confirm", { uid: repo, body }),
  );
  expect(await all()).toBe(2);
});

test("who can delete tags in one folder rules over no other", async () => {
  const keeper = await world.holder(owner, "keeper", [...READS, "tag.delete"], folder);
  for (const uid of [organization, sibling, beside])
    await cast.denied(() => world.send(keeper.token, "retentionRules.set", { uid, body: RULE }));
  await world.make(owner, "retentionRules.set", { uid: beside, body: RULE });
  await cast.denied(() => world.send(keeper.token, "retentionDecisions.list", { uid: beside }));
  // A confirmed rule of their own folder leaves the other alone.
  await world.make(keeper, "retentionRules.set", { uid: folder, body: RULE });
  await world.make(owner, "retentionRules.delete", { uid: repo });
  await world.make(keeper, "retentionRules.confirm", { uid: folder, body: await tokenOf(keeper, folder) });
  await expect.poll(all, { timeout: 10_000 }).toBe(1);
  const { tags } = await world.make(owner, "tags.list", { query: { "uidp.children_of": beside } });
  expect(tags).toHaveLength(1);
  const { retentionRules } = await world.make(keeper, "retentionRules.list");
  expect((retentionRules as Wire[]).map(({ uid }) => uid)).toEqual([folder]);
  // They can delete tags, and create none: not even by restoring.
  const { retentionRuns } = await world.make(keeper, "retentionRuns.list");
  const run = (retentionRuns as Wire[])[0]!["uid"] as string;
  const { retentionDeletions } = await world.make(keeper, "retentionDeletions.list", { uid: run });
  const deletionUids = (retentionDeletions as Wire[]).map(({ uid }) => uid);
  expect(deletionUids).toHaveLength(1);
  await cast.denied(() =>
    world.send(keeper.token, "retentionRuns.restore", { uid: run, body: { deletionUids } }),
  );
  // Nor does a run of one's own restore what another deleted.
  const maker = await world.holder(owner, "maker", [...READS, "tag.create"], sibling);
  await world.service.database.query(
    `insert into retention_runs (uid, parent, group_uid, version, settings, created_at, ended_at)
     values ($1 || '/0000000000000000', $1, $1, 1, '{"olderThanDays": 30}', now(), now())`,
    [sibling],
  );
  const answer = await world.make(maker, "retentionRuns.restore", {
    uid: `${sibling}/${"0".repeat(16)}`,
    body: { deletionUids },
  });
  expect(answer["outcomes"]).toMatchObject([{ refusal: "This run has no such deletion." }]);
  expect(await all()).toBe(1);
});

test("the rule of a folder above is told without people and places to who sees nothing there", async () => {
  await world.make(owner, "retentionRules.set", { uid: organization, body: RULE });
  const reader = await world.holder(owner, "reader", READS, sibling);
  await world.make(owner, "retentionRules.delete", { uid: beside });
  const { rule } = await world.make(reader, "retentionRules.effective", { uid: beside });
  expect(rule).toMatchObject({ uid: organization, sentence: "Deletes tags not updated for 30 days." });
  for (const field of ["setBy", "setByName", "placeName", "confirmedBy"])
    expect(rule).not.toHaveProperty(field);
  for (const id of ["retentionRules.list", "retentionRuns.list"])
    expect(Object.values(await world.make(reader, id))[0] ?? []).not.toContainEqual(
      expect.objectContaining({ uid: organization }),
    );
});

test("who cannot see when something was pulled makes no rule by it", async () => {
  const keeper = await world.holder(owner, "keeper of pulls", [...READS, "tag.delete"], folder);
  const { status } = await world.send(keeper.token, "retentionRules.set", {
    uid: repo,
    body: { notPulledDays: 30 },
  });
  // Without a registry nobody does.
  expect(status).toBe(400);
});

test("a stranger learns of no rule", async () => {
  for (const id of ["retentionRules.effective", "retentionDecisions.list", "retentionDeletions.list"]) {
    const [one, other] = await Promise.all(
      [folder, `${folder}/${"0".repeat(16)}`].map((uid) => world.send(cast.stranger.token, id, { uid })),
    );
    expect([one!.status, other!.status]).toEqual([403, 403]);
  }
});
