import { afterAll, beforeAll, expect, test } from "vitest";

import { READ_ONLY } from "platform-contract/sts/read-only";

import { OCI_INDEX, OCI_MANIFEST, putImage, sha256 } from "../testing/registry";
import { eventually, readAnswer, RegistryFixture } from "./registry-fixture";

let fixture: RegistryFixture;
beforeAll(async () => {
  fixture = await RegistryFixture.open();
});
afterAll(() => fixture.close());

test("a caller gets what they may at each repository, and a first push makes its repo", async () => {
  const { world, owner, organization } = fixture;
  expect(await world.make(owner, "groups.get", { uid: organization })).toMatchObject({
    namespace: "acme-inc",
  });
  // Somebody who sees a folder alone knows from it what to pull.
  const folder = await world.create(owner, "groups", organization, { name: "folder" });
  const inside = await world.person("inside");
  await world.bind(owner, folder, inside.uid, "viewer");
  expect(await world.make(inside, "groups.get", { uid: folder })).toMatchObject({ namespace: "acme-inc" });
  const base = await fixture.repo("base");
  const viewer = await world.person("viewer");
  await world.bind(owner, organization, viewer.uid, "viewer");
  expect(await fixture.access(owner.token, "repository:acme-inc/base:pull,push,delete")).toEqual([
    "acme-inc/base:pull,push,delete",
  ]);
  expect(await fixture.access(viewer.token, "repository:acme-inc/base:pull,push")).toEqual([
    "acme-inc/base:pull",
  ]);
  // Several scopes, as for a mount, in both spellings.
  await fixture.repo("other");
  const mount = ["repository:acme-inc/base:pull,push", "repository:acme-inc/other:pull"];
  expect(await fixture.access(owner.token, ...mount)).toEqual([
    "acme-inc/base:pull,push",
    "acme-inc/other:pull",
  ]);
  expect(await fixture.access(owner.token, mount.join(" "))).toHaveLength(2);
  // A sign-in that only reads pulls, and makes no repo.
  const reading = await world.service.token("owner", { [READ_ONLY]: true });
  expect(
    await fixture.access(
      reading,
      "repository:acme-inc/base:pull,push,delete",
      "repository:acme-inc/fresh:push",
    ),
  ).toEqual(["acme-inc/base:pull"]);
  // The first push.
  expect(await fixture.access(viewer.token, "repository:acme-inc/fresh:pull,push")).toEqual([]);
  expect(await fixture.access(owner.token, "repository:acme-inc/fresh:pull")).toEqual([]);
  expect(await fixture.access(owner.token, "repository:acme-inc/fresh:pull,push")).toEqual([
    "acme-inc/fresh:pull,push",
  ]);
  const made = await world.make(owner, "repos.list", { query: { name: "fresh" } });
  expect(made["repos"]).toMatchObject([{ name: "fresh" }]);
  expect(made["repos"][0].uid.slice(0, 40)).toBe(organization);
  expect(base.slice(0, 40)).toBe(organization);
});

test("tokens that push live longer than those that pull, and a sign-in without a scope is a token for nothing", async () => {
  const { owner } = fixture;
  await fixture.repo("lives");
  const scope = "repository:acme-inc/lives";
  expect((await fixture.token(owner.token, [`${scope}:pull`])).seconds).toBe(300);
  expect((await fixture.token(owner.token, [`${scope}:pull,push`])).seconds).toBe(1_800);
  expect(await fixture.token(owner.token, [])).toMatchObject({ status: 200, access: [], seconds: 300 });
});

test("the form of OAuth 2 is the same", async () => {
  const { world, owner, registry } = fixture;
  await fixture.repo("form");
  const ask = async (form: Record<string, string>) => {
    const response = await fetch(`${world.service.url}/registry/token`, {
      method: "POST",
      body: new URLSearchParams({ service: registry.host, client_id: "x", ...form }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    return readAnswer({ status: response.status, headers: {}, bytes, json: JSON.parse(bytes.toString()) });
  };
  const scope = "repository:acme-inc/form:pull";
  const given = await ask({ grant_type: "password", username: "x", password: owner.token, scope });
  expect(given).toMatchObject({ status: 200, access: ["acme-inc/form:pull"] });
  expect(await ask({ grant_type: "refresh_token", refresh_token: owner.token, scope })).toMatchObject({
    access: ["acme-inc/form:pull"],
  });
  expect(await ask({ grant_type: "password", password: "no", scope })).toMatchObject({ status: 401 });
  expect(await ask({ grant_type: "client_credentials", scope })).toMatchObject({ status: 400 });
});

test("a refusal has the registry's form", async () => {
  const { answer } = await fixture.token("not a token", []);
  expect(answer.status).toBe(401);
  expect(answer.json).toEqual({
    errors: [{ code: "UNAUTHORIZED", message: expect.any(String), detail: null }],
  });
  expect((await fixture.token(undefined, [])).status).toBe(401);
});

test("what was pushed is in the ledger with sizes and who pushed it, and nothing that the notification says", async () => {
  const { registry, owner, world } = fixture;
  const name = "acme-inc/pushed";
  await fixture.access(owner.token, `repository:${name}:pull,push`);
  const [repo] = (await world.make(owner, "repos.list", { query: { name: "pushed" } }))["repos"];
  const amd = putImage(registry, name, { content: "one" });
  const arm = putImage(registry, name, { architecture: "arm64", content: "other layer" });
  const index = registry.put(
    name,
    {
      schemaVersion: 2,
      mediaType: OCI_INDEX,
      manifests: [
        {
          mediaType: OCI_MANIFEST,
          digest: amd.digest,
          size: 1,
          platform: { architecture: "amd64", os: "linux" },
        },
        {
          mediaType: OCI_MANIFEST,
          digest: arm.digest,
          size: 1,
          platform: { architecture: "arm64", os: "linux" },
        },
      ],
    },
    "1.0",
  );
  const target = { repository: name, tag: "1.0", digest: sha256("a lie"), mediaType: OCI_INDEX, size: 1 };
  await fixture.notify([{ action: "push", target, actor: { name: owner.uid } }]);
  await eventually(async () => "1.0" in (await fixture.tags(repo.uid)));
  expect(await fixture.tags(repo.uid)).toEqual({ "1.0": index });
  const at = { uid: repo.uid, digest: index };
  expect(await world.make(owner, "images.getArchitectures", at)).toEqual({
    architectures: ["amd64", "arm64"],
  });
  expect(
    await world.make(owner, "images.getSize", { ...at, query: { architecture: "arm64" } }),
  ).toMatchObject({
    size: String(arm.size),
  });
  const log = await world.make(owner, "auditEntries.list", {
    query: { "uidp.descendants_of": fixture.organization },
  });
  const entry = (log["auditEntries"] as { action: string; actor?: object }[]).find(
    ({ action }) => action === "tags.create",
  );
  expect(entry?.actor).toMatchObject({ uid: owner.uid });
});
