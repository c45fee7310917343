import * as z from "zod";
import type {
  AdvisoryDraft,
  EventDraft,
  MetadataDraft,
} from "../../domains/vulnerabilities/advisory-drafts.table";
import { orderOf } from "../../platform/store/versions/version-order";
import { isWithin } from "../../platform/store/versions/version-ranges";
import { entriesOf } from "./entries";
import type { Format } from "./formats";
import { ofOsv } from "./package-names";
import { eventOfRanges, rangesOf, unitedRanges, type RangeEvent } from "./ranges";
import { vulnerabilitiesOf, type VulnerabilityNames } from "./vulnerability-ids";

/** `AV:N/AC:L`: metrics with their values, at least the six that every version of CVSS has; the longest is `U:Amber`. */
const METRICS = /^(?:[A-Za-z]{1,3}:[A-Za-z]{1,5}\/){5,}[A-Za-z]{1,3}:[A-Za-z]{1,5}$/;

const PREFIXES: Readonly<Record<string, RegExp>> = {
  CVSS_V2: /^/,
  CVSS_V3: /^CVSS:3\.[01]\//,
  CVSS_V4: /^CVSS:4\.0\//,
};

/** True if `score` is a vector of that type: `CVSS_V2`, `CVSS_V3` or `CVSS_V4` (https://www.first.org/cvss/). */
function isVector(type: string, score: string): boolean {
  const prefix = PREFIXES[type];
  return prefix !== undefined && prefix.test(score) && METRICS.test(score.replace(prefix, ""));
}

const WORDS: Readonly<Record<string, string>> = {
  critical: "CRITICAL",
  high: "HIGH",
  important: "HIGH",
  medium: "MEDIUM",
  moderate: "MEDIUM",
  low: "LOW",
  negligible: "LOW",
};

/** A severity that a source states as a word, in ours; undefined if it is none that we know. */
const wordOf = (text: string | undefined): string | undefined => WORDS[(text ?? "").trim().toLowerCase()];

const time = z.iso.datetime({ offset: true });
const severity = z.object({ type: z.string(), score: z.string() });
const words = z.looseObject({ severity: z.string().optional().catch(undefined) });

/** https://ossf.github.io/osv-schema, only the fields used here. */
const record = z.object({
  id: z.string().min(1),
  modified: time,
  published: time.optional(),
  withdrawn: time.optional(),
  aliases: z.array(z.string()).nullish(),
  upstream: z.array(z.string()).nullish(),
  summary: z.string().nullish(),
  details: z.string().nullish(),
  severity: z.array(z.unknown()).nullish(),
  references: z.array(z.unknown()).nullish(),
  affected: z.array(z.unknown()).nullish(),
  database_specific: words.nullish().catch(undefined),
});
type Osv = z.infer<typeof record>;

const affectedEntry = z.object({
  package: z.object({ ecosystem: z.string().min(1), name: z.string().min(1) }).optional(),
  ranges: z
    .array(z.object({ type: z.string(), events: z.array(z.record(z.string(), z.string())) }))
    .nullish(),
  versions: z.array(z.string()).nullish(),
  severity: z.array(z.unknown()).nullish(),
  database_specific: words.nullish().catch(undefined),
  ecosystem_specific: words.nullish().catch(undefined),
});
type Affected = z.infer<typeof affectedEntry>;

const reference = z.object({ type: z.string(), url: z.string() });

/** `CGA-xxxx-xxxx-xxxx` is the public id of an advisory; a GHSA id is that of a vulnerability. */
const PUBLIC_ID = /^(?!GHSA-)[A-Z]+(?:-[23456789cfghjmpqrvwx]{4}){3}$/;

const CVSS = new Set(["CVSS_V2", "CVSS_V3", "CVSS_V4"]);

/** Vectors of the record, else those of its packages; without any, the source's word, as a severity or beside them. */
function severitiesOf(
  osv: Osv,
  affected: readonly Affected[],
  skipped: string[],
): MetadataDraft["severities"] {
  const words: string[] = [];
  const vectorsIn = (list: readonly unknown[] | null | undefined) =>
    entriesOf(severity, list, `${osv.id} severity`, skipped).flatMap(({ type, score }) => {
      if (!CVSS.has(type)) {
        // A priority of Ubuntu, or another source's own word.
        if (wordOf(score) === undefined) skipped.push(`${osv.id} severity ${score} of ${type} is not known`);
        else words.push(score);
        return [];
      }
      if (isVector(type, score)) return [{ type: `TYPE_${type}`, score }];
      skipped.push(`${osv.id} severity ${score} is not a ${type} vector`);
      return [];
    });
  const own = vectorsIn(osv.severity);
  const all = own.length > 0 ? own : affected.flatMap((one) => vectorsIn(one.severity));
  if (all.length > 0) return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
  const beside = [osv, ...affected.flatMap((one) => [one, { database_specific: one.ecosystem_specific }])];
  const said = [...words, ...beside.map((one) => one.database_specific?.severity)]
    .map(wordOf)
    .find((word) => word !== undefined);
  return said === undefined ? [] : [{ type: "TYPE_UNSPECIFIED", score: said }];
}

/** @param names the ids that it describes */
function metadataOf(
  osv: Osv,
  affected: readonly Affected[],
  names: readonly string[],
  skipped: string[],
): MetadataDraft[] {
  const one = {
    toldBy: osv.id,
    summary: osv.summary ?? "",
    details: osv.details ?? "",
    references: entriesOf(reference, osv.references, `${osv.id} references`, skipped).map(
      ({ type, url }) => ({
        type: `TYPE_${type}`,
        url,
      }),
    ),
    severities: severitiesOf(osv, affected, skipped),
  };
  return [...new Set(names)].map((id) => ({ ...one, id }));
}

