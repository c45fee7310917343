import { setImmediate } from "node:timers/promises";
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

/** The pull of a manifest, as a notification says it. */
export interface Pull extends RepositoryName {
  /** Of the notification. */
  readonly id: string;
  /** Undefined for a pull by digest. */
  readonly tag: string | undefined;
  readonly digest: string;
  /** Uid of the identity that its token named. */
  readonly actor: string;
  /** False for a HEAD, which asks and gets nothing. */
  readonly isDownload: boolean;
  readonly at: Date;
}

const event = z.looseObject({
  id: z.string().nullish(),
  timestamp: z.string().nullish(),
  action: z.string(),
  target: z.looseObject({
    repository: z.string(),
    tag: z.string().nullish(),
    digest: z.string().nullish(),
    mediaType: z.string().nullish(),
  }),
  request: z.looseObject({ method: z.string().nullish() }).nullish(),
  actor: z.looseObject({ name: z.string().nullish() }).nullish(),
});
type Event = z.infer<typeof event>;
const envelope = z.looseObject({ events: z.array(z.unknown()).nullish() });

/** Events that are read without a pause: some milliseconds. */
const AT_ONCE = 200;
const IDENTITY = /^[0-9a-f]{40}(?:\/[0-9a-f]{16})*$/;
const ID = /^[\w.:-]{1,100}$/;
/** Milliseconds for which a registry keeps notifications that nobody takes, at most; and by which its clock can be ahead. */
const OLDEST_MS = 7 * 24 * 3_600_000;
const AHEAD_MS = 60_000;

/** Blobs are events too, and say nothing that a manifest does not. */
const isManifest = (mediaType: string): boolean => /manifest|image\.index/.test(mediaType);

const actorOf = ({ actor }: Event): string | undefined => {
  const name = actor?.name ?? "";
  return IDENTITY.test(name) ? name : undefined;
};

/** When it happened by the registry's clock; when it came, if that cannot be. */
function timeOf({ timestamp }: Event, came: Date): Date {
  const at = Date.parse(timestamp ?? "");
  return at > came.getTime() - OLDEST_MS && at < came.getTime() + AHEAD_MS ? new Date(at) : came;
}

function reasonIn(one: Event): ReasonToLook | undefined {
  const { repository, tag, digest, mediaType } = one.target;
  const name = readRepository(repository);
  const reference = tag || digest || "";
  if (!name || !(TAG.test(reference) || DIGEST.test(reference))) return undefined;
  if (one.action === "push" && !tag && !isManifest(mediaType ?? "")) return undefined;
  return { ...name, reference, actor: actorOf(one) };
}

/** Only what names an identity: the service's own looks do not. Without an id it could be counted twice. */
function pullIn(one: Event, came: Date): Pull | undefined {
  const { repository, tag, digest, mediaType } = one.target;
  const method = one.request?.method ?? "GET";
  const actor = actorOf(one);
  if (!ID.test(one.id ?? "") || actor === undefined || !isManifest(mediaType ?? "")) return undefined;
  if (!DIGEST.test(digest ?? "") || (tag && !TAG.test(tag)) || !["GET", "HEAD"].includes(method))
    return undefined;
  const name = readRepository(repository);
  // Field by field: a spread costs a tenth of a notification.
  return (
    name && {
      namespace: name.namespace,
      repo: name.repo,
      id: one.id ?? "",
      tag: tag || undefined,
      digest: digest ?? "",
      actor,
      isDownload: method === "GET",
      at: timeOf(one, came),
    }
  );
}

/**
 * What an envelope of Distribution says ("Notifications"): pushes and deletions as reasons to look, each reference once,
 * and pulls. What cannot be read, and names that cannot exist, are left out: an answer other than 200 would only bring
 * the same events again. At most `most` events are read, and other requests are answered in between.
 */
export async function readEvents(
  body: unknown,
  most: number,
  came: Date,
): Promise<{ readonly reasons: readonly ReasonToLook[]; readonly pulls: readonly Pull[] }> {
  const { events } = envelope.catch({ events: [] }).parse(body);
  const reasons = new Map<string, ReasonToLook>();
  const pulls: Pull[] = [];
  for (const [index, given] of (events?.slice(0, most) ?? []).entries()) {
    // oxlint-disable-next-line no-await-in-loop -- lets others in
    if (index % AT_ONCE === AT_ONCE - 1) await setImmediate();
    const { data } = event.safeParse(given);
    if (data?.action === "pull") {
      const pull = pullIn(data, came);
      if (pull) pulls.push(pull);
    }
    if (data?.action !== "push" && data?.action !== "delete") continue;
    const reason = reasonIn(data);
    if (reason) reasons.set(`${data.target.repository}@${reason.reference}`, reason);
  }
  return { reasons: [...reasons.values()], pulls };
}
