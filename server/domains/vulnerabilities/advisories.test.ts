import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { EVENT_TYPES, newestEvent } from "platform-contract/vulnerabilities/events";

import { draftOf } from "../../conformance/read-only";
import { fieldsOf, World, type Person, type Wire } from "../../conformance/world";
import type { AdvisoryDraft, EventDraft } from "./advisory-drafts.table";
import { writeAdvisories, writeMetadata } from "./advisory-writes.table";

// Compares each filter with its definition, over advisories that differ in all fields.
const TYPES = Object.keys(EVENT_TYPES) as EventDraft["type"][];
const STATES = ["PENDING", "APPROVED", "REQUEST_CHANGES", "REJECTED"].map((state) => `REVIEW_STATE_${state}`);
const at = (hour: number) => new Date(Date.UTC(2026, 0, 1) + hour * 3_600_000);

const origins = new Map<string, string>();
const drafts: AdvisoryDraft[] = Array.from({ length: 48 }, (_, index) => {
  const artifactName = `${["openssl", "libssl3", "zlib", "100%_odd\\name"][index % 4]}`;
  const origin = index % 4 === 1 ? "openssl" : artifactName;
  const vulnerability = `CVE-2026-${10_000 + index}`;
  origins.set(vulnerability, origin);
  return draftOf(artifactName, {
    vulnerability,
    origin,
    aliases: index % 3 === 0 ? [`GHSA-aaaa-bbbb-${1000 + index}`] : [],
    ...(index % 6 === 0 && { legacyAdvisoryId: `OLD-${index}` }),
    artifactType: ["apk", "image", "library"][index % 3]!,
    artifactArchitecture: ["x86_64", "aarch64"][index % 2]!,
    componentName: `component-${index % 5}`,
    componentType: ["go-module", "python"][index % 2]!,
    componentLocation: `/usr/lib/${index % 4}`,
    namespace: "wolfi",
    events: Array.from({ length: index % 5 }, (_, step): EventDraft => ({
      type: TYPES[(index + step * 3) % TYPES.length]!,
      data: { note: `step ${step}` },
      // Two events at the same time: ordered by uid.
      at: at(index + Math.floor(step / 2)),
      stamp: String(step),
      author: `author-${(index + step) % 4}`,
      reviewer: step % 2 === 0 ? `reviewer-${index % 3}` : "",
      reviewState: STATES[(Math.floor(index / 8) + step) % STATES.length]!,
      issue: step === 0 ? `#${index}` : "",
      findings: step === 1 ? Buffer.from('{"found":true}').toString("base64") : "",
    })),
  });
});

let world: World;
let owner: Person;
let organization: string;
let all: Wire[];

beforeAll(async () => {
  world = await World.open();
  owner = await world.person("owner");
  organization = await world.create(owner, "groups", "", { name: "acme" });
  const { database } = world.service;
  await writeMetadata(
    database,
    ["CVE-2026-10001", "CVE-2026-10002", "GHSA-aaaa-bbbb-1003"].map((id, index) => ({
      id,
      toldBy: id,
      summary: `Summary ${index}`,
      details: "",
      references: [{ type: "TYPE_FIX", url: "https://example.com" }],
      severities: [
        { type: "TYPE_CVSS_V3", score: `CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:${"NLH"[index]}` },
      ],
    })),
  );
  await writeAdvisories(database, organization, drafts);
  all = (await world.make(owner, "advisories.list", { query: { page_size: "200" } }))["advisories"];
});
afterAll(() => world.service.stop());

const list = (search: string) =>
  world.service.call("GET", `/vulnerabilities/v2/advisories?page_size=200&${search}`, owner);
const uids = (rows: readonly Wire[]): string[] => rows.map(({ uid }) => uid);
const events = (row: Wire): Wire[] => row["events"] ?? [];
const newest = (row: Wire) => Object.keys(newestEvent(events(row) as never) ?? {});
const withText = (row: Wire, text: string) =>
  [row["artifactName"], row["componentName"], ...row["aliases"]].some((part: string) =>
    part.toLowerCase().includes(text.toLowerCase()),
  );
const originOf = (row: Wire) => origins.get(row["aliases"].find((id: string) => origins.has(id)));

