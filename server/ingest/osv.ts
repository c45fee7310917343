import * as z from "zod";

import type { AdvisoryDraft, EventDraft, MetadataDraft } from "../store/advisory-writes";
import type { Format } from "./formats";
import { namesOf } from "./vulnerability-ids";

const time = z.iso.datetime({ offset: true });
const severity = z.object({ type: z.string(), score: z.string() });

/** https://ossf.github.io/osv-schema, only the fields used here. */
const record = z.object({
  id: z.string().min(1),
  modified: time,
  published: time.optional(),
  withdrawn: time.optional(),
  aliases: z.array(z.string()).nullish(),
  upstream: z.array(z.string()).nullish(),
  summary: z.string().optional(),
  details: z.string().optional(),
  severity: z.array(severity).nullish(),
  references: z.array(z.object({ type: z.string(), url: z.string() })).nullish(),
  affected: z
    .array(
      z.object({
        package: z.object({ ecosystem: z.string(), name: z.string() }).optional(),
        ranges: z
          .array(z.object({ type: z.string(), events: z.array(z.record(z.string(), z.string())) }))
          .nullish(),
      }),
    )
    .nullish(),
});
type Osv = z.infer<typeof record>;

const APK = new Set(["alpine", "wolfi", "chainguard", "minimos", "alpaquita"]);
const TYPES: Readonly<Record<string, string>> = {
  pypi: "python",
  go: "go-module",
  maven: "java-archive",
  debian: "deb",
  ubuntu: "deb",
  "crates.io": "rust-crate",
  rubygems: "gem",
  nuget: "dotnet",
};

/** `Alpine:v3.20` has the type apk and the namespace alpine. */
function ecosystemOf(ecosystem: string): { type: string; namespace: string } {
  const namespace = (ecosystem.split(":", 1)[0] ?? "").toLowerCase();
  return { namespace, type: APK.has(namespace) ? "apk" : (TYPES[namespace] ?? namespace) };
}

/** `CGA-xxxx-xxxx-xxxx` is the public id of an advisory; a GHSA id is that of a vulnerability. */
const PUBLIC_ID = /^(?!GHSA-)[A-Z]+(?:-[23456789cfghjmpqrvwx]{4}){3}$/;

function metadataOf(osv: Osv): MetadataDraft[] {
  const known = new Set(["CVSS_V2", "CVSS_V3", "CVSS_V4"]);
  const one = {
    toldBy: osv.id,
    summary: osv.summary ?? "",
    details: osv.details ?? "",
    references: (osv.references ?? []).map(({ type, url }) => ({ type: `TYPE_${type}`, url })),
    severities: (osv.severity ?? [])
      .filter(({ type }) => known.has(type))
      .map(({ type, score }) => ({ type: `TYPE_${type}`, score })),
  };
  return [...new Set([osv.id, ...(osv.aliases ?? [])])].map((id) => ({ ...one, id }));
}

/** Fixed in the last of its ranges; "0" means that nothing was ever affected. */
function eventsOf(osv: Osv, affected: NonNullable<Osv["affected"]>[number]): EventDraft[] {
  const found = { author: "OSV", at: new Date(osv.published ?? osv.modified) };
  const fixes = (affected.ranges ?? [])
    .filter(({ type }) => type !== "GIT")
    .flatMap(({ events }) => events.flatMap(({ fixed }) => (fixed === undefined ? [] : [fixed])));
  const last = fixes.at(-1);
  const others = [...new Set(fixes)].filter((version) => version !== last);
  const events: EventDraft[] = [{ ...found, type: "detection", data: { manual: {} } }];
  if (last === undefined) return events;
  const at = new Date(osv.modified);
  if (last === "0")
    return [
      ...events,
      {
        ...found,
        at,
        type: "falsePositiveDetermination",
        data: { type: "TYPE_VULNERABLE_CODE_VERSION_NOT_USED" },
      },
    ];
  const note = others.length > 0 && { note: `Also fixed in ${others.join(", ")}` };
  return [...events, { ...found, at, type: "fixed", data: { fixedVersion: last, ...note } }];
}

export const osv: Format = {
  name: "OSV",
  needs: "group",
  fits: (value) => "modified" in value && "id" in value && !("statements" in value),
  read(value) {
    const one = record.parse(value);
    const names = namesOf([...(one.aliases ?? []), ...(one.upstream ?? []), one.id]);
    const publicId = PUBLIC_ID.test(one.id) && one.id;
    const aliases = names.aliases.filter((id) => id !== publicId);
    const advisories = (one.affected ?? []).flatMap((affected): AdvisoryDraft[] => {
      if (!affected.package) return [];
      const { ecosystem, name } = affected.package;
      const { type, namespace } = ecosystemOf(ecosystem);
      return [
        {
          vulnerability: names.vulnerability,
          aliases,
          ...(publicId !== false && { advisoryId: publicId }),
          author: "OSV",
          artifactName: name,
          artifactType: type,
          componentName: name,
          componentType: type,
          namespace,
          createdAt: new Date(one.published ?? one.modified),
          deletedAt: one.withdrawn === undefined ? undefined : new Date(one.withdrawn),
          events: eventsOf(one, affected),
        },
      ];
    });
    const skipped = advisories.length === 0 ? [`${one.id} names no package: only its metadata was used`] : [];
    return { advisories, metadata: publicId === false ? metadataOf(one) : [], skipped };
  },
};
