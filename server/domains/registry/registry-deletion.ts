import { randomUUID } from "node:crypto";

import { failedPrecondition, Failure } from "../../status";
import { digestOfBytes, UnusableAnswer, type RegistryClient } from "../../platform/registry/client";
import { readManifest, type Manifest } from "../../platform/registry/manifests";

const MANIFEST = "application/vnd.oci.image.manifest.v1+json";
const CONFIG = "application/vnd.oci.image.config.v1+json";
/** Marks a manifest that stands in for a tag while it is deleted. */
const MARK = "platform.deleted-tag";

/** True for the stand-in of a deletion that was interrupted: a manifest without content. */
export const isStandIn = ({ annotations, layers }: Manifest): boolean =>
  annotations[MARK] !== undefined && layers.length === 0;

const ACCEPTED = 202;
/** What registries say that cannot delete by tag (OCI distribution specification, "Deleting tags"), or not this way. */
const NOT_BY_TAG = [400, 404, 405];

/** Throws FAILED_PRECONDITION if the registry deletes nothing: then no stand-in may take the tag's place. */
async function requireDeletes(client: RegistryClient, repository: string): Promise<void> {
  const status = await client.deleteManifest(repository, digestOfBytes(Buffer.from(randomUUID())));
  if (status === 404 || status === ACCEPTED) return;
  throw failedPrecondition([
    {
      type: "REGISTRY_KEEPS",
      description: `the registry does not delete (it answers ${status}): allow it there, with storage.delete.enabled for Distribution`,
      subject: repository,
    },
  ]);
}

/**
 * Deletes a tag where the registry has no way to (Distribution 2.8): deleting its digest would take along every other tag
 * that names it, so an empty manifest, made unique, takes the tag's place and is deleted by its own digest.
 */
async function deleteByStandIn(client: RegistryClient, repository: string, tag: string): Promise<void> {
  await requireDeletes(client, repository);
  const config = Buffer.from(
    JSON.stringify({ architecture: "unknown", os: "unknown", unique: randomUUID() }),
  );
  await client.putBlob(repository, config);
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: MANIFEST,
      config: { mediaType: CONFIG, digest: digestOfBytes(config), size: config.length },
      layers: [],
      annotations: { [MARK]: tag },
    }),
  );
  await client.putManifest(repository, tag, MANIFEST, manifest);
  await deleteStandIn(client, repository, digestOfBytes(manifest));
}

/** Deletes a stand-in by its digest, which no other tag names. */
export async function deleteStandIn(
  client: RegistryClient,
  repository: string,
  digest: string,
): Promise<void> {
  const status = await client.deleteManifest(repository, digest);
  if (status !== ACCEPTED && status !== 404)
    throw new UnusableAnswer(`the registry answers ${status} to the deletion of a tag`);
}

/** Throws UNAVAILABLE for an answer that is not believed. */
async function answering<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UnusableAnswer)) throw error;
    throw new Failure("UNAVAILABLE", `Unavailable: ${error.message}`, [], { retryAfter: 60, cause: error });
  }
}

/** Tags of a repo that are deleted with it: each takes several requests, and somebody waits. */
const MOST_TAGS = 200;

/**
 * Deletes all tags of a repository, one after another as each alone: what is interrupted leaves the others. Throws
 * FAILED_PRECONDITION if there are too many, else as `deleteInRegistry`.
 */
export const deleteTagsInRegistry = (client: RegistryClient, repository: string): Promise<void> =>
  answering(async () => {
    const tags: string[] = [];
    for await (const tag of client.tags(repository)) tags.push(tag);
    if (tags.length > MOST_TAGS)
      throw failedPrecondition([
        {
          type: "REGISTRY_TAGS",
          description: `the repo has ${tags.length} tags in the registry: delete tags until at most ${MOST_TAGS} are left`,
          subject: repository,
        },
      ]);
    for (const tag of tags) await deleteInRegistry(client, repository, tag);
  });

/**
 * Deletes a tag in the registry; nothing if it has no such tag. Whatever other tags name the same digest stay.
 * Throws UNAVAILABLE if the registry does not answer, FAILED_PRECONDITION if it deletes nothing.
 */
export async function deleteInRegistry(
  client: RegistryClient,
  repository: string,
  tag: string,
): Promise<void> {
  await answering(async () => {
    const found = await client.manifest(repository, tag);
    if (!found) return;
    if (isStandIn(readManifest(found))) return deleteStandIn(client, repository, found.digest);
    const status = await client.deleteManifest(repository, tag);
    if (status === ACCEPTED && (await client.digestOf(repository, tag)) === undefined) return;
    if (status !== ACCEPTED && !NOT_BY_TAG.includes(status))
      throw new UnusableAnswer(`the registry answers ${status} to the deletion of a tag`);
    await deleteByStandIn(client, repository, tag);
  });
}