type Case = readonly [search: string, matches: (row: Wire) => boolean];
const CASES: readonly Case[] = [
  ["artifactNames=zlib", (row) => row["artifactName"] === "zlib"],
  ["artifactNames=zlib&artifact_names=libssl3", (row) => ["zlib", "libssl3"].includes(row["artifactName"])],
  ["artifactTypes=apk&artifactTypes=image", (row) => row["artifactType"] !== "library"],
  ["artifactArchitectures=aarch64", (row) => row["artifactArchitecture"] === "aarch64"],
  ["component_names=component-2&componentNames=component-3", (row) => /[23]$/.test(row["componentName"])],
  ["componentTypes=python", (row) => row["componentType"] === "python"],
  ["componentLocations=/usr/lib/3", (row) => row["componentLocation"] === "/usr/lib/3"],
  ["aliases=CVE-2026-10003&aliases=GHSA-aaaa-bbbb-1006", (row) => /-1000[36]$/.test(row["aliases"][0])],
  [
    "legacyAdvisoryIds=OLD-6&legacy_advisory_ids=OLD-12",
    (row) => /^OLD-(6|12)$/.test(row["legacyAdvisoryId"]),
  ],
  ["origin=openssl", (row) => originOf(row) === "openssl"],
  ["origin=openssl&artifactNames=zlib", (row) => originOf(row) === "openssl"],
  [
    "eventReviewStates=REVIEW_STATE_REJECTED",
    (row) => events(row).some(({ reviewState }) => reviewState === STATES[3]),
  ],
  [
    "eventAuthors=author-1&eventAuthors=author-2",
    (row) => events(row).some(({ author }) => /[12]$/.test(author)),
  ],
  [
    "excludeEventAuthors=author-1&excludeEventAuthors=author-2",
    (row) => !events(row).some(({ author }) => /[12]$/.test(author)),
  ],
  ["eventReviewers=reviewer-2", (row) => events(row).some(({ reviewer }) => reviewer === "reviewer-2")],
  ...TYPES.flatMap((type): Case[] => [
    [`eventTypes=${EVENT_TYPES[type]}`, (row) => events(row).some((event) => event[type] !== undefined)],
    [`latestEventType=${EVENT_TYPES[type]}`, (row) => newest(row).includes(type)],
  ]),
  ["query=OpenSS", (row) => withText(row, "OpenSS")],
  ["query=COMPONENT-4", (row) => withText(row, "component-4")],
  ["query=bbbb-100", (row) => withText(row, "bbbb-100")],
  ["query=0%25_odd%5CN", (row) => row["artifactName"] === "100%_odd\\name"],
  [
    "query=zlib&artifactTypes=apk&eventAuthors=author-3",
    (row) =>
      row["artifactName"] === "zlib" &&
      row["artifactType"] === "apk" &&
      events(row).some(({ author }) => author === "author-3"),
  ],
];

describe.each(CASES)("%s", (search, matches) => {
  test("finds these and no others, and counts them", async () => {
    const { status, json } = await list(search);
    const expected = uids(all.filter(matches));
    expect([status, uids(json["advisories"] as Wire[])]).toEqual([200, expected]);
    expect(json["totalCount"]).toBe(String(expected.length));
    expect(expected.length).toBeGreaterThan(0);
    expect(expected.length).toBeLessThan(48);
  });
});

test("advisoryIds, and what filters nothing", async () => {
  const [one, two] = all as [Wire, Wire];
  const ids = `advisoryIds=${one["advisoryId"]}&advisory_ids=${two["advisoryId"]}`;
  expect(uids((await list(ids)).json["advisories"] as Wire[])).toEqual(uids([one, two]));
  expect(one["advisoryId"]).toMatch(/^[A-Z]+(-[0-9a-z]{4}){3}$/);
  for (const none of [
    "latestEventType=EVENT_TYPE_FILTER_UNSPECIFIED",
    "eventTypes=EVENT_TYPE_FILTER_UNSPECIFIED",
    "eventReviewStates=REVIEW_STATE_UNSPECIFIED",
    "origin=&query=",
  ])
    expect((await list(none)).json["totalCount"]).toBe("48");
});

