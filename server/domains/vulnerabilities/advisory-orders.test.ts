import { fromVector } from "ae-cvss-calculator";
import { afterAll, beforeAll, expect, test } from "vitest";

import { by } from "platform-contract/order";
import { newestEvent, type AdvisoryEvent } from "platform-contract/vulnerabilities/events";
import { ratedOf, severityRank } from "platform-contract/vulnerabilities/rating";

import { draftOf } from "../../conformance/read-only";
import { World, type Person, type Wire } from "../../conformance/world";
import type { AdvisoryDraft, MetadataDraft } from "./advisory-drafts.table";
import { writeAdvisories, writeMetadata } from "./advisory-writes.table";

const [V2, V3, V4] = ["TYPE_CVSS_V2", "TYPE_CVSS_V3", "TYPE_CVSS_V4"];
const SAID = "TYPE_UNSPECIFIED";
/** Of the vulnerability with that number; the others have no metadata. */
const SEVERITIES: readonly MetadataDraft["severities"][] = [
  [{ type: V3!, score: "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H" }],
  // CVSS 2 ends at "High": below each "Critical", whatever the score.
  [{ type: V2!, score: "AV:N/AC:L/Au:N/C:C/I:C/A:C" }],
  [{ type: V3!, score: "9.0" }],
  [{ type: SAID, score: "CRITICAL" }],
  [{ type: SAID, score: "low" }],
  // The newest version counts, not the highest score.
  [
    { type: V3!, score: "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H" },
    { type: V4!, score: "CVSS:4.0/AV:L/AC:L/AT:P/PR:L/UI:N/VC:L/VI:L/VA:N/SC:N/SI:N/SA:N" },
  ],
  [
    { type: SAID, score: "CRITICAL" },
    { type: V3!, score: "5.0" },
  ],
  [{ type: V3!, score: "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N" }],
  [{ type: V3!, score: "nonsense" }],
  [],
];
const at = (hour: number) => new Date(Date.UTC(2026, 0, 1) + hour * 3_600_000);
const idOf = (index: number): string => `CVE-2026-${20_000 + index}`;
const metadataOf = (index: number, severities: MetadataDraft["severities"]): MetadataDraft => {
  const id = idOf(index);
  return { id, toldBy: id, summary: "", details: "", references: [], severities };
};

const drafts: AdvisoryDraft[] = Array.from({ length: 36 }, (_, index) =>
  draftOf(`package-${index}`, {
    vulnerability: idOf(index % 12),
    // Some are about two, of which the newest version of CVSS decides.
    aliases: index % 7 === 0 ? [idOf((index * 5) % 12)] : index === 17 ? [idOf(0)] : [],
    source: { id: `RECORD-${index}`, modifiedAt: at(100) },
    events: [
      { type: "detection", data: {}, at: at(index % 5), author: "one", reviewState: "REVIEW_STATE_APPROVED" },
      {
        type: "fixed",
        data: { fixedVersion: "1" },
        at: at(10 - (index % 4)),
        author: "two",
        reviewState: index % 3 === 0 ? "REVIEW_STATE_PENDING" : "REVIEW_STATE_APPROVED",
      },
    ].slice(index % 6 === 5 ? 2 : 0) as AdvisoryDraft["events"],
  }),
);

let world: World;
let owner: Person;
let organization: string;
const write = (all: readonly AdvisoryDraft[]): Promise<void> =>
  world.service.database.transaction((queries) => writeAdvisories(queries, organization, all));
beforeAll(async () => {
  world = await World.open();
  owner = await world.person("owner");
  organization = await world.create(owner, "groups", "", { name: "acme" });
  await writeMetadata(
    world.service.database,
    SEVERITIES.map((one, index) => metadataOf(index, one)),
  );
  await write(drafts);
});
afterAll(() => world.service.stop());

async function listed(order_by: string, size: string, more: Wire = {}): Promise<Wire[]> {
  const found: Wire[] = [];
  let token = "";
  do {
    // oxlint-disable-next-line no-await-in-loop -- page after page
    const page = await world.make(owner, "advisories.list", {
      query: { order_by, page_size: size, ...more, ...(token && { page_token: token }) },
    });
    found.push(...((page["advisories"] ?? []) as Wire[]));
    token = page["nextPageToken"] ?? "";
  } while (token && found.length < 200);
  return found;
}

