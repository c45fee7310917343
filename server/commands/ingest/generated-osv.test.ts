import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { by } from "platform-contract/order";
import type { Advisory } from "platform-contract/vulnerabilities/advisories";
import { verdictOf } from "../../../src/domains/vulnerabilities/advisories/verdict";

import type { Database } from "../../platform/store/database";
import {
  advisoriesTable,
  advisoryOf,
  type AdvisoryRow,
} from "../../domains/vulnerabilities/advisories.table";
import { decideVersion } from "../../domains/vulnerabilities/installed-versions.table";
import { GROUP, forgetFiles, openForIngest } from "../../testing/ingesting";
import { ingest } from "./ingest";

/**
 * 500 random OSV records, and what they say computed without any code of the service: an ecosystem's versions are built in
 * a known order, so a version is its index here, and a set of affected versions is an array of booleans.
 */
const RECORDS = 500;
/** Several thousand statements, which take a while on a busy machine. */
const TIMEOUT = { timeout: 300_000 };

/** https://en.wikipedia.org/wiki/Linear_congruential_generator, with the constants of Numerical Recipes. */
function chances(seed: number) {
  let state = seed;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  return {
    below,
    one: <T>(list: readonly T[]): T => list[below(list.length)] as T,
    in: (percent: number): boolean => below(100) < percent,
  };
}
type Chances = ReturnType<typeof chances>;

/** Numbers that a comparison of texts gets wrong. */
const numbers = (at: number): string => `${1 + Math.floor(at / 12)}.${at % 12}.10`;
/** Versions in order: each kind of them for each number in turn. */
const series = (...kinds: ((number: string) => string)[]): string[] =>
  Array.from({ length: 30 }, (_, at) => kinds.map((kind) => kind(numbers(at)))).flat();

interface Ecosystem {
  readonly names: readonly string[];
  /** Package type and distribution, as the service writes them. */
  readonly type: string;
  readonly distribution: string;
  readonly versions: readonly string[];
  /** Packages, each with its spellings; the first is the service's. */
  readonly packages: readonly (readonly string[])[];
}
const plain = ["one", "two", "three", "four", "five", "six"].map((name) => [name]);
const ECOSYSTEMS: readonly Ecosystem[] = [
  {
    names: ["npm"],
    type: "npm",
    distribution: "",
    versions: series(
      (n) => `${n}-beta.2`,
      (n) => `${n}-rc.10`,
      (n) => n,
    ),
    packages: [...plain, ["@scope/one"]],
  },
  {
    names: ["PyPI"],
    type: "python",
    distribution: "",
    versions: series(
      (n) => `${n}rc1`,
      (n) => n,
      (n) => `${n}.post2`,
    ),
    packages: [["one-two", "One_Two", "one.two"], ["three"], ["four"]],
  },
  {
    names: ["Maven", "Maven:https://repo.example.com"],
    type: "java-archive",
    distribution: "",
    versions: series(
      (n) => `${n}-beta-2`,
      (n) => `${n}-rc1`,
      (n) => n,
      (n) => `${n}-sp-1`,
    ),
    packages: [["org.example:one"], ["org.example:two"]],
  },
  {
    names: ["Go"],
    type: "go-module",
    distribution: "",
    versions: series(
      (n) => `${n}-0.20260102030405-abcdefabcdef`,
      (n) => n,
    ),
    packages: [["example.com/one"], ["example.com/one/v2"]],
  },
  {
    names: ["NuGet"],
    type: "dotnet",
    distribution: "",
    versions: series(
      (n) => n,
      (n) => `${n}.2`,
      (n) => `${n}.10`,
    ),
    packages: [["acme.one", "Acme.One"], ["acme.two"]],
  },
  {
    names: ["RubyGems"],
    type: "gem",
    distribution: "",
    versions: series(
      (n) => `${n}.pre2`,
      (n) => `${n}.pre10`,
      (n) => n,
    ),
    packages: plain,
  },
  {
    names: ["Packagist"],
    type: "composer",
    distribution: "",
    versions: series(
      (n) => `v${n}-beta2`,
      (n) => `v${n}-RC1`,
      (n) => n,
      (n) => `${n}-p1`,
    ),
    packages: [["acme/one", "Acme/One"], ["acme/two"]],
  },
  ...["Debian:11", "Debian:12", "Ubuntu:24.04:LTS"].map((name) => ({
    names: [name],
    type: "deb",
    distribution: name,
    versions: [
      ...series(
        (n) => `${n}~rc1-1`,
        (n) => `${n}-1`,
        (n) => `${n}-1+deb12u2`,
        (n) => `${n}-1+deb12u10`,
      ),
      ...series((n) => `1:${n}-1`),
    ],
    packages: [["one"], ["two"]],
  })),
  ...["Alpine:v3.20", "Alpine:v3.21", "Wolfi"].map((name) => ({
    names: [name],
    type: "apk",
    distribution: name,
    versions: series(
      (n) => `${n}_rc1-r0`,
      (n) => `${n}-r2`,
      (n) => `${n}-r10`,
      (n) => `${n}_p1-r0`,
    ),
    packages: [["one"], ["two"]],
  })),
  {
    names: ["Red Hat:enterprise_linux:9"],
    type: "rpm",
    distribution: "Red Hat:enterprise_linux:9",
    versions: series(
      (n) => `0:${n}~rc1-1.el9`,
      (n) => `${n}-2.el9`,
      (n) => `0:${n}-10.el9`,
    ),
    packages: [["one"], ["two"]],
  },
];

