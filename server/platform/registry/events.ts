import * as z from "zod";

import type { RepositoryName } from "../../domains/registry/namespaces.table";
import { DIGEST, readRepository, TAG } from "./names";

/** Something that a notification says of the registry: a reason to look, and nothing more. */
export interface ReasonToLook extends RepositoryName {
  /** A tag, or a digest if the push had none. */
  readonly reference: string;
  /** Whom the registry says its token named. */
  readonly actor: string | undefined;
}

const event = z.looseObject({
  action: z.string(),
  target: z.looseObject({
    repository: z.string(),
    tag: z.string().nullish(),
    digest: z.string().nullish(),
    mediaType: z.string().nullish(),
  }),
  actor: z.looseObject({ name: z.string().nullish() }).nullish(),
});
const envelope = z.looseObject({ events: z.array(z.unknown()).nullish() });

const IDENTITY = /^[0-9a-f]{40}(?:\/[0-9a-f]{16})*$/;

/** Blobs are events too, and say nothing that a manifest does not. */
const isManifest = (mediaType: string): boolean => /manifest|image\.index/.test(mediaType);

/**
 * The pushes and deletions in an envelope of Distribution ("Notifications"), each reference once. What cannot be read, and
 * names that cannot exist, are left out: an answer other than 200 would only bring the same events again.
 */
export function readEvents(body: unknown): ReasonToLook[] {
  const { events } = envelope.catch({ events: [] }).parse(body);
  const found = new Map<string, ReasonToLook>();
  for (const one of events ?? []) {
    const { data } = event.safeParse(one);
    if (!data || !["push", "delete"].includes(data.action)) continue;
    const { repository, tag, digest, mediaType } = data.target;
    const name = readRepository(repository);
    const reference = tag || digest || "";
    if (!name || !(TAG.test(reference) || DIGEST.test(reference))) continue;
    if (data.action === "push" && !tag && !isManifest(mediaType ?? "")) continue;
    const said = data.actor?.name ?? "";
    const actor = IDENTITY.test(said) ? said : undefined;
    found.set(`${repository}@${reference}`, { ...name, reference, actor });
  }
  return [...found.values()];
}