test("a value that no enum has, and two of what takes one, are refused together", async () => {
  const answer = await list(
    "eventTypes=FIXED&eventReviewStates=APPROVED&latestEventType=x&origin=a&origin=b",
  );
  expect(fieldsOf(answer).toSorted()).toEqual([
    "eventReviewStates",
    "eventTypes",
    "latestEventType",
    "origin",
  ]);
});

test("events are told in their order, as they were written; severities are those of the aliases", async () => {
  for (const row of all) {
    const order = events(row).map(({ createTime, uid }) => `${createTime} ${uid}`);
    expect(order).toEqual(order.toSorted());
    for (const { uid } of events(row)) expect(uid).toMatch(new RegExp(`^${row["uid"]}/[0-9a-f]{16}$`));
    expect((await world.send(owner.token, "advisories.get", { uid: row["uid"] })).json).toEqual(row);
  }
  const scored = all.filter(({ severities }) => severities).map(({ aliases }) => aliases[0]);
  expect(scored.toSorted()).toEqual(["CVE-2026-10001", "CVE-2026-10002", "CVE-2026-10003"]);
  const found = all.flatMap(events).find(({ findings }) => findings);
  expect(JSON.parse(Buffer.from(found!["findings"], "base64").toString())).toEqual({ found: true });
});

test("documents: by origin package, with what was approved alone", async () => {
  const { json } = await world.send(owner.token, "documents.list");
  const documents = json["documents"] as Wire[];
  expect(documents.map(({ id }) => id)).toEqual([...new Set(origins.values())].toSorted());
  for (const { id, advisories } of documents) {
    const own = all.filter((row) => originOf(row) === id);
    const ids = own.map(({ advisoryId }) => advisoryId).toSorted();
    expect(advisories.map((one: Wire) => one["id"])).toEqual(ids);
    for (const one of advisories as Wire[]) {
      const row = own.find(({ advisoryId }) => advisoryId === one["id"])!;
      const told = events(row).filter((event) => event["reviewState"] === STATES[1] && !event["patched"]);
      expect(one["events"] ?? []).toEqual(
        told.map((event) => {
          const type = TYPES.find((name) => event[name] !== undefined)!;
          return { timestamp: event["createTime"], [type]: event[type] };
        }),
      );
      expect([one["packageNamespace"], one["aliases"]]).toEqual(["wolfi", row["aliases"]]);
    }
  }
  const narrow = async (search: string) =>
    (await world.service.call("GET", `/advisory/v2/documents?${search}`, owner)).json["documents"] as Wire[];
  const both = await narrow("id=openssl&cves=CVE-2026-10000&cves=CVE-2026-10002");
  expect(both.map(({ id, advisories }) => [id, advisories.length])).toEqual([["openssl", 1]]);
  expect(await narrow("id=zlib&cves=CVE-2026-10000")).toEqual([]);
});

test("documents page like any list", async () => {
  const whole = (await world.send(owner.token, "documents.list")).json["documents"];
  const found: unknown[] = [];
  let token = "";
  do {
    const query = { page_size: "2", ...(token && { page_token: token }) };
    const { json } = await world.send(owner.token, "documents.list", { query });
    expect([json["totalCount"], json["skipped"]]).toEqual(["3", 0]);
    found.push(...(json["documents"] as unknown[]));
    token = String(json["nextPageToken"] ?? "");
  } while (token && found.length < 10);
  expect(found).toEqual(whole);
  const skipped = await world.send(owner.token, "documents.list", { query: { skip: "2" } });
  expect(skipped.json).toEqual({ documents: (whole as unknown[]).slice(2), totalCount: "3", skipped: 2 });
});

