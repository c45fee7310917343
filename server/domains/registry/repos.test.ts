import { afterAll, beforeAll, expect, test } from "vitest";

import type { Caller } from "../../platform/access/caller";
import { TestStore, type Wire } from "../../testing/store";

let store: TestStore;
let owner: Caller;
let organization: string;
let sourceUid: string;

const LABELS = {
  catalogTier: "CATALOG_TIER_BASE",
  bundles: ["base"],
  aliases: ["web"],
  activeTags: ["1.27"],
};

beforeAll(async () => {
  store = await TestStore.open();
  const made = await store.organization("acme");
  organization = made.uid;
  owner = made.owner;
  sourceUid = (await create({ name: "nginx", description: "A web server", ...LABELS }))["uid"];
});
afterAll(() => store.database.close());

const create = (body: Wire): Promise<Wire> =>
  store.call(owner, "repos.create", { parent: organization, body });
const update = (uid: string, body: Wire, updateMask?: string): Promise<Wire> =>
  store.call(owner, "repos.update", { uid, body, query: updateMask === undefined ? {} : { updateMask } });
const violations = async (id: string, input: Wire) => (await store.refusal(owner, id, input)).violations;

test("a synced repo has labels, text and readme of its source, whatever way the source was named", async () => {
  await store.call(owner, "repos.updateReadme", { uid: sourceUid, body: { content: "# nginx" } });
  for (const [index, source] of [sourceUid, "acme/nginx", "registry.example/acme/nginx:1.27"].entries()) {
    const copy = await create({ name: `copy-${index}`, sync_config: { source, google: "eu.pkg.dev/x" } });
    expect(copy).toMatchObject({ ...LABELS, description: "A web server" });
    expect(copy["sync_config"]).toMatchObject({
      source: sourceUid,
      google: "eu.pkg.dev/x",
      uniqueTags: false,
      gracePeriod: false,
    });
    const days =
      (Date.parse(copy["sync_config"].expirationTime) - Date.parse(copy["createTime"])) / 86_400_000;
    expect(Math.round(days)).toBe(14);
    expect(await store.call(owner, "repos.getReadme", { uid: copy["uid"] })).toEqual({
      uid: copy["uid"],
      content: "# nginx",
      createTime: copy["createTime"],
      updateTime: copy["createTime"],
    });
  }
});

test("what comes from the source cannot be changed until the repo is on its own again, and is kept then", async () => {
  const { uid, sync_config } = await create({ name: "follower", sync_config: { source: sourceUid } });
  for (const [field, value] of Object.entries({
    catalogTier: "CATALOG_TIER_AI",
    bundles: ["other"],
    aliases: [],
    activeTags: ["9"],
  }))
    expect(await violations("repos.update", { uid, body: { [field]: value } })).toEqual([
      { field, description: "a synced repo inherits this from its source" },
    ]);
  expect(
    (await store.refusal(owner, "repos.updateReadme", { uid, body: { content: "mine" } })).violations,
  ).toEqual([{ field: "content", description: "a synced repo inherits its readme from its source" }]);
  // Sending back stored values changes nothing, and neither does changing what the service sets.
  const same = await update(
    uid,
    { name: "follower", ...LABELS, sync_config: { ...sync_config, uniqueTags: true } },
    "*",
  );
  expect(same["sync_config"]).toEqual(sync_config);
  await update(sourceUid, { activeTags: ["1.28"] });
  expect((await store.call(owner, "repos.get", { uid }))["activeTags"]).toEqual(["1.28"]);
  const alone = await update(uid, {}, "sync_config");
  expect(alone).not.toHaveProperty("sync_config");
  expect(alone["activeTags"]).toEqual(["1.28"]);
  expect((await store.call(owner, "repos.getReadme", { uid }))["content"]).toBe("# nginx");
  expect((await update(uid, { activeTags: ["2"] }))["activeTags"]).toEqual(["2"]);
  await update(sourceUid, { activeTags: LABELS.activeTags });
});

