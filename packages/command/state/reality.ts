import type { Client } from "platform-client";
import { ApiError, isRefusal } from "platform-client/errors";
import { COLLECTIONS, kindIn, perKind, recordOf, type Collection } from "platform-client/snapshots/format";
import type { Contents, Snapshot, SnapshotRow } from "platform-client/snapshots/format";
import { listOf, MOST_TAGS, queryOf } from "platform-client/snapshots/lists";
import { parentOf } from "platform-contract/aip";
import { explainAccess } from "platform-contract/iam/access-decisions";
import { groups } from "platform-contract/iam/groups";
import type { Kind } from "platform-contract/kind";

import { tell } from "../cli/command";
import { UsageError } from "../cli/errors";
import { printable } from "../output/printable";
import type { Server } from "../session/server";

export interface Connected {
  readonly client: Client;
  readonly server: Server;
}

/** Why the caller can't list a kind in a group; undefined if they can, or nobody says. A list itself only leaves out what is hidden. */
export async function refusal(
  { client, server }: Connected,
  { plural, access }: Pick<Kind, "plural" | "access">,
  scope: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!server.accessDecisions) return undefined;
  const query = { uid: scope, capabilities: [...access.list.needs] };
  const { decision } = await client.call(explainAccess, { query, signal });
  return decision === "DECISION_DENIED" ? `You need permission to list ${plural}` : undefined;
}

export interface Reality extends Contents {
  readonly scope: NonNullable<Snapshot["scope"]>;
}

/** Says so where what is hidden can't be told from what is not there. */
export function sayIfHidden({ accessDecisions }: Server): void {
  if (!accessDecisions)
    tell("This service doesn't say what you may list: kinds that are hidden from you look empty.");
}

/** Reads a group and everything below it, each kind to its end. Kinds that can't be read are in `missing`. */
export async function readReality(
  connected: Connected,
  scope: string,
  signal: AbortSignal,
): Promise<Reality> {
  const { client, server } = connected;
  sayIfHidden(server);
  const own = await client.call(groups.get, { path: { uid: scope }, signal });
  const found = perKind(() => new Map<string, SnapshotRow>());
  found.groups.set(own.uid, recordOf("groups", own));
  const missing: Partial<Record<Collection, string>> = {};
  for (const collection of COLLECTIONS)
    try {
      // oxlint-disable-next-line no-await-in-loop -- list by list
      const why = await refusal(connected, kindIn(collection), scope, signal);
      if (why !== undefined) {
        missing[collection] = why;
        continue;
      }
      const query = queryOf(collection, scope);
      // oxlint-disable-next-line no-await-in-loop
      for await (const row of client.items(listOf(collection), { query, signal })) {
        found[collection].set(row.uid, recordOf(collection, row));
        if (collection === "tags" && found.tags.size > MOST_TAGS)
          throw new UsageError(`There are more than ${MOST_TAGS} tags: take snapshots of single folders.`);
      }
    } catch (error) {
      if (!isRefusal(error)) throw error;
      missing[collection] = error.message;
    }
  return {
    scope: { uid: own.uid, name: own.name },
    records: perKind((kind) => [...found[kind].values()]),
    missing,
  };
}

/** The answers for a group that isn't there: services don't tell that from one that is hidden. */
const ABSENT: readonly string[] = ["NOT_FOUND", "PERMISSION_DENIED"];

/**
 * The same; nothing, for an organization that isn't there, or that the caller can't see, if it may be made `anew`. With `undefined`
 * that is not offered.
 */
export async function readIfThere(
  connected: Connected,
  scope: NonNullable<Snapshot["scope"]>,
  anew: boolean | undefined,
  signal: AbortSignal,
): Promise<Reality> {
  try {
    return await readReality(connected, scope.uid, signal);
  } catch (error) {
    const isAbsent = error instanceof ApiError && ABSENT.includes(error.code) && !error.operationMissing;
    if (!isAbsent || parentOf(scope.uid) !== "" || anew === undefined) throw error;
    if (anew) return { scope, records: perKind(() => []), missing: {} };
    tell(printable(`If the organization ${scope.name} was deleted: --anew plans to make it again.`));
    throw error;
  }
}
