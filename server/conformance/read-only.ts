import { JAVA, PYTHON } from "platform-contract/libraries/artifacts";

import type { Database } from "../platform/store/database";
import { advisoryUid, type AdvisoryDraft } from "../domains/vulnerabilities/advisory-drafts.table";
import { writeAdvisories } from "../domains/vulnerabilities/advisory-writes.table";
import type { VersionDraft } from "../domains/registry/artifact-writes.table";
import { deleteRow, touchRow, updateRow } from "../platform/store/table";
import { versionKey } from "../platform/store/versions/version-key";

/** Creates, changes and deletes records that are read-only in the API, as an ingest does. */
export interface ReadOnly {
  /** @returns the uid */
  create(database: Database, parent: string, body: { readonly name: string }): Promise<string>;
  change(database: Database, uid: string, name: string): Promise<void>;
  remove(database: Database, uid: string): Promise<void>;
}

let vulnerabilities = 0;

export const draftOf = (name: string, more: Partial<AdvisoryDraft> = {}): AdvisoryDraft => ({
  vulnerability: `CVE-2026-${(vulnerabilities += 1)}`,
  aliases: [],
  author: "author",
  artifactName: name,
  artifactType: "apk",
  componentName: name,
  componentType: "apk",
  events: [],
  ...more,
});

/** A version of an artifact, 1.0 by default. */
export function versionOf(artifact: string, more: Partial<VersionDraft> = {}): VersionDraft {
  const ecosystem = artifact.startsWith("java:") ? JAVA : PYTHON;
  const { version = "1.0" } = more;
  return {
    ecosystem,
    name: artifact.slice(artifact.indexOf(":") + 1),
    version,
    sortKey: versionKey(ecosystem, version) ?? "",
    description: "",
    sizeBytes: "1000",
    remediated: false,
    cudaVersions: [],
    createdAt: new Date("2026-01-01"),
    updatedAt: new Date("2026-01-01"),
    ...more,
  };
}

/** By collection: add new resources here that cannot be created through the API. */
export const READ_ONLY: Readonly<Record<string, ReadOnly>> = {
  advisories: {
    async create(database, parent, { name }) {
      const draft = draftOf(name);
      await database.transaction((queries) => writeAdvisories(queries, parent, [draft]));
      return advisoryUid(parent, draft);
    },
    async change(database, uid, name) {
      await updateRow(database, "advisories", uid, { artifact_name: name });
      await touchRow(database, "advisories", uid);
    },
    remove: (database, uid) => deleteRow(database, "advisories", uid),
  },
};