test("a copy outlives its source, with what it had from it", async () => {
  const source = await create({ name: "short-lived", ...LABELS });
  await store.call(owner, "repos.updateReadme", { uid: source["uid"], body: { content: "# gone" } });
  const { uid } = await create({ name: "heir", sync_config: { source: source["uid"] } });
  await store.call(owner, "repos.delete", { uid: source["uid"] });
  const heir = await store.call(owner, "repos.get", { uid });
  expect(heir).toMatchObject(LABELS);
  expect(heir).not.toHaveProperty("sync_config");
  expect((await store.call(owner, "repos.getReadme", { uid }))["content"]).toBe("# gone");
});

test("a copy keeps what it had when copying stopped, whatever becomes of its source", async () => {
  const { uid: source } = await create({ name: "moving", ...LABELS });
  const write = (content: string) =>
    store.call(owner, "repos.updateReadme", { uid: source, body: { content } });
  const copies = await Promise.all(
    ["over-by-readme", "over-by-labels", "follows-on"].map((name) =>
      create({ name, sync_config: { source, google: "eu.pkg.dev/x" } }),
    ),
  );
  const shown = async ({ uid }: Wire) => {
    const { activeTags, sync_config } = await store.call(owner, "repos.get", { uid });
    return [activeTags[0], (await store.call(owner, "repos.getReadme", { uid }))["content"], sync_config];
  };
  const expirationTime = "2026-01-28T12:54:21.189Z";
  const stop = ({ uid }: Wire) =>
    store.database.query(
      `update repos set sync = sync || jsonb_build_object('expirationTime', $2::text) where uid = $1`,
      [uid, expirationTime],
    );
  const [one = {}, two = {}, three = {}] = copies;
  await write("# one");
  await stop(one);
  await write("# two");
  await stop(two);
  await update(source, { activeTags: ["2"] });
  const sync_config = { ...one["sync_config"], expirationTime };
  expect(await shown(one)).toEqual(["1.27", "# one", sync_config]);
  expect(await shown(two)).toEqual(["1.27", "# two", sync_config]);
  expect(await shown(three)).toEqual(["2", "# two", three["sync_config"]]);
  // Neither a change of the copy nor the end of its source affects it.
  await update(one["uid"], { description: "Mine" });
  await write("# three");
  expect(await shown(one)).toEqual(["1.27", "# one", sync_config]);
  await update(two["uid"], {}, "sync_config");
  expect(await shown(two)).toEqual(["1.27", "# two", undefined]);
  await store.call(owner, "repos.delete", { uid: source });
  expect(await shown(one)).toEqual(["1.27", "# one", undefined]);
  expect(await shown(three)).toEqual(["2", "# three", undefined]);
});

test("a copy has changed when what it shows of its source has, and when the source is gone", async () => {
  const { uid: source } = await create({ name: "changing", ...LABELS });
  const { uid } = await create({ name: "changing-too", sync_config: { source } });
  const times = async () => {
    const repo = await store.call(owner, "repos.get", { uid });
    const readme = await store.call(owner, "repos.getReadme", { uid });
    return { repo: repo["updateTime"] as string, readme: readme["updateTime"] as string };
  };
  const first = await times();
  await update(source, { description: "Its own", activeTags: LABELS.activeTags });
  expect(await times()).toEqual(first);
  await update(source, { activeTags: ["2"] });
  const labelled = await times();
  expect([labelled.repo > first.repo, labelled.readme]).toEqual([true, first.readme]);
  await store.call(owner, "repos.updateReadme", { uid: source, body: { content: "# New" } });
  const written = await times();
  expect([written.readme > labelled.readme, written.repo]).toEqual([true, labelled.repo]);
  await store.call(owner, "repos.delete", { uid: source });
  const alone = await times();
  expect([alone.repo > written.repo, alone.readme]).toEqual([true, written.readme]);
});