type Step = Readonly<Record<string, number>>;
interface Entry {
  readonly ecosystem: Ecosystem;
  readonly spelling: string;
  readonly ecosystemName: string;
  readonly package: string;
  readonly ranges: readonly { readonly type: string; readonly steps: readonly Step[] }[];
  readonly versions: readonly number[];
}
interface Generated {
  readonly id: string;
  readonly cves: readonly string[];
  readonly modified: string;
  readonly published: string | undefined;
  readonly withdrawn: string | undefined;
  readonly entries: readonly Entry[];
}

function stepsOf({ below, one, in: happens }: Chances, last: number): Step[] {
  const end = one(["fixed", "fixed", "fixed", "last_affected"]);
  const steps: Step[] = Array.from({ length: 1 + below(3) }, () => [
    { introduced: happens(40) ? 0 : below(last) },
    // Nothing is older than the first version, so nothing is fixed in it.
    ...(happens(80) ? [{ [end]: 1 + below(last - 1) }] : []),
  ]).flat();
  if (happens(8)) steps.push({ limit: below(last) });
  // Sources list them in any order; some forget where a range begins.
  const mixed = steps.toSorted(() => below(3) - 1);
  return happens(3) ? mixed.filter((step) => !("introduced" in step)) : mixed;
}

function entryOf(random: Chances): Entry {
  const { below, one, in: happens } = random;
  const ecosystem = one(ECOSYSTEMS);
  const spellings = one(ecosystem.packages);
  const last = ecosystem.versions.length;
  return {
    ecosystem,
    ecosystemName: one(ecosystem.names),
    spelling: one(spellings),
    package: spellings[0] ?? "",
    ranges: Array.from({ length: happens(15) ? 0 : 1 + below(3) }, () => ({
      type: one(["SEMVER", "ECOSYSTEM", "ECOSYSTEM", "GIT"]),
      steps: stepsOf(random, last),
    })),
    versions: happens(25) ? Array.from({ length: 1 + below(4) }, () => below(last)) : [],
  };
}

const DAY = 86_400_000;
const dayText = (day: number): string => new Date(Date.UTC(2026, 0, 1) + day * DAY).toISOString();

function recordsOf(seed: number): Generated[] {
  const random = chances(seed);
  const { below, one, in: happens } = random;
  const records: Generated[] = [];
  for (let at = 0; at < RECORDS; at += 1) {
    const cve = () => `CVE-2026-${10_000 + below(60)}`;
    // One of a few days, so that many records have the same time.
    const modified = below(40);
    const time = happens(3) ? "0001-01-01T00:00:00Z" : dayText(modified);
    const common = {
      id: `SRC-${seed}-${at}`,
      cves: happens(8) ? [...new Set([cve(), cve()])] : [cve()],
      published: happens(10) ? undefined : happens(40) ? time : dayText(below(40)),
    };
    const version = (text: string): Generated => ({
      ...common,
      modified: text,
      withdrawn: happens(12) ? dayText(modified) : undefined,
      entries: Array.from({ length: 1 + below(3) }, () => entryOf(random)),
    });
    records.push(version(time));
    // A later version of the same record, about other packages perhaps.
    if (happens(15)) records.push(version(dayText(60 + modified)));
  }
  return records.toSorted(() => one([-1, 1]));
}

