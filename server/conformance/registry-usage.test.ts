import { afterAll, beforeAll, expect, test } from "vitest";

import { sweepUsage } from "../domains/registry/registry-usage.table";
import { OCI_MANIFEST, sha256 } from "../testing/registry";
import { RegistryFixture } from "./registry-fixture";
import type { Person, Wire } from "./world";

const NAME = "acme-inc/base";
const ONE = sha256("one");
const OTHER = sha256("other");

let fixture: RegistryFixture;
let repo: string;
let puller: Person;
beforeAll(async () => {
  fixture = await RegistryFixture.open();
  repo = await fixture.repo("base");
  puller = await fixture.world.person("puller");
  await fixture.world.bind(fixture.owner, repo.slice(0, 40), puller.uid, "registry.pull");
});
afterAll(() => fixture.close());

const tag = (name: string, digest: string, more: Wire = {}): Promise<string> =>
  fixture.world.create(fixture.owner, "tags", repo, { name, digest, ...more });

let events = 0;
const pull = (target: Wire, method = "GET", by: Person = puller, more: Wire = {}): Wire => ({
  id: `event-${(events += 1)}`,
  timestamp: new Date().toISOString(),
  action: "pull",
  target: { repository: NAME, mediaType: OCI_MANIFEST, digest: ONE, ...target },
  request: { method },
  actor: { name: by.uid },
  ...more,
});

/** The numbers of each name: `latest 2/1` for two downloads and one HEAD. */
async function usage(
  by: string,
  query: Record<string, string> = {},
  reader = fixture.owner,
): Promise<string[]> {
  const { usage: rows = [] } = await fixture.world.make(reader, "registryUsage.get", {
    query: { by: `USAGE_GROUPING_${by}`, ...query },
  });
  return (rows as Wire[]).map(
    ({ tagName, identityName: _name, identity, repoName, day, downloads = 0, asks = 0 }) =>
      `${day ?? identity ?? tagName ?? repoName} ${downloads}/${asks}`,
  );
}
async function notify(...sent: Wire[]): Promise<void> {
  expect((await fixture.notify(sent)).status).toBe(200);
  await fixture.world.service.writeCounts();
}

test("a pull by tag counts for the tag, one by digest for every tag that names it then, and a repo counts it once", async () => {
  await tag("latest", ONE);
  await tag("1.0", ONE);
  await tag("else", OTHER);
  await notify(
    pull({ tag: "latest" }),
    pull({ tag: "latest" }, "HEAD"),
    pull({}),
    pull({ digest: sha256("layer"), mediaType: "application/octet-stream" }),
    pull({ tag: "latest", repository: "acme-inc/none" }),
  );
  expect(await usage("TAG", { "uidp.descendants_of": repo })).toEqual(["latest 2/1", "1.0 1/0"]);
  expect(await usage("REPO", { "uidp.ids": repo })).toEqual(["base 2/1"]);
  expect(await usage("IDENTITY", { "uidp.ids": repo })).toEqual([`${puller.uid} 2/1`]);
  const today = new Date().toISOString().slice(0, 10);
  expect(await usage("DAY", { "uidp.ids": repo })).toEqual([`${today} 2/1`]);
});

test("a tag that moves before the minute ends keeps the pull of what it named", async () => {
  const moving = await tag("moving", sha256("before"));
  await fixture.notify([pull({ digest: sha256("before") })]);
  await new Promise((resolve) => setTimeout(resolve, 5));
  await tag("moving", sha256("after"));
  await notify(pull({ digest: sha256("after") }), pull({ digest: sha256("before") }));
  // Those of one minute count together: the tag named the old image when the first of them came.
  expect(await usage("TAG", { "uidp.ids": moving })).toEqual(["moving 3/0"]);
  await notify(pull({ digest: sha256("before") }));
  expect(await usage("TAG", { "uidp.ids": moving })).toEqual(["moving 3/0"]);
});