test("a source is refused in the same words whether it is hidden or not there", async () => {
  const other = await store.organization("elsewhere");
  const hidden = await store.call(other.owner, "repos.create", {
    parent: other.uid,
    body: { name: "secret" },
  });
  const chained = await create({ name: "chained", sync_config: { source: sourceUid } });
  const refused = (source: string) =>
    violations("repos.create", { parent: organization, body: { name: "new", sync_config: { source } } });
  const unknown = await refused("elsewhere/nothing");
  expect(unknown.map(({ field }) => field)).toEqual(["sync_config.source"]);
  for (const source of [hidden["uid"], "elsewhere/secret", `${organization}/${"f".repeat(16)}`, "nginx"])
    expect(await refused(source)).toEqual(unknown);
  expect(await refused(chained["uid"])).toEqual([
    { field: "sync_config.source", description: "must not be a synced repo" },
  ]);
  expect(
    await violations("repos.update", { uid: sourceUid, body: { sync_config: { source: sourceUid } } }),
  ).toEqual([{ field: "sync_config.source", description: "a repo cannot be its own source" }]);
});

test("every bad part of an overlay is named by its own path", async () => {
  const customOverlay = {
    contents: { runtimeRepositories: ["ftp://x"], runtimeKeyring: [{ name: ".hidden", content: "no key" }] },
    environment: { CHAINGUARD_X: "1" },
    annotations: { "org.opencontainers.image.title": "x" },
    accounts: { users: [{ username: "", uid: -1 }], groups: [{ gid: 1.5 }] },
    certificates: { additional: [{ name: "ca", content: "no certificate" }] },
  };
  const found = await violations("repos.create", {
    parent: organization,
    body: { name: "x", customOverlay },
  });
  expect(found.map(({ field }) => field)).toEqual([
    "customOverlay.contents.runtimeRepositories[0]",
    "customOverlay.contents.runtimeKeyring[0].name",
    "customOverlay.contents.runtimeKeyring[0].content",
    "customOverlay.environment",
    "customOverlay.annotations",
    "customOverlay.accounts.users[0].username",
    "customOverlay.accounts.users[0].uid",
    "customOverlay.accounts.groups[0].groupname",
    "customOverlay.accounts.groups[0].gid",
    "customOverlay.certificates.additional[0].content",
  ]);
});

test("a reserved prefix is refused in words that name the caller's key alone", async () => {
  const environment = { LANG: "C", CHAINGUARD_X: "1" };
  const body = { name: "x", customOverlay: { environment } };
  expect(await violations("repos.create", { parent: organization, body })).toEqual([
    {
      field: "customOverlay.environment",
      description: "CHAINGUARD_X uses a prefix that is reserved for the platform",
    },
  ]);
});

test("a readme that nobody wrote is empty", async () => {
  const { uid } = await create({ name: "plain" });
  const readme = (content?: string, updateMask?: string) =>
    store.call(owner, "repos.updateReadme", {
      uid,
      body: content === undefined ? {} : { content },
      query: updateMask === undefined ? {} : { updateMask },
    });
  expect(await store.call(owner, "repos.getReadme", { uid })).not.toHaveProperty("content");
  expect(await readme("text")).toMatchObject({ uid, content: "text" });
  expect(await readme()).toMatchObject({ uid, content: "text" });
  expect(await readme(undefined, "content")).not.toHaveProperty("content");
  expect((await violations("repos.updateReadme", { uid, body: { text: "x" } }))[0]?.field).toBe("text");
});

test("a repo is only so large, however many requests it takes to fill it", async () => {
  const { uid } = await create({ name: "large" });
  const texts = (of: string) => Array.from({ length: 120 }, () => of.repeat(1_000));
  await update(uid, { bundles: texts("b") });
  await update(uid, { aliases: texts("a") });
  const [{ field, description } = { field: "", description: "" }, ...more] = await violations(
    "repos.update",
    {
      uid,
      body: { activeTags: [...texts("t"), "t"] },
    },
  );
  expect([field, more]).toEqual(["activeTags", []]);
  expect(description).toContain("at most 256000 bytes");
  expect((await update(uid, { activeTags: ["1"] }))["activeTags"]).toEqual(["1"]);
});
