import { getRegistryImage, listRegistryDifferences } from "platform-contract/registry/behind";
import { roleBindings } from "platform-contract/iam/role-bindings";

import { holdsAll, visibleToAll } from "../../platform/access/caller";
import { queryOf, type Handler } from "../../platform/standard/call";
import type { Context } from "../../platform/standard/rules";
import { withoutUnset } from "../../platform/standard/values";
import { notFound } from "../../status";
import { readSeenImage } from "./registry-images.table";
import { lastComparison, readDifferences } from "./registry-sync.table";

/** Rows of one answer. */
const MOST = 1_000;

/** What the service saw in the registry, and in what its own tags and repos differed. */
export const registryImageHandlers = ({ config, database }: Context): Map<string, Handler> =>
  new Map<string, Handler>([
    [
      getRegistryImage.id,
      async ({ caller, path: { uid, digest = "" } }) => {
        const found = await readSeenImage(database, uid, digest);
        if (!found) throw notFound(`registry.${config.serviceDomain}/Image`, `${uid}@${digest}`);
        const { size, referrers, pushedBy, pushedByName, lookedAt, ...rest } = found;
        // Who does something is told to those who may know who can.
        const isTold = holdsAll(caller, roleBindings.list.access.needs, uid);
        return withoutUnset({
          digest,
          ...rest,
          sizeBytes: String(size),
          referrers: referrers.map((one) => ({
            digest: one.digest,
            kind: `REFERRER_KIND_${one.kind.toUpperCase()}`,
            type: one.type,
          })),
          ...(isTold && { pushedBy: pushedBy ?? undefined, pushedByName: pushedByName ?? undefined }),
          lookTime: lookedAt.toISOString(),
        });
      },
    ],
    [
      listRegistryDifferences.id,
      async (call) => {
        const query = queryOf(listRegistryDifferences, call);
        const visible = visibleToAll(call.caller, listRegistryDifferences.access.needs, query);
        const rows = await readDifferences(database, visible, query["uidp.descendants_of"], MOST + 1);
        const { comparedAt, failedAt } = await lastComparison(database);
        return withoutUnset({
          differences: rows.slice(0, MOST).map(({ organization: _organization, repo, detail, ...row }) =>
            withoutUnset({
              ...row,
              repo: repo ?? undefined,
              // What went wrong can name addresses that are the operator's.
              detail: row.difference === "DIFFERENCE_UNREADABLE" ? undefined : detail,
            }),
          ),
          compareTime: comparedAt?.toISOString(),
          failTime: failedAt?.toISOString(),
          complete: rows.length <= MOST,
        });
      },
    ],
  ]);
