import type { Log } from "../../log";
import { UnusableAnswer, type RegistryClient } from "../../platform/registry/client";
import {
  architectureOf,
  attestedBy,
  documentsIn,
  keptAnnotations,
  kindOfReferrer,
  readManifest,
  sizeOf,
  type Descriptor,
  type Manifest,
} from "../../platform/registry/manifests";
import { TAG } from "../../platform/registry/names";
import { Failure } from "../../status";
import type { Database, Origin } from "../../platform/store/database";
import { deleteStandIn, isStandIn } from "./registry-deletion";
import {
  imagesWith,
  packagesKey,
  readDocuments,
  removeSeenTag,
  writeImage,
  writeSeenTag,
  type Referrer,
  type SeenImage,
} from "./registry-images.table";

/** Bytes of a document about packages that are read, and how many documents of one image. */
const DOCUMENT_BYTES = 8_000_000;
const MOST_DOCUMENTS = 32;
const CONFIG_BYTES = 4_000_000;
/** Manifests attached to one image, of which no more are looked at. */
const MOST_REFERRERS = 64;

/** Reads packages out of a document into an image's, by the ingest; false if it is no document that it knows. */
export type IngestPackages = (document: Buffer, image: string) => Promise<boolean>;

export interface LookContext {
  readonly database: Database;
  readonly client: RegistryClient;
  readonly ingest: IngestPackages;
  readonly log: Pick<Log, "info" | "warn">;
}

/** A repo and its name in the registry. */
export interface LookedAt {
  readonly uid: string;
  readonly repository: string;
}

/** The tags by which cosign and registries without referrers attach to a digest. */
const ATTACHED = /^sha256-([0-9a-f]{64})(?:\.(?:sig|att|sbom))?$/;

async function read(
  client: RegistryClient,
  repository: string,
  reference: string,
): Promise<Manifest | undefined> {
  const stored = await client.manifest(repository, reference);
  return stored && readManifest(stored);
}

/** What is left out of a look because the registry's answer about it cannot be used. */
async function orNothing<T>(work: Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof UnusableAnswer) return undefined;
    throw error;
  }
}

/** The manifests that refer to a digest: by the registry's own list, by the tag that stands in for it, by cosign's tags. */
async function attachedTo(client: RegistryClient, repository: string, digest: string): Promise<Manifest[]> {
  const stem = digest.replace(":", "-");
  const listed = await client.referrers(repository, digest);
  const index = listed
    ? await orNothing(
        Promise.resolve().then(() => readManifest({ digest: "", mediaType: "", bytes: listed })),
      )
    : await orNothing(read(client, repository, stem));
  const found: Manifest[] = [];
  for (const one of (index?.manifests ?? []).slice(0, MOST_REFERRERS)) {
    const manifest = await orNothing(read(client, repository, one.digest));
    // A list can name anything; what is attached says so itself.
    if (manifest?.subject === digest) found.push(manifest);
  }
  for (const ending of ["sig", "att", "sbom"]) {
    const manifest = await orNothing(read(client, repository, `${stem}.${ending}`));
    if (manifest && !manifest.manifests) found.push(manifest);
  }
  return found;
}

/** Cosign's have the configuration of an image, which says nothing: then the type of what they contain. */
function typeOf({ artifactType, config, layers, mediaType }: Manifest): string {
  const own = config && !/\.image\.(?:config\.)?v1\+json$/.test(config.mediaType ?? "") && config.mediaType;
  return artifactType || own || layers[0]?.mediaType || mediaType;
}

const referrerOf = (manifest: Manifest): Referrer => ({
  digest: manifest.digest,
  kind: kindOfReferrer(manifest),
  type: typeOf(manifest),
  documents: documentsIn(manifest).map(({ digest }) => digest),
});

interface Sizes {
  readonly architectures: SeenImage["architectures"];
  readonly size: number;
  /** BuildKit's attestations. */
  readonly attestations: readonly Manifest[];
}

async function sizesOf(client: RegistryClient, repository: string, manifest: Manifest): Promise<Sizes> {
  if (!manifest.manifests) {
    const size = sizeOf(manifest);
    const architecture = await architectureIn(client, repository, manifest.config);
    return {
      architectures: architecture === undefined ? [] : [{ architecture, size }],
      size,
      attestations: [],
    };
  }
  const architectures: { architecture: string; size: number }[] = [];
  const attestations: Manifest[] = [];
  for (const one of manifest.manifests) {
    const child = await orNothing(read(client, repository, one.digest));
    if (!child) continue;
    const architecture = architectureOf(one);
    if (attestedBy(one) !== undefined) attestations.push(child);
    else if (architecture !== undefined) architectures.push({ architecture, size: sizeOf(child) });
  }
  return { architectures, size: architectures.reduce((sum, { size }) => sum + size, 0), attestations };
}