test("documents are ordered by package or by their times, in both directions, and by nothing else", async () => {
  for (const [index, origin] of [...new Set(origins.values())].entries())
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await world.service.database.query(
      `update advisories set updated_at = now() + interval '1 hour' * $2, created_at = now() - interval '1 hour' * $2 where origin = $1`,
      [origin, (index * 2) % 3],
    );
  const rows = await world.service.database.query<{ origin: string; created: Date; updated: Date }>(
    `select origin, min(created_at) as created, max(updated_at) as updated from advisories group by origin order by origin`,
  );
  const ids = (by?: "created" | "updated") =>
    rows
      .toSorted((one, other) => (by ? one[by].getTime() - other[by].getTime() : 0))
      .map(({ origin }) => origin);
  const list = (query: Record<string, string>) => world.send(owner.token, "documents.list", { query });
  const listed = async (order: string) => {
    const found: string[] = [];
    for (let token = ""; found.length < 10;) {
      // oxlint-disable-next-line no-await-in-loop -- page after page
      const { json } = await list({ order_by: order, page_size: "1", ...(token && { page_token: token }) });
      found.push(...(json["documents"] as Wire[]).map(({ id }) => String(id)));
      token = String(json["nextPageToken"] ?? "");
      if (!token) break;
    }
    return found;
  };
  expect(new Set(rows.map(({ updated }) => updated.getTime())).size).toBe(rows.length);
  expect(await listed("id desc")).toEqual(ids().toReversed());
  expect(await listed("created_at")).toEqual(ids("created"));
  expect(await listed("updateTime desc")).toEqual(ids("updated").toReversed());
  for (const order_by of ["name", "nonsense", "id sideways"])
    expect(fieldsOf(await list({ order_by }))).toEqual(["order_by"]);
});

test("metadata: everybody with a token, by id, in either order, at most a thousand", async () => {
  const stranger = await world.person("stranger");
  const of = async (search: string) =>
    (await world.service.call("GET", `/advisory/v2/metadata?${search}`, stranger)).json;
  const ids = async (search: string) =>
    ((await of(search))["vulnerabilityMetadata"] as Wire[]).map(({ id }) => id);
  const everything = ["CVE-2026-10001", "CVE-2026-10002", "GHSA-aaaa-bbbb-1003"];
  expect(await ids("")).toEqual(everything);
  expect(await ids("order_by=id+desc")).toEqual(everything.toReversed());
  expect(await ids("id=CVE-2026-10001")).toEqual(everything.slice(0, 1));
  expect(await ids("id=CVE-2026-10001&ids=GHSA-aaaa-bbbb-1003&ids=none")).toEqual([
    everything[0],
    everything[2],
  ]);
  const first = await of("page_size=2");
  expect(first["vulnerabilityMetadata"]).toEqual(
    everything.slice(0, 2).map((id, index) => ({
      id,
      summary: `Summary ${index}`,
      references: [{ type: "TYPE_FIX", url: "https://example.com" }],
      severities: [
        { type: "TYPE_CVSS_V3", score: `CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:${"NLH"[index]}` },
      ],
    })),
  );
  const next = encodeURIComponent(String(first["nextPageToken"]));
  expect(await ids(`page_size=2&page_token=${next}`)).toEqual(everything.slice(2));
  expect(await ids("order_by=uid+desc")).toEqual(everything.toReversed());
  const many = Array.from({ length: 1_001 }, (_, index) => `ids=C${index}`).join("&");
  const answer = await world.service.call("GET", `/advisory/v2/metadata?${many}`, stranger);
  expect(fieldsOf(answer)).toEqual(["ids"]);
  expect(await ids(Array.from({ length: 1_001 }, () => "ids=CVE-2026-10001").join("&"))).toEqual([
    "CVE-2026-10001",
  ]);
});

