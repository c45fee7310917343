import { afterAll, beforeAll, expect, test } from "vitest";

import { draftOf } from "../../conformance/read-only";
import { World, fieldsOf, type Person, type Wire } from "../../conformance/world";
import type { AdvisoryDraft } from "./advisory-drafts.table";
import { writeAdvisories, writePackages } from "./advisory-writes.table";

const [AFFECTED, UNKNOWN, NOT_AFFECTED] = [
  "VERSION_VERDICT_AFFECTED",
  "VERSION_VERDICT_UNKNOWN",
  "VERSION_VERDICT_NOT_AFFECTED",
] as const;
const digestOf = (index: number): string => `sha256:${String(index).padStart(64, "0")}`;

let world: World;
let owner: Person;
let organization: string;
let folder: string;
let app: string;
/** Uids of tags by `repo:tag`. */
const tags = new Map<string, string>();

const fixedIn = (name: string, vulnerability: string, version: string): AdvisoryDraft =>
  draftOf(name, {
    vulnerability,
    aliases: [vulnerability.replace("CVE-", "GHSA-")],
    events: [
      {
        type: "fixed",
        data: { fixedVersion: version },
        author: "a",
        at: new Date("2026-01-01"),
        reviewState: "REVIEW_STATE_APPROVED",
      } as never,
    ],
  });

async function tag(repo: string, name: string, digest: string): Promise<void> {
  tags.set(
    `${repo === app ? "app" : "web"}:${name}`,
    await world.create(owner, "tags", repo, { name, digest }),
  );
}

beforeAll(async () => {
  world = await World.open();
  owner = await world.person("owner");
  organization = await world.create(owner, "groups", "", { name: "acme" });
  folder = await world.create(owner, "groups", organization, { name: "folder" });
  app = await world.create(owner, "repos", folder, { name: "app" });
  const web = await world.create(owner, "repos", organization, { name: "web" });
  const { database } = world.service;
  const images: readonly (readonly [version: string, name: string, origin: string])[][] = [
    [["1.0-r0", "libssl3", "openssl"]],
    [["2.0-r0", "libssl3", "openssl"]],
    [["1.0-r0", "zlib", "zlib"]],
    [
      ["2.0-r0", "libssl3", "openssl"],
      ["1.0-r0", "openssl", "openssl"],
    ],
  ];
  for (const [index, packages] of images.entries())
    await writePackages(
      database,
      digestOf(index),
      packages.map(([version, name, origin]) => ({ architecture: "x86_64", name, version, origin })),
    );
  await tag(app, "old", digestOf(0));
  await tag(app, "new", digestOf(1));
  await tag(app, "beside", digestOf(2));
  await tag(app, "both-20260101", digestOf(3));
  await tag(app, "bare", digestOf(9));
  await tag(app, `sha256-${"0".repeat(64)}.sig`, digestOf(8));
  await tag(web, "old", digestOf(0));
  await database.transaction(async (queries) => {
    await writeAdvisories(queries, organization, [fixedIn("openssl", "CVE-2026-1", "1.5-r0")]);
    await writeAdvisories(queries, folder, [fixedIn("openssl", "CVE-2026-2", "1.5-r0")]);
    await writeAdvisories(queries, organization, [
      draftOf("openssl", { vulnerability: "CVE-2026-3", events: [] }),
    ]);
  });
});
afterAll(() => world.service.stop());

const asked = (query: Record<string, string>, person = owner) =>
  world.send(person.token, "packageTags.list", { query: { "uidp.descendants_of": organization, ...query } });
async function found(query: Record<string, string>, person = owner): Promise<string[]> {
  const { json } = await asked(query, person);
  const rows = (json["packageTags"] ?? []) as Wire[];
  expect(json["totalCount"]).toBe(String(rows.length));
  return rows.map(({ repoName, name }) => `${repoName}:${name}`).toSorted();
}

test("names each tag by the worst that the advisories say of the packages in its image", async () => {
  const aliases = "CVE-2026-1";
  expect(await found({ aliases, verdict: AFFECTED })).toEqual(["app:both-20260101", "app:old", "web:old"]);
  // Nothing is known of its packages. Signatures are no images.
  expect(await found({ aliases, verdict: UNKNOWN })).toEqual(["app:bare"]);
  expect(await found({ aliases, verdict: NOT_AFFECTED })).toEqual(["app:new"]);
  expect(await found({ aliases })).toEqual(["app:both-20260101", "app:new", "app:old", "web:old"]);
});

test("an advisory without a judgment is unknown, never 'not affected'", async () => {
  const aliases = "CVE-2026-3";
  expect(await found({ aliases, verdict: AFFECTED })).toEqual([]);
  expect(await found({ aliases, verdict: NOT_AFFECTED })).toEqual([]);
  expect(await found({ aliases, verdict: UNKNOWN })).toEqual([
    "app:bare",
    "app:both-20260101",
    "app:new",
    "app:old",
    "web:old",
  ]);
});