test("the pull of one architecture is use of the tag of its index, and no second download", async () => {
  const index = sha256("index");
  const child = sha256("child");
  const uid = await tag("multi", index);
  await fixture.world.service.database.query(
    `insert into registry_images (repo_uid, digest, media_type, size, children, looked_at) values ($1, $2, '', 1, $3, now())`,
    [repo, index, [child]],
  );
  await notify(pull({ digest: child }));
  const { usage: rows } = await fixture.world.make(fixture.owner, "registryUsage.get", {
    query: { by: "USAGE_GROUPING_TAG", "uidp.ids": uid },
  });
  expect(rows).toMatchObject([{ tag: uid, tagName: "multi", lastDownloadTime: expect.any(String) }]);
  expect(rows[0].downloads ?? 0).toBe(0);
});

test("notifications that come again count once, also after a restart of the counter", async () => {
  const uid = await tag("again", sha256("again"));
  const one = pull({ tag: "again", digest: sha256("again") });
  await notify(one, one);
  await notify(one);
  expect(await usage("TAG", { "uidp.ids": uid })).toEqual(["again 1/0"]);
});

test("the service's own looks, and notifications without a secret count nothing", async () => {
  const uid = await tag("quiet", sha256("quiet"));
  const target = { tag: "quiet", digest: sha256("quiet") };
  await notify(
    pull(target, "GET", puller, { actor: { name: "platform" } }),
    pull(target, "GET", puller, { id: "\u0000" }),
    pull(target, "GET", puller, { id: undefined }),
    pull({ ...target, digest: "sha256:x" }),
    pull(target, "PUT"),
  );
  expect((await fixture.notify([pull(target)], "not the secret at all")).status).toBe(401);
  await fixture.world.service.writeCounts();
  expect(await usage("TAG", { "uidp.ids": uid })).toEqual([]);
});

test("deprecated tags that are still pulled are told with who pulls them", async () => {
  await tag("old", sha256("old"), { deprecated: true });
  await tag("unused", sha256("unused"), { deprecated: true });
  await notify(pull({ tag: "old", digest: sha256("old") }, "HEAD"));
  const query = `by=USAGE_GROUPING_TAG&by=USAGE_GROUPING_IDENTITY&deprecated=true&uidp.descendants_of=${repo}`;
  const { json } = await fixture.world.service.call("GET", `/registry-usage/v1/usage?${query}`, {
    token: fixture.owner.token,
  });
  expect(json["usage"]).toMatchObject([{ tagName: "old", repoName: "base", identity: puller.uid, asks: 1 }]);
});

test("whoever cannot list role bindings there sees only their own pulls", async () => {
  const stranger = await fixture.world.person("stranger");
  const viewer = await fixture.world.person("viewer");
  await fixture.world.bind(fixture.owner, repo.slice(0, 40), viewer.uid, "viewer");
  await notify(pull({ tag: "latest" }, "GET", fixture.owner));
  const at = { "uidp.ids": repo };
  expect(await usage("IDENTITY", at, stranger)).toEqual([]);
  expect(await usage("IDENTITY", at, viewer)).toHaveLength(2);
  expect((await usage("IDENTITY", at, puller)).map((row) => row.split(" ")[0])).toEqual([puller.uid]);
});

test("pulls go with their identity, and after the days for which they are kept", async () => {
  const { world, owner } = fixture;
  const { database } = world.service;
  const uid = await tag("gone", sha256("gone"));
  const machine = await world.create(owner, "identities", fixture.organization, {
    name: "ci",
    ...world.claims("ci"),
  });
  const target = { tag: "gone", digest: sha256("gone") };
  await notify(pull(target, "GET", { uid: machine, token: "" }), pull(target));
  expect(await usage("TAG", { "uidp.ids": uid })).toEqual(["gone 2/0"]);
  await world.make(owner, "identities.delete", { uid: machine });
  expect(await usage("TAG", { "uidp.ids": uid })).toEqual(["gone 1/0"]);
  await database.query("update registry_usage set day = day - 399 where reference = 'gone'");
  await database.query(
    "update registry_last_pulls set downloaded_at = downloaded_at - interval '399 days' where reference = 'gone'",
  );
  await database.query(
    "update registry_forgotten_pulls set downloaded_on = downloaded_on - 399 where reference = 'gone'",
  );
  await sweepUsage(database, 400);
  expect(await usage("TAG", { "uidp.ids": uid })).toEqual(["gone 0/0"]);
  await sweepUsage(database, 399);
  expect(await usage("TAG", { "uidp.ids": uid })).toEqual([]);
});

