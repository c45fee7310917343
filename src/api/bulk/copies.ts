import type { QueryClient } from "@tanstack/react-query";

import { ApiError } from "platform-client/errors";
import { isWithin } from "platform-contract/aip";
import type { Endpoint } from "platform-contract/endpoint";
import { getReadme, updateReadme } from "platform-contract/registry/repos";
import type { ListAnswer, ListQuery } from "platform-contract/resource";

import { call } from "../client/client";
import { sameAt } from "../client/same-value";
import { allPages } from "../queries/all-pages";
import type { BulkWork } from "./bulk-job";
import { COPYABLE, type CopyableKind, type CopyData, type RecordToCopy } from "./copy-plan";
import { creations } from "./creations";

/** The fields of bodies that name other records, and those that names are looked up by. */
interface Body {
  readonly name?: string;
  readonly identityUid?: string;
  readonly roleUid?: string;
  readonly sync_config?: { readonly source?: string };
}

interface Row extends Body {
  readonly uid: string;
  readonly identity?: { readonly uid?: string };
  readonly role?: { readonly uid?: string };
}

/** The fields in which a record by the same name has to be equal: another rule or other capabilities are another record. */
const SAME: Readonly<Record<CopyableKind, readonly string[]>> = {
  groups: ["name"],
  repos: ["name"],
  roles: ["name", "capabilities"],
  identities: ["name", "claimMatch", "staticKeys", "awsIdentity", "servicePrincipal"],
  roleBindings: ["identityUid", "roleUid", "expirationTime"],
  subscriptions: ["sink"],
};

export const ALREADY_THERE = "It was already there.";
const TAKEN = "There is another one by this name with other values, which was left as it is.";

const refused = (message: string): ApiError => new ApiError("refused", message, { outcome: "none" });

/** The record that an earlier run made, or somebody else; not one that this job `made` for another record. */
async function findThere(
  { collection, parent, body }: RecordToCopy,
  made: ReadonlySet<string | undefined>,
): Promise<string | undefined> {
  const list = COPYABLE[collection].list as unknown as Endpoint<ListQuery, undefined, ListAnswer<Row>>;
  const { name, identityUid, roleUid }: Body = body;
  const query = {
    "uidp.children_of": parent,
    order_by: "uid",
    ...(name !== undefined && { name }),
    ...(roleUid !== undefined && { identity: identityUid, role: roleUid }),
  };
  const rows = (await allPages(list, query))
    .filter(({ uid }) => !made.has(uid))
    .map((row) => ({
      ...row,
      identityUid: row.identityUid ?? row.identity?.uid,
      roleUid: row.roleUid ?? row.role?.uid,
    }));
  const found = rows.find((row) => sameAt(body, row, SAME[collection]));
  if (!found && name !== undefined && rows.some((row) => row.name === name)) throw refused(TAKEN);
  return found?.uid;
}

/** Writes the readme of one repo into another one that has none. */
async function copyReadme(from: string, to: string): Promise<void> {
  const [old, made] = await Promise.all([
    call(getReadme, { path: { uid: from } }),
    call(getReadme, { path: { uid: to } }),
  ]);
  const { content } = old;
  if (content && !made.content)
    await call(updateReadme, { path: { uid: to }, query: { updateMask: "content" }, body: { content } });
}

/**
 * Creates the records of a folder again in another place, in order. What is there already is found and counts as done, so
 * that sending an item again is safe. What belongs to a record that failed, or refers to it, is not sent.
 */
export function copies(client: QueryClient, { root }: CopyData): BulkWork<RecordToCopy> {
  const work = (collection: CopyableKind) => creations(client, { collection });
  /** The places of the items in the job, and the new uids. */
  let at: ReadonlyMap<string, number> | undefined;
  const made = new Set<string | undefined>();
  return {
    concurrency: 1,
    async send(item, items) {
      if (!at) {
        at = new Map(items.map(({ uid }, index) => [uid, index]));
        for (const { newUid } of items) made.add(newUid);
      }
      const placeOf = at;
      const moved = (uid: string): string => {
        if (!isWithin(uid, root)) return uid;
        const of = items[placeOf.get(uid) ?? -1];
        if (of?.newUid === undefined) throw refused(`Not tried: ${of?.name ?? uid} isn't there.`);
        return of.newUid;
      };
      const { identityUid, roleUid, sync_config }: Body = item.body;
      const source = sync_config?.source;
      const asked = {
        ...item,
        parent: moved(item.parent),
        body: {
          ...item.body,
          ...(identityUid !== undefined && { identityUid: moved(identityUid) }),
          ...(roleUid !== undefined && { roleUid: moved(roleUid) }),
          ...(source !== undefined && { sync_config: { ...sync_config, source: moved(source) } }),
        },
      };
      const there = await findThere(asked, made);
      const done =
        there === undefined
          ? await work(item.collection).send(asked, items)
          : { newUid: there, reason: ALREADY_THERE };
      const newUid = typeof done === "object" ? done.newUid : undefined;
      made.add(newUid);
      if (item.readme && newUid !== undefined)
        await copyReadme(item.uid, newUid).catch((error: unknown) => {
          throw error instanceof ApiError
            ? error.withOutcome(error.outcome ?? "none", `Created, but without its readme: ${error.message}`)
            : error;
        });
      return done;
    },
    // Sent again, it is found.
    wasDone: () => Promise.resolve(false),
    onDone: () => undefined,
    onIdle: () => Object.keys(COPYABLE).forEach((collection) => work(collection as CopyableKind).onIdle()),
  };
}