const osvOf = ({ id, cves, modified, published, withdrawn, entries }: Generated) => ({
  id,
  aliases: cves,
  modified,
  ...(published && { published }),
  ...(withdrawn && { withdrawn }),
  affected: entries.map(({ ecosystem: { versions: all }, ecosystemName, spelling, ranges, versions }) => ({
    package: { ecosystem: ecosystemName, name: spelling },
    ranges: ranges.map(({ type, steps }) => ({
      type,
      events: steps.map((step) =>
        Object.fromEntries(
          Object.entries(step).map(([kind, index]) => [
            kind,
            kind === "introduced" && index === 0 ? "0" : all[index],
          ]),
        ),
      ),
    })),
    versions: versions.map((index) => all[index]),
  })),
});

interface Said {
  readonly status: string;
  readonly fixes: readonly string[];
  readonly affected: readonly boolean[];
}

/** https://ossf.github.io/osv-schema/#evaluation, for each version there is, and one more that is newer than all. */
function evaluate(steps: readonly Step[], count: number): boolean[] {
  const limits = steps.flatMap(({ limit }) => (limit === undefined ? [] : [limit]));
  return Array.from({ length: count + 1 }, (_, version) => {
    if (limits.length > 0 && !limits.some((limit) => version < limit)) return false;
    let vulnerable = false;
    for (let at = 0; at <= version; at += 1) {
      for (const { last_affected: end } of steps)
        if (end !== undefined && end < at && end === at - 1) vulnerable = false;
      for (const { fixed } of steps) if (fixed === at) vulnerable = false;
      for (const { introduced } of steps) if (introduced === at) vulnerable = true;
    }
    return vulnerable;
  });
}

function saidOf(entries: readonly Entry[]): Said {
  const [{ ecosystem }] = entries as [Entry];
  const count = ecosystem.versions.length;
  const ranges = entries
    .flatMap((entry) => entry.ranges)
    .filter(({ type, steps }) => type !== "GIT" && steps.some((step) => "introduced" in step));
  const sets = ranges.map(({ steps }) => evaluate(steps, count));
  const inRanges = Array.from({ length: count + 1 }, (_, version) => sets.some((set) => set[version]));
  const versions = entries.flatMap((entry) => entry.versions);
  const affected = inRanges.map((is, version) => is || versions.includes(version));
  // Where the ranges end: with a version that some range calls a fix, or without.
  const fixedAt = new Set(ranges.flatMap(({ steps }) => steps.flatMap(({ fixed }) => fixed ?? [])));
  const ends = inRanges.flatMap((is, version) => (is && !inRanges[version + 1] ? [version + 1] : []));
  const isFix = (end: number) =>
    fixedAt.has(end) &&
    sets.some(
      (set, index) => set[end - 1] && !set[end] && ranges[index]?.steps.some(({ fixed }) => fixed === end),
    );
  const fixes = ends.filter(isFix);
  const newest = Math.max(...fixes);
  const base = { fixes: fixes.map((index) => ecosystem.versions[index] ?? ""), affected };
  if (!affected.includes(true))
    return { ...base, status: ranges.length > 0 ? "not_affected" : "under_investigation" };
  const outside = versions.filter((version) => !inRanges[version]);
  const isFixed =
    fixes.length > 0 && fixes.length === ends.length && outside.every((version) => version < newest);
  return { ...base, status: isFixed ? "fixed" : "affected" };
}