test("a tag whose only puller is deleted keeps the day, and not whose it was, also of pulls that come later", async () => {
  const { world, owner, organization } = fixture;
  const machine = await world.create(owner, "identities", organization, {
    name: "cd",
    ...world.claims("cd"),
  });
  const by = { uid: machine, token: "" };
  const [before, after] = [await tag("kept", sha256("kept")), await tag("later", sha256("later"))];
  const at = new Date(Date.now() - 3 * 86_400_000).toISOString();
  await notify(pull({ tag: "kept", digest: sha256("kept") }, "GET", by, { timestamp: at }));
  await world.make(owner, "identities.delete", { uid: machine });
  await notify(pull({ tag: "later", digest: sha256("later") }, "HEAD", by));
  const today = new Date().toISOString().slice(0, 10);
  const rows = async (uid: string, grouping: string) =>
    (
      await world.make(owner, "registryUsage.get", {
        query: { by: `USAGE_GROUPING_${grouping}`, "uidp.ids": uid },
      })
    )["usage"] ?? [];
  const [kept] = await rows(before, "TAG");
  expect([kept.downloads ?? 0, kept.lastDownloadTime]).toEqual([0, `${at.slice(0, 10)}T23:59:59.999Z`]);
  const [later] = await rows(after, "TAG");
  expect(later).not.toHaveProperty("lastDownloadTime");
  expect(later.lastAskTime.slice(0, 10)).toBe(today);
  expect(Date.parse(later.lastAskTime)).toBeLessThanOrEqual(Date.now());
  expect(await rows(before, "IDENTITY")).toEqual([]);
  await sweepUsage(world.service.database, 3);
  expect(await rows(before, "TAG")).toEqual([]);
});

test("what scanners pull counts as asked for", async () => {
  const scanner = "0123456789".repeat(4);
  const other = await RegistryFixture.open({ REGISTRY_SCANNERS: scanner });
  try {
    const at = await other.repo("base");
    await other.world.service.database.query(
      `insert into identities (uid, parent, name, relationship, definition, created_at, updated_at)
       values ($1, null, 'scanner', 'claimMatch', '{}', now(), now())`,
      [scanner],
    );
    await other.notify([
      pull({ tag: "x" }, "GET", { uid: scanner, token: "" }),
      pull({ tag: "x" }, "HEAD", other.owner),
    ]);
    await other.world.service.writeCounts();
    const { usage: rows, countedSince } = await other.world.make(other.owner, "registryUsage.get", {
      query: { by: "USAGE_GROUPING_REPO", "uidp.ids": at },
    });
    expect(rows).toMatchObject([{ asks: 2 }]);
    expect(rows[0].downloads ?? 0).toBe(0);
    expect(rows[0]).not.toHaveProperty("lastDownloadTime");
    expect(Date.parse(countedSince)).toBeLessThanOrEqual(Date.now());
  } finally {
    await other.close();
  }
});

test("10,000 pulls at once are counted right", async () => {
  const uid = await tag("many", sha256("many"));
  const target = { tag: "many", digest: sha256("many") };
  await notify(...Array.from({ length: 10_000 }, () => pull(target)));
  expect(await usage("TAG", { "uidp.ids": uid })).toEqual(["many 10000/0"]);
});