test("keeps apart tags that hold what no advisory decides, and tags whose packages are unknown", async () => {
  const unknown = { aliases: "CVE-2026-3", verdict: UNKNOWN };
  expect(await found({ ...unknown, undecided: "true" })).toEqual([
    "app:both-20260101",
    "app:new",
    "app:old",
    "web:old",
  ]);
  expect(await found({ ...unknown, undecided: "false" })).toEqual(["app:bare"]);
  expect(await found({ aliases: "CVE-2026-1", verdict: UNKNOWN, undecided: "true" })).toEqual([]);
  expect(await found({ packageName: "zlib", verdict: UNKNOWN, undecided: "true" })).toEqual([]);
  expect(await found({ packageName: "zlib", verdict: AFFECTED })).toEqual([]);
  expect(await found({ packageName: "zlib", verdict: UNKNOWN, undecided: "false" })).toEqual(["app:bare"]);
});

test("an advisory of a folder says nothing of tags beside it", async () => {
  expect(await found({ aliases: "CVE-2026-2", verdict: AFFECTED })).toEqual(["app:both-20260101", "app:old"]);
  const of = async (name: string) => {
    const query = { tagUid: tags.get(name) ?? "" };
    const { json } = await world.send(owner.token, "advisories.list", { query });
    return (json["advisories"] as Wire[]).flatMap((row) => row["aliases"]).toSorted();
  };
  expect(await of("web:old")).not.toContain("CVE-2026-2");
  expect(await of("app:old")).toContain("CVE-2026-2");
});

test("a row has the packages, their versions, and the range that decides", async () => {
  const { json } = await asked({ artifactNames: "openssl", verdict: AFFECTED });
  const row = (json["packageTags"] as Wire[]).find(({ name }) => name === "both-20260101");
  expect(row).toMatchObject({ uid: tags.get("app:both-20260101"), digest: digestOf(3), repoName: "app" });
  const of = ((row?.["packages"] ?? []) as Wire[]).filter(({ verdict }) => verdict !== UNKNOWN);
  expect(of.map(({ packageName, version, verdict }) => [packageName, version, verdict])).toEqual([
    ["libssl3", "2.0-r0", NOT_AFFECTED],
    ["libssl3", "2.0-r0", NOT_AFFECTED],
    ["openssl", "1.0-r0", AFFECTED],
    ["openssl", "1.0-r0", AFFECTED],
  ]);
  expect(of[2]).toMatchObject({ architecture: "x86_64", range: { fixed: "1.5-r0" } });
});

test("refuses a question that takes too many decisions", async () => {
  const { database } = world.service;
  const many = (index: number) => ({
    architecture: "x86_64",
    name: `m-${index}`,
    version: "1.0-r0",
    origin: "many",
  });
  await writePackages(
    database,
    digestOf(7),
    Array.from({ length: 1_001 }, (_, index) => many(index)),
  );
  const advisories = Array.from({ length: 200 }, (_, index) =>
    fixedIn("many", `CVE-2026-9${index}`, "2.0-r0"),
  );
  await database.transaction((queries) => writeAdvisories(queries, organization, advisories));
  const answer = await asked({ artifactNames: "many" });
  expect([answer.status, fieldsOf(answer)]).toEqual([400, ["artifactNames"]]);
});

test("finds by name or id, in pages, and refuses a question without one", async () => {
  expect(await found({ aliases: "GHSA-2026-1", verdict: AFFECTED })).toContain("web:old");
  expect(await found({ aliases: "CVE-1999-1", verdict: AFFECTED })).toEqual([]);
  expect(fieldsOf(await asked({}))).toEqual(["aliases"]);
  expect(fieldsOf(await asked({ aliases: "CVE-2026-1", verdict: "AFFECTED" }))).toEqual(["verdict"]);
  const first = (await asked({ aliases: "CVE-2026-1", page_size: "3" })).json;
  expect([(first["packageTags"] as Wire[]).length, first["totalCount"]]).toEqual([3, "4"]);
  const page_token = String(first["nextPageToken"]);
  const next = (await asked({ aliases: "CVE-2026-1", page_size: "3", page_token })).json;
  expect((next["packageTags"] as Wire[]).length).toBe(1);
});