/** Times before this are a source's way to say that it does not know. */
const SOME_TIME = Date.UTC(1980, 0, 1);

interface Times {
  readonly found: Date | undefined;
  readonly stated: Date | undefined;
}

/**
 * The times of a record: a detection at the earlier, what it states when it was modified, which is the only time that moves
 * on with its content. What is not known is the same as what is.
 */
function timesOf({ published, modified }: Osv): Times {
  const [known, changed] = [published, modified]
    .map((text) => Date.parse(text ?? ""))
    .map((at) => (at >= SOME_TIME ? at : undefined));
  const stated = changed ?? known;
  if (stated === undefined) return { found: undefined, stated: undefined };
  return { found: new Date(Math.min(known ?? stated, stated)), stated: new Date(stated) };
}

/** The ranges of an entry that begin somewhere; the others mean nothing. Commits are no versions. */
const listedIn = (entries: readonly Affected[]) =>
  entries
    .flatMap((entry) => entry.ranges ?? [])
    .filter(({ type, events }) => type !== "GIT" && events.some((event) => "introduced" in event));

/** What a record says of one package: all of its entries about it together. */
function eventsOf({ found, stated }: Times, type: string, entries: readonly Affected[]): EventDraft[] {
  const compare = orderOf(type);
  const listed = listedIn(entries);
  const ranges = unitedRanges(
    listed.flatMap(({ events }) => rangesOf(events as RangeEvent[], compare)),
    compare,
  );
  const all = entries.flatMap((entry) => entry.versions ?? []);
  // Besides ranges, the versions mostly enumerate what these contain. One without an order is affected because it is listed.
  const versions = [...new Set(all.filter((one) => !isWithin(one, ranges, type)))];
  const detection = { author: "OSV", type: "detection" as const, data: { manual: {} } };
  const first: EventDraft = { ...detection, at: found, place: 0 };
  const shared = {
    author: "OSV",
    at: stated,
    place: 1,
    ...(ranges.length > 0 && { ranges }),
    ...(versions.length > 0 && { versions }),
  };
  if (ranges.length > 0 || versions.length > 0)
    return [first, { ...shared, ...eventOfRanges(ranges, versions, compare) }];
  // Ranges that contain nothing: no version was ever affected.
  if (listed.length > 0)
    return [
      first,
      {
        ...shared,
        type: "falsePositiveDetermination",
        data: { type: "TYPE_VULNERABLE_CODE_VERSION_NOT_USED" },
      },
    ];
  // Takes back what an earlier version of the record stated.
  return [first, { ...detection, at: stated, place: 1, stamp: "nothing stated" }];
}

/**
 * An advisory with a public id describes its vulnerability, which is known by its other names. Of several, what it says
 * is true of none of them alone.
 */
function ofPublicId(
  { id, summary, details, severity: severities }: Osv,
  vulnerabilities: readonly VulnerabilityNames[],
  skipped: string[],
): readonly string[] {
  if (!summary && !details && !severities?.length) return [];
  const [only, ...others] = vulnerabilities;
  if (only && others.length === 0) return [only.vulnerability];
  skipped.push(
    `${id} describes ${vulnerabilities.length} vulnerabilities at once: its description was not used`,
  );
  return [];
}

export const osv: Format = {
  name: "OSV",
  needs: "group",
  fits: (value) =>
    "id" in value &&
    !("statements" in value) &&
    ("modified" in value || "affected" in value || "published" in value),
  read(value) {
    if (!("modified" in value)) return { refused: "is an OSV record without modified" };
    const one = record.parse(value);
    const skipped: string[] = [];
    const affected = entriesOf(affectedEntry, one.affected, `${one.id} affected`, skipped);
    const vulnerabilities = vulnerabilitiesOf(one.id, [...(one.aliases ?? []), ...(one.upstream ?? [])]);
    const publicId = PUBLIC_ID.test(one.id) && one.id;
    const packages = new Map<
      string,
      { type: string; name: string; distribution: string; entries: Affected[] }
    >();
    for (const entry of affected) {
      if (!entry.package) continue;
      const named = ofOsv(entry.package.ecosystem, entry.package.name);
      const key = JSON.stringify(named);
      packages.set(key, { ...named, entries: [...(packages.get(key)?.entries ?? []), entry] });
    }
    const times = timesOf(one);
    const advisories = [...packages.values()].flatMap(({ type, name, distribution, entries }) => {
      const events = eventsOf(times, type, entries);
      return vulnerabilities.map(({ vulnerability, aliases }): AdvisoryDraft => ({
        vulnerability,
        aliases: aliases.filter((id) => id !== publicId),
        ...(publicId !== false && { advisoryId: publicId }),
        author: "OSV",
        artifactName: name,
        artifactType: type,
        componentName: name,
        componentType: type,
        namespace: (entries[0]?.package?.ecosystem.split(":", 1)[0] ?? "").toLowerCase(),
        appliesTo: distribution,
        createdAt: times.found,
        source: {
          id: one.id,
          url: `https://osv.dev/vulnerability/${encodeURIComponent(one.id)}`,
          modifiedAt: new Date(one.modified),
          withdrawnAt: one.withdrawn === undefined ? undefined : new Date(one.withdrawn),
        },
        events,
      }));
    });
    if (advisories.length === 0) skipped.push(`${one.id} names no package: only its metadata was used`);
    const metadata = metadataOf(
      one,
      affected,
      publicId === false ? [one.id, ...(one.aliases ?? [])] : ofPublicId(one, vulnerabilities, skipped),
      skipped,
    );
    return { advisories, metadata, skipped };
  },
};
