import { PYTHON, type Ecosystem } from "platform-contract/libraries/artifacts";

import type { Queries } from "../../platform/store/database";

/** One version of an artifact. */
export interface VersionDraft {
  readonly ecosystem: Ecosystem;
  /** The artifact's name; `group:artifact` for Maven. */
  readonly name: string;
  readonly version: string;
  /** `versionKey()` of the version. */
  readonly sortKey: string;
  readonly description: string;
  readonly sizeBytes: string;
  readonly remediated: boolean;
  readonly cudaVersions: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The uid of an artifact; names that pip treats as equal have the same uid (PEP 503). */
export const artifactUid = (ecosystem: Ecosystem, name: string): string =>
  ecosystem === PYTHON ? `python:${name.toLowerCase().replaceAll(/[-_.]+/g, "-")}` : `java:${name}`;

const INSERT_ARTIFACTS = `
  insert into artifacts (uid, ecosystem, name, created_at, updated_at)
  select r.uid, r.ecosystem, r.name, r.created_at, r.created_at
  from jsonb_to_recordset($1::jsonb) as r (uid text, ecosystem text, name text, created_at timestamptz)
  on conflict (uid) do nothing`;

const FACTS = [
  "version",
  "sort_key",
  "description",
  "size_bytes",
  "remediated",
  "cuda_versions",
  "created_at",
  "updated_at",
];
const ofVersions = (row: string) => `(${FACTS.map((fact) => `${row}.${fact}`).join(", ")})`;

const UPSERT_VERSIONS = `
  insert into artifact_versions (uid, artifact_uid, ${FACTS.join(", ")})
  select r.uid, r.artifact, r.version, r.sort_key, r.description, r.size_bytes, r.remediated,
    array(select jsonb_array_elements_text(r.cuda_versions)), r.created_at, r.updated_at
  from jsonb_to_recordset($1::jsonb) as r (uid text, artifact text, version text, sort_key text, description text,
    size_bytes bigint, remediated boolean, cuda_versions jsonb, created_at timestamptz, updated_at timestamptz)
  on conflict (uid) do update set (${FACTS.join(", ")}) = ${ofVersions("excluded")}
  where ${ofVersions("artifact_versions")} is distinct from ${ofVersions("excluded")}`;

const newest = (column: string) => `(array_agg(${column} order by sort_key desc, uid))[1]`;

/** Derives an artifact's columns from its versions. */
const SUMMARIZE = `
  update artifacts t set description = k.description, latest_version = k.latest, version_count = k.count,
    search = lower(concat_ws(E'\\n', t.name, k.description)), created_at = k.first, updated_at = k.last
  from (
    select artifact_uid, count(*)::integer as count, min(created_at) as first, max(updated_at) as last,
      ${newest("version")} as latest, ${newest("description")} as description
    from artifact_versions where artifact_uid = any($1::text[]) group by artifact_uid) k
  where t.uid = k.artifact_uid`;

/** Writes versions and their artifacts. Idempotent. Must run in a transaction. */
export async function writeVersions(queries: Queries, drafts: readonly VersionDraft[]): Promise<void> {
  const versions = new Map(
    drafts.map((draft) => {
      const { ecosystem, name, version } = draft;
      const artifact = artifactUid(ecosystem, name);
      const row = {
        uid: `${artifact}@${version}`,
        artifact,
        ecosystem,
        name,
        version,
        sort_key: draft.sortKey,
        description: draft.description,
        size_bytes: draft.sizeBytes,
        remediated: draft.remediated,
        cuda_versions: draft.cudaVersions,
        created_at: draft.createdAt,
        updated_at: draft.updatedAt,
      };
      return [row.uid, row];
    }),
  );
  const rows = [...versions.values()];
  const artifacts = new Map(
    rows.map(({ artifact, ecosystem, name, created_at }) => [
      artifact,
      { uid: artifact, ecosystem, name, created_at },
    ]),
  );
  await queries.query(INSERT_ARTIFACTS, [JSON.stringify([...artifacts.values()])]);
  await queries.query(UPSERT_VERSIONS, [JSON.stringify(rows)]);
  await queries.query(SUMMARIZE, [[...artifacts.keys()]]);
}
