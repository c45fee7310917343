import { afterAll, beforeAll, expect, test } from "vitest";

import { writeFailedComparison } from "../domains/registry/registry-sync.table";
import { OCI_MANIFEST, putImage, sha256 } from "../testing/registry";
import { eventually, RegistryFixture } from "./registry-fixture";
import type { Wire } from "./world";

let fixture: RegistryFixture;
beforeAll(async () => {
  fixture = await RegistryFixture.open();
});
afterAll(() => fixture.close());

const differences = async (reader = fixture.owner, query: Record<string, string> = {}) => {
  const answer = await fixture.world.make(reader, "registryImages.differences", { query });
  const { compareTime, failTime } = answer as { compareTime: string; failTime?: string };
  return { compareTime, failTime, rows: (answer["differences"] ?? []) as Wire[] };
};

test("an image tells what is attached to it, and who pushed it to those who may know who can", async () => {
  const { registry, world, owner, organization } = fixture;
  const name = "acme-inc/signed";
  await fixture.access(owner.token, `repository:${name}:pull,push`);
  const [{ uid: repo }] = (await world.make(owner, "repos.list", { query: { name: "signed" } }))["repos"];
  const { digest, size } = putImage(registry, name, { content: "signed" });
  const attach = (mediaType: string, ending: string) => {
    const layer = { mediaType, ...registry.putBlob(name, ending) };
    return registry.put(name, { schemaVersion: 2, layers: [layer] }, `${digest.replace(":", "-")}.${ending}`);
  };
  const signature = attach("application/vnd.dev.cosign.simplesigning.v1+json", "sig");
  const statement = attach("application/vnd.dsse.envelope.v1+json", "att");
  putImage(registry, name, { tag: "1.0", content: "signed" });
  await fixture.notify([
    {
      id: "1",
      action: "push",
      target: { repository: name, tag: "1.0", mediaType: OCI_MANIFEST },
      actor: { name: owner.uid },
    },
  ]);
  await eventually(async () => "1.0" in (await fixture.tags(repo)));
  const at = { uid: repo, digest };
  const seen = await world.make(owner, "registryImages.get", at);
  expect(seen).toMatchObject({
    digest,
    mediaType: OCI_MANIFEST,
    sizeBytes: String(size),
    annotations: { "org.opencontainers.image.revision": "abc" },
    pushedBy: owner.uid,
    lookTime: expect.any(String),
  });
  expect((seen["referrers"] as Wire[]).map((one) => [one["digest"], one["kind"]])).toEqual([
    [signature, "REFERRER_KIND_SIGNATURE"],
    [statement, "REFERRER_KIND_ATTESTATION"],
  ]);

  const reader = await world.holder(
    owner,
    "reads images alone",
    ["CAP_REPO_LIST", "CAP_MANIFEST_METADATA_LIST"],
    organization,
  );
  const less = await world.make(reader, "registryImages.get", at);
  expect(less["referrers"]).toHaveLength(2);
  expect(less).not.toHaveProperty("pushedBy");
  expect(less).not.toHaveProperty("pushedByName");

  const stranger = await world.person("stranger");
  const asked = (digestOf: string) =>
    world.send(stranger.token, "registryImages.get", { uid: repo, digest: digestOf });
  expect([(await asked(digest)).status, (await asked(sha256("none"))).status]).toEqual([403, 403]);
  const none = await world.send(owner.token, "registryImages.get", { uid: repo, digest: sha256("none") });
  expect(none.status).toBe(404);
});

test("differences are told to whoever sees the repo, with when they were found", async () => {
  const { registry, world, owner } = fixture;
  const before = new Date().toISOString();
  const stranger = await world.person("another stranger");
  const theirs = await world.create(stranger, "groups", "", { name: "Elsewhere" });
  // Whatever the test before has left.
  await fixture.compare();
  putImage(registry, "acme-inc/past", { tag: "1.0", content: "past" });
  putImage(registry, "elsewhere/theirs", { tag: "2.0", content: "theirs" });
  putImage(registry, "nobody/has", { tag: "1.0", content: "nobody" });
  await fixture.compare();
  const own = await differences();
  expect(
    own.rows.map((one) => `${one["repository"]}:${one["reference"] ?? ""} ${one["difference"]}`),
  ).toEqual(["acme-inc/past: DIFFERENCE_REPO_MISSING", "acme-inc/past:1.0 DIFFERENCE_TAG_MISSING"]);
  expect(own.rows.every((one) => one["mended"] === true && typeof one["repo"] === "string")).toBe(true);
  expect(own.compareTime >= before).toBe(true);
  expect(own.failTime).toBeUndefined();
  const other = await differences(stranger);
  expect(new Set(other.rows.map((one) => one["repository"]))).toEqual(new Set(["elsewhere/theirs"]));
  // Asked for by name, what belongs to others stays theirs.
  expect((await differences(stranger, { "uidp.descendants_of": fixture.organization })).rows).toEqual([]);
  expect((await differences(owner, { "uidp.descendants_of": theirs })).rows).toEqual([]);

  await writeFailedComparison(world.service.database);
  expect((await differences()).failTime ?? "").toMatch(/^20/);
  await fixture.compare();
  const again = await differences();
  expect(again.rows).toEqual([]);
  expect(again.failTime).toBeUndefined();
});