/** Of an image without an index: its configuration says it. */
async function architectureIn(
  client: RegistryClient,
  repository: string,
  config: Descriptor | undefined,
): Promise<string | undefined> {
  if (!config || !/\.(?:image\.config|container\.image)\.v1\+json$/.test(config.mediaType ?? ""))
    return undefined;
  const bytes = await orNothing(client.blob(repository, config.digest, CONFIG_BYTES));
  try {
    const { architecture, variant } = JSON.parse(bytes?.toString() ?? "{}") as Record<string, unknown>;
    if (typeof architecture !== "string" || architecture.length > 100) return undefined;
    return architectureOf({
      platform: { architecture, variant: typeof variant === "string" ? variant : undefined },
    });
  } catch {
    return undefined;
  }
}

/** Looks at an image and what is attached to it, and writes both, with the packages that documents name. */
async function lookAtImage(
  { database, client, ingest, log }: LookContext,
  { uid, repository }: LookedAt,
  manifest: Manifest,
  pusher: string | undefined,
): Promise<void> {
  const { digest } = manifest;
  const { architectures, size, attestations } = await sizesOf(client, repository, manifest);
  const children = (manifest.manifests ?? []).map((one) => one.digest);
  const attached: Manifest[] = [];
  for (const subject of [digest, ...children])
    attached.push(...(await attachedTo(client, repository, subject)));
  const referrers = [...attached, ...attestations].slice(0, MOST_REFERRERS).map(referrerOf);
  // What a document holds must not keep its image out of the ledger.
  const ingested = (bytes: Buffer, image: string) =>
    ingest(bytes, image).catch((error: unknown) => {
      if (error instanceof Failure) throw error;
      log.warn({ err: error, repository }, "a document of an image was not read");
      return false;
    });
  const known = (await readDocuments(database, uid, digest)) ?? new Set<string>();
  const documents = new Set(referrers.flatMap((one) => one.documents));
  for (const document of [...documents].filter((one) => !known.has(one)).slice(0, MOST_DOCUMENTS)) {
    const bytes = await orNothing(client.blob(repository, document, DOCUMENT_BYTES));
    if (bytes && !(await ingested(bytes, packagesKey(uid, digest))))
      log.info({ repository, document }, "a document of an image names no packages");
  }
  const { mediaType, artifactType } = manifest;
  const annotations = keptAnnotations(manifest);
  const image = { digest, mediaType, artifactType, size, children, architectures, annotations, referrers };
  await database.transaction((queries) => writeImage(queries, uid, image, pusher));
}

/** The images that a manifest is attached to, again with what is attached to them now. */
async function lookAtSubject(context: LookContext, repo: LookedAt, subject: string): Promise<void> {
  for (const digest of await imagesWith(context.database, repo.uid, subject)) {
    const manifest = await read(context.client, repo.repository, digest);
    if (manifest) await lookAtImage(context, repo, manifest, undefined);
  }
}

/** What became of a tag: the ledger now has it as the registry does. */
export type Seen = "written" | "removed" | "same";

/**
 * Looks at one reference of a repo in the registry, and writes to the ledger what is there. `origin` is who changed it, if
 * that is known. Throws UNAVAILABLE if the registry does not answer, an UnusableAnswer if its answer is not believed.
 */
export async function lookAt(
  context: LookContext,
  repo: LookedAt,
  reference: string,
  by?: { readonly pusher: string; readonly origin: Origin },
): Promise<Seen> {
  const { database, client } = context;
  const { uid, repository } = repo;
  const manifest = await read(client, repository, reference);
  if (!TAG.test(reference)) {
    if (manifest?.subject !== undefined) await lookAtSubject(context, repo, manifest.subject);
    return "same";
  }
  const standIn = manifest && isStandIn(manifest);
  if (standIn) await deleteStandIn(client, repository, manifest.digest);
  if (!manifest || standIn)
    return (await database.transaction((queries) => removeSeenTag(queries, uid, reference)))
      ? "removed"
      : "same";
  const [, hex] = ATTACHED.exec(reference) ?? [];
  if (hex === undefined) await lookAtImage(context, repo, manifest, by?.pusher);
  const isNew = await database.transaction(
    (queries) => writeSeenTag(queries, uid, reference, manifest.digest),
    () => by?.origin,
  );
  if (hex !== undefined) await lookAtSubject(context, repo, `sha256:${hex}`);
  return isNew ? "written" : "same";
}