test("names the tags that hold a package, or what is built from it, in a version", async () => {
  expect(await found({ packageName: "openssl", packageVersion: "1.0-r0" })).toEqual([
    "app:both-20260101",
    "app:old",
    "web:old",
  ]);
  expect(await found({ packageName: "libssl3", packageVersion: "2.0-r0" })).toEqual([
    "app:both-20260101",
    "app:new",
  ]);
  // Any revision of a version without one; no other version that begins alike.
  expect(await found({ packageName: "zlib", packageVersion: "1.0" })).toEqual(["app:beside"]);
  expect(await found({ packageName: "zlib", packageVersion: "1" })).toEqual([]);
  expect(await found({ packageName: "zlib" })).toEqual(["app:beside"]);
  expect(await found({ packageName: "zlib", verdict: UNKNOWN })).toEqual(["app:bare"]);
  const { json } = await asked({ packageName: "openssl", packageVersion: "2.0-r0" });
  expect((json["packageTags"] as Wire[])[0]?.["packages"]).toEqual([
    { packageName: "libssl3", packageOrigin: "openssl", architecture: "x86_64", version: "2.0-r0" },
  ]);
});

test("with advisories and a package, finds only the tags that hold that too", async () => {
  const affected = { aliases: "CVE-2026-1", verdict: AFFECTED };
  expect(await found(affected)).toContain("app:old");
  expect(await found({ ...affected, packageName: "libssl3", packageVersion: "2.0-r0" })).toEqual([
    "app:both-20260101",
  ]);
  expect(await found({ ...affected, packageName: "zlib" })).toEqual([]);
});

test("refuses a version without a package", async () => {
  expect(fieldsOf(await asked({ packageVersion: "1", aliases: "CVE-2026-1" }))).toEqual(["packageVersion"]);
  expect(fieldsOf(await asked({}))).toEqual(["aliases"]);
});

test("an image with an architecture whose packages aren't known is unknown, not 'not affected' or 'none'", async () => {
  const { database } = world.service;
  const digest = digestOf(1);
  await database.query("insert into manifests values ($1, $2, 'amd64', 1), ($1, $2, 'arm64', 1)", [
    app,
    digest,
  ]);
  const aliases = "CVE-2026-1";
  expect(await found({ aliases, verdict: NOT_AFFECTED })).toEqual([]);
  expect(await found({ aliases, verdict: UNKNOWN })).toEqual(["app:bare", "app:new"]);
  expect(await found({ packageName: "zlib", verdict: UNKNOWN })).toEqual(["app:bare", "app:new"]);
  await database.query("delete from manifests where digest = $1 and architecture = 'arm64'", [digest]);
  expect(await found({ aliases, verdict: NOT_AFFECTED })).toEqual(["app:new"]);
  await database.query("delete from manifests where digest = $1", [digest]);
});

test("shows only what the caller may read: neither tags without the rights, nor by advisories of elsewhere", async () => {
  const needs = [
    "CAP_ADVISORIES_LIST",
    "CAP_APK_LIST",
    "CAP_REPO_LIST",
    "CAP_MANIFEST_METADATA_LIST",
    "CAP_TAG_LIST",
  ];
  const inFolder = await world.holder(owner, "in folder", needs, folder);
  expect(await found({ aliases: "CVE-2026-2", verdict: AFFECTED }, inFolder)).toEqual([
    "app:both-20260101",
    "app:old",
  ]);
  // The advisory of the organization is not theirs to read.
  expect(await found({ aliases: "CVE-2026-1", verdict: AFFECTED }, inFolder)).toEqual([]);
  const short = await world.holder(owner, "short", needs.slice(0, -1), folder);
  expect(await found({ aliases: "CVE-2026-2" }, short)).toEqual([]);
});

test("the answer about a tag's image says whether its packages are known, and for which architectures", async () => {
  const of = async (name: string) => {
    const { json } = await world.send(owner.token, "advisories.list", {
      query: { tagUid: tags.get(name) ?? "", page_size: "1" },
    });
    return json["imagePackages"];
  };
  expect(await of("app:bare")).toEqual({ known: false, count: 0 });
  expect(await of("app:beside")).toEqual({ known: true, count: 1 });
  await world.service.database.query(
    "insert into manifests values ($1, $2, 'amd64', 1), ($1, $2, 'arm64', 1)",
    [app, digestOf(2)],
  );
  expect(await of("app:beside")).toEqual({ known: true, count: 1, unknownArchitectures: ["arm64"] });
  // Lists without the question have nothing to say.
  const { json } = await world.send(owner.token, "advisories.list", { query: {} });
  expect(json).not.toHaveProperty("imagePackages");
});

test("a report names the tags of which it cannot know what was resolved", async () => {
  const report = async (imageRefs: string) => {
    const query = {
      imageRefs,
      startTime: new Date(Date.now() - 86_400_000).toISOString(),
      endTime: new Date().toISOString(),
    };
    return (await world.send(owner.token, "resolvedVulnsReports.list", { query })).json["unknownTags"];
  };
  expect(await report(`${app}:old,new`)).toBeUndefined();
  expect(await report(`${app}:old,bare,nothing`)).toEqual([`${app}:bare`, `${app}:nothing`]);
  expect(await report(app)).toEqual([`${app}:latest`]);
});