/** What a reader sees of an advisory, as a number; undefined if it is not known. */
const SHOWN: Readonly<Record<string, (row: Wire) => number | undefined>> = {
  severity({ severities }) {
    const [first] = ratedOf(severities ?? [], fromVector);
    return first && severityRank(first);
  },
  latest_event_time({ events }) {
    const { createTime } = newestEvent((events ?? []) as AdvisoryEvent[]) ?? {};
    return createTime === undefined ? undefined : Date.parse(createTime);
  },
};

async function isInOrder(order: string, more: Wire = {}): Promise<Wire[]> {
  const [field = "", direction] = order.split(" ");
  const shown = SHOWN[field]!;
  const key = (row: Wire): number =>
    direction === "desc" ? -(shown(row) ?? -Infinity) : (shown(row) ?? Infinity);
  const whole = await listed(order, "200", more);
  const expected = whole.toSorted(by(key, ({ uid }) => uid as string));
  expect(whole.map(({ uid }) => uid)).toEqual(expected.map(({ uid }) => uid));
  const paged = await listed(order, "3", more);
  expect(paged.map(({ uid }) => uid)).toEqual(expected.map(({ uid }) => uid));
  return whole;
}

const ORDERS = ["severity", "severity desc", "latest_event_time", "latest_event_time desc"];

test.each(ORDERS)(
  "by %s: what lists show, each once on pages of any size, the unknown last",
  async (order) => {
    const whole = await isInOrder(order);
    expect(whole).toHaveLength(drafts.length);
    const shown = whole.map(SHOWN[order.split(" ")[0]!]!);
    expect(new Set(shown).size).toBeGreaterThan(4);
    expect(shown.at(-1)).toBeUndefined();
    expect(shown[0]).toBeDefined();
    await isInOrder(order, { artifactTypes: "apk", "uidp.descendants_of": organization });
    // Another reader of the same field's name (AIP-132).
    const [camel] = await listed(
      order.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      "1",
    );
    expect(camel?.["uid"]).toBe(whole[0]?.["uid"]);
  },
);

const withCve = (rows: readonly Wire[], index: number): Wire[] =>
  rows.filter(({ aliases }) => aliases.length === 1 && aliases[0] === idOf(index));

test("a new score moves every advisory of the vulnerability, and so does one that is taken back", async () => {
  const { database } = world.service;
  // Unrated, then the worst of all.
  const worst = [{ type: V4!, score: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H" }];
  await writeMetadata(database, [metadataOf(8, worst)]);
  const [first] = await isInOrder("severity desc");
  expect(SHOWN["severity"]!(first!)).toBe(4101);
  expect(withCve(await listed("severity desc", "3"), 8)[0]?.["uid"]).toBe(first?.["uid"]);
  await writeMetadata(database, [metadataOf(8, [])]);
  const after = await isInOrder("severity desc");
  const gone = withCve(after, 8);
  expect(gone.length).toBeGreaterThan(0);
  expect(gone.map((row) => SHOWN["severity"]!(row))).toEqual(gone.map(() => undefined));
});

test("a newer event moves its advisory, a pending one does not, and a withdrawn record's events no longer count", async () => {
  const [draft] = drafts.slice(1);
  const add = (more: Partial<AdvisoryDraft>) => write([{ ...draft!, events: [], ...more }]);
  const event = (hour: number, reviewState: string) => ({
    source: { id: "OTHER", modifiedAt: at(100 + hour) },
    events: [
      { type: "patched", data: {}, at: at(hour), author: "three", reviewState, stamp: reviewState } as const,
    ],
  });
  const firstName = async () => (await isInOrder("latest_event_time desc"))[0]?.["artifactName"];
  const before = await firstName();
  expect(before).not.toBe(draft?.artifactName);
  await add(event(50, "REVIEW_STATE_PENDING"));
  expect(await firstName()).toBe(before);
  await add(event(60, "REVIEW_STATE_APPROVED"));
  expect(await firstName()).toBe(draft?.artifactName);
  await add({ source: { id: "OTHER", modifiedAt: at(400), withdrawnAt: at(400) } });
  expect(await firstName()).toBe(before);
  await add({ source: { id: "OTHER", modifiedAt: at(500) } });
  expect(await firstName()).toBe(draft?.artifactName);
  // The record now names another package instead.
  await write([{ ...drafts[4]!, events: [], source: { id: "OTHER", modifiedAt: at(600) } }]);
  expect(await firstName()).toBe(before);
});

test("writing the same again changes no row", async () => {
  const { database } = world.service;
  const rows = () =>
    database.query("select uid, updated_at, severity_rank, latest_event_at, xmin from advisories");
  const before = await rows();
  await write(drafts.slice(2));
  expect(await rows()).toEqual(before);
});
