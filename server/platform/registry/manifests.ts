import * as z from "zod";

import type { ReferrerKind } from "../../domains/registry/registry-images.table";
import { UnusableAnswer, type StoredManifest } from "./client";
import { DIGEST } from "./names";

/** Manifests of an index that are looked at, and layers of one that are counted. */
const MOST_CHILDREN = 64;
const MOST_LAYERS = 1_000;
const TEXT = 1_000;

const short = z.string().max(TEXT);
/** Keys of strangers, so without prototypes. */
const annotations = z.record(z.string(), z.unknown()).nullish();
const descriptor = z.looseObject({
  mediaType: short.nullish(),
  artifactType: short.nullish(),
  digest: z.string().regex(DIGEST),
  size: z.int().min(0),
  platform: z
    .looseObject({ architecture: short.nullish(), variant: short.nullish(), os: short.nullish() })
    .nullish(),
  annotations,
});
export type Descriptor = z.infer<typeof descriptor>;

const schema = z.looseObject({
  mediaType: short.nullish(),
  artifactType: short.nullish(),
  config: descriptor.nullish(),
  layers: z.array(descriptor).max(MOST_LAYERS).nullish(),
  manifests: z.array(descriptor).nullish(),
  subject: descriptor.nullish(),
  annotations,
});

/** An image, an index of images, or an artifact (OCI image specification 1.1). */
export interface Manifest {
  readonly digest: string;
  readonly mediaType: string;
  readonly artifactType: string;
  /** Undefined for an index. */
  readonly config: Descriptor | undefined;
  readonly layers: readonly Descriptor[];
  /** The first of an index; undefined for everything else. */
  readonly manifests: readonly Descriptor[] | undefined;
  /** The digest of what it is attached to. */
  readonly subject: string | undefined;
  readonly annotations: Readonly<Record<string, string>>;
}

const INDEX = /\.(?:image\.index\.v1|manifest\.list\.v2)\+json$/;

/** What people look for (OCI image specification, "Pre-Defined Annotation Keys"). */
const KEPT = ["created", "revision", "source", "version", "base.name", "base.digest"].map(
  (key) => `org.opencontainers.image.${key}`,
);

function textsOf(given: z.infer<typeof annotations>): Record<string, string> {
  const texts = Object.entries(given ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(
    texts.filter(([key, text]) => key.length <= TEXT && text.length <= TEXT && !text.includes("\0")),
  );
}

/** The annotations that are recorded. */
export const keptAnnotations = ({ annotations: all }: Manifest): Readonly<Record<string, string>> =>
  Object.fromEntries(KEPT.flatMap((key) => (all[key] === undefined ? [] : [[key, all[key]]])));

export const annotationOf = (one: Descriptor, key: string): string | undefined =>
  textsOf(one.annotations)[key];

/** Throws an UnusableAnswer for what is no manifest. */
export function readManifest(stored: Pick<StoredManifest, "digest" | "bytes" | "mediaType">): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(stored.bytes.toString());
  } catch {
    throw new UnusableAnswer("the registry answers with a manifest that is not JSON");
  }
  const result = schema.safeParse(value);
  if (!result.success) throw new UnusableAnswer("the registry answers with a manifest that cannot be read");
  const { config, layers, manifests, subject, ...rest } = result.data;
  const [said = ""] = stored.mediaType.split(";");
  const mediaType = rest.mediaType ?? said;
  return {
    digest: stored.digest,
    mediaType: storable(mediaType),
    artifactType: storable(rest.artifactType ?? ""),
    config: config ?? undefined,
    layers: layers ?? [],
    manifests: manifests || INDEX.test(mediaType) ? (manifests ?? []).slice(0, MOST_CHILDREN) : undefined,
    subject: subject?.digest,
    annotations: textsOf(rest.annotations),
  };
}

/** Text that a database takes. */
const storable = (text: string): string => text.replaceAll("\0", "");

/** What an index says of a platform, as the API writes architectures: `amd64`, `arm/v7`. */
export function architectureOf({ platform }: Pick<Descriptor, "platform">): string | undefined {
  const { architecture = "", variant } = platform ?? {};
  if (!architecture || architecture === "unknown") return undefined;
  return storable(architecture === "arm" && variant ? `${architecture}/${variant}` : architecture);
}

/** Bytes of the configuration and the layers. */
export const sizeOf = ({ config, layers }: Manifest): number =>
  layers.reduce((sum, { size }) => sum + size, config?.size ?? 0);

/** BuildKit's attestations in an index: the digest of the image that one is about. */
export const attestedBy = (one: Descriptor): string | undefined =>
  annotationOf(one, "vnd.docker.reference.type") === "attestation-manifest"
    ? annotationOf(one, "vnd.docker.reference.digest")
    : undefined;

/** What an artifact is by its types, of tools in use: cosign, notation, oras, BuildKit. */
export function kindOfReferrer(manifest: Manifest): ReferrerKind {
  const { artifactType, config, layers } = manifest;
  const types = [artifactType, config?.mediaType ?? "", ...layers.map(({ mediaType }) => mediaType ?? "")];
  const has = (pattern: RegExp) => types.some((type) => pattern.test(type));
  if (has(/simplesigning|notary\.signature|sigstore\.bundle/)) return "signature";
  if (has(/spdx|cyclonedx|sbom/i)) return "sbom";
  return has(/in-toto|dsse/) ? "attestation" : "other";
}

/** Layers that can hold an SBOM, or a statement about one. */
export const documentsIn = ({ layers }: Manifest): Descriptor[] =>
  layers.filter(({ mediaType }) => /spdx|cyclonedx|in-toto|dsse/i.test(mediaType ?? ""));