/** The right answer for each package where it holds and vulnerability, in the form of `answers`. */
function expected(records: readonly Generated[]): Record<string, Said> {
  const newest = new Map<string, Generated>();
  for (const record of records) {
    const known = newest.get(record.id);
    if (!known || Date.parse(record.modified) > Date.parse(known.modified)) newest.set(record.id, record);
  }
  const decisive = new Map<string, { time: number; id: string; said: Said }>();
  for (const record of newest.values()) {
    if (record.withdrawn !== undefined) continue;
    const isKnown = (text: string | undefined) => text !== undefined && !text.startsWith("0001");
    const time = [record.modified, record.published].filter(isKnown)[0];
    const byPackage = new Map<string, Entry[]>();
    for (const entry of record.entries) {
      const name = [entry.ecosystem.type, entry.package, entry.ecosystem.distribution].join(" | ");
      byPackage.set(name, [...(byPackage.get(name) ?? []), entry]);
    }
    for (const [name, entries] of byPackage)
      for (const cve of record.cves) {
        const key = `${name} | ${cve}`;
        const one = {
          time: time === undefined ? Infinity : Date.parse(time),
          id: record.id,
          said: saidOf(entries),
        };
        const known = decisive.get(key);
        // Of one time, the id decides.
        if (!known || one.time > known.time || (one.time === known.time && one.id > known.id))
          decisive.set(key, one);
      }
  }
  return Object.fromEntries([...decisive].map(([key, { said }]) => [key, said]));
}

let database: Database;
beforeAll(async () => {
  database = await openForIngest();
});
afterAll(() => database.close());
beforeEach(() => clear());

const clear = () => forgetFiles(database);

async function take(records: readonly Generated[]): Promise<void> {
  const text = records.map((record) => JSON.stringify(osvOf(record))).join("\n");
  async function* chunks() {
    yield Buffer.from(text);
  }
  await ingest(database, chunks(), { group: GROUP, digest: undefined });
}

async function listed(): Promise<Map<string, Advisory>> {
  const rows = await database.query<AdvisoryRow>(
    `select ${advisoriesTable.columns} from advisories t ${advisoriesTable.joins} where t.deleted_at is null`,
  );
  return new Map(
    rows.map((row) => {
      const item = advisoryOf(row);
      const cve = item.aliases?.find((id) => id.startsWith("CVE-"));
      return [[item.artifactType, item.artifactName, item.appliesTo, cve].join(" | "), item];
    }),
  );
}

/** What the console shows of each advisory that the service lists: status and fixed versions. */
const answers = async () =>
  Object.fromEntries(
    [...(await listed())].map(([key, item]) => {
      const { status, event } = verdictOf(item);
      return [key, { status, fixes: (event?.affectedRanges ?? []).flatMap(({ fixed }) => fixed ?? []) }];
    }),
  );

const wanted = (records: readonly Generated[]) =>
  Object.fromEntries(
    Object.entries(expected(records)).map(([key, { status, fixes }]) => [key, { status, fixes }]),
  );

/** Whether the service calls each version of a package affected. */
const decided = (item: Advisory, versions: readonly string[]) =>
  versions.map((version) => decideVersion(item, version).verdict?.replace("VERSION_VERDICT_", ""));

test("answers for random OSV records are those computed without the service", TIMEOUT, async () => {
  const records = recordsOf(1);
  await take(records);
  expect(await answers()).toEqual(wanted(records));
  const items = await listed();
  for (const [key, { status, affected }] of Object.entries(expected(records))) {
    const item = items.get(key) as Advisory;
    const { versions } = ECOSYSTEMS.find(
      ({ type, distribution }) => type === item.artifactType && distribution === item.appliesTo,
    ) as Ecosystem;
    const right = versions.map((_, at) =>
      status === "under_investigation" ? "UNKNOWN" : affected[at] ? "AFFECTED" : "NOT_AFFECTED",
    );
    expect({ key, decided: decided(item, versions) }).toEqual({ key, decided: right });
  }
});

test("any order, repetition and division of the files gives the same answers", TIMEOUT, async () => {
  const records = recordsOf(4);
  const right = wanted(records);
  const { one } = chances(5);
  const orders = [
    records.toReversed(),
    records.toSorted(by(({ id }) => id)),
    records.toSorted(() => one([-1, 1])),
  ];
  for (const order of orders) {
    await clear();
    await take(order);
    expect(await answers()).toEqual(right);
  }
  await take(records);
  expect(await answers()).toEqual(right);
  await clear();
  await take(records.slice(0, RECORDS / 2));
  await take(records.slice(RECORDS / 2));
  expect(await answers()).toEqual(right);
});