test("metadata is ordered by its times too; what is read again unchanged keeps them", async () => {
  const { database } = world.service;
  const ids = ["CVE-2026-10001", "CVE-2026-10002", "GHSA-aaaa-bbbb-1003"];
  const times = (column: string) =>
    database.query<{ id: string; at: Date }>(
      `select id, ${column} as at from vulnerability_metadata order by 2, 1`,
    );
  // The first was read last, and changed first.
  for (const [index, id] of ids.entries())
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await database.query(
      `update vulnerability_metadata set created_at = timestamptz '2026-01-10' - interval '1 day' * $2::int,
         updated_at = timestamptz '2026-02-01' + interval '1 day' * ($2::int % 2) where id = $1`,
      [id, index],
    );
  const listed = async (order: string) => {
    const found: string[] = [];
    let token = "";
    do {
      // oxlint-disable-next-line no-await-in-loop -- page after page
      const { json } = await world.send(owner.token, "vulnerabilityMetadata.list", {
        query: { order_by: order, page_size: "1", ...(token && { page_token: token }) },
      });
      found.push(...(json["vulnerabilityMetadata"] as Wire[]).map(({ id }) => String(id)));
      token = String(json["nextPageToken"] ?? "");
    } while (token && found.length < 10);
    return found;
  };
  expect(await listed("created_at")).toEqual(ids.toReversed());
  expect(await listed("createTime desc")).toEqual(ids);
  expect(await listed("updated_at")).toEqual([ids[0], ids[2], ids[1]]);
  expect(await listed("updated_at desc")).toEqual([ids[1], ids[0], ids[2]]);
  const answer = await world.send(owner.token, "vulnerabilityMetadata.list", {
    query: { order_by: "summary" },
  });
  expect(fieldsOf(answer)).toEqual(["order_by"]);

  const [before, changed] = [await times("updated_at"), ids[2]!];
  const [known] = await database.query<{ summary: string; refs: []; severities: [] }>(
    "select summary, refs, severities from vulnerability_metadata where id = $1",
    [changed],
  );
  const draft = {
    id: changed,
    toldBy: changed,
    details: "",
    references: known!.refs,
    severities: known!.severities,
  };
  await writeMetadata(database, [{ ...draft, summary: known!.summary }]);
  expect(await times("updated_at")).toEqual(before);
  await writeMetadata(database, [{ ...draft, summary: "Another summary" }]);
  expect((await times("updated_at")).at(-1)?.id).toBe(changed);
  expect((await times("created_at"))[0]?.id).toBe(changed);
});

test("a deleted one is got and not listed, and no group goes that holds one", async () => {
  const [{ uid }] = all as [Wire];
  await world.service.database.query("update advisories set deleted_at = now() where uid = $1", [uid]);
  expect((await world.send(owner.token, "advisories.get", { uid })).json["deleteTime"]).toBeDefined();
  expect(uids((await list("")).json["advisories"] as Wire[])).toEqual(uids(all.slice(1)));
  const refusal = await world.send(owner.token, "groups.delete", { uid: organization });
  expect(refusal.json.message).toContain("advisories");
});

test("every write of a tag is in its history, and what changes no image is not", async () => {
  const repo = await world.create(owner, "repos", organization, { name: "app" });
  const put = (digit: string, more: Wire = {}) =>
    world.create(owner, "tags", repo, { name: "latest", digest: `sha256:${digit.repeat(64)}`, ...more });
  const tag = await put("1");
  await put("1", { deprecated: true });
  await put("2");
  await world.make(owner, "tags.delete", { uid: tag });
  await put("2");
  const history = await world.service.database.query<{ digest: string | null }>(
    "select digest from tag_history where repo_uid = $1 order by since",
    [repo],
  );
  expect(history.map(({ digest }) => digest?.at(-1))).toEqual(["1", "2", undefined, "2"]);
});

test("an image's packages are for those who may report on it: a refusal tells nothing of the tag", async () => {
  const repo = await world.create(owner, "repos", organization, { name: "nginx" });
  const tag = await world.create(owner, "tags", repo, { name: "latest", digest: `sha256:${"a".repeat(64)}` });
  const reader = await world.holder(owner, "reader", ["CAP_ADVISORIES_LIST"], organization);
  const asked = (person: Person, uid: string) =>
    world.service.call("GET", `/vulnerabilities/v2/advisories?page_size=2&tagUid=${uid}`, person);
  const refusals = await Promise.all([tag, `${repo}/${"0".repeat(16)}`].map((uid) => asked(reader, uid)));
  for (const refused of refusals) {
    expect(refused.status).toBe(403);
    expect(JSON.stringify(refused.json)).not.toMatch(/nginx|latest/);
  }
  const [known = "", unknown = ""] = refusals.map(({ json }) => String(json["message"]));
  expect(unknown.replace("0".repeat(16), tag.split("/").at(-1) ?? "")).toBe(known);
  const { status, json } = await asked(owner, tag);
  expect(status).toBe(200);
  // Nothing is known of its packages.
  expect(json["advisories"]).toEqual([]);
});
