import { getRegistryUsage, USAGE_DAYS, USAGE_GROUPINGS } from "platform-contract/registry/usage";

import { visibleToAll } from "../../platform/access/caller";
import { queryOf, type Handler } from "../../platform/standard/call";
import type { Context } from "../../platform/standard/rules";
import { withoutUnset } from "../../platform/standard/values";
import type { Queries } from "../../platform/store/database";
import { countedSince, countUsage } from "./registry-usage.table";

/** Rows of one answer. */
const MOST = 2_000;

/** Since when pulls are counted and kept; undefined if they never were */
export async function knownSince(
  { config }: Pick<Context, "config">,
  queries: Queries,
): Promise<Date | undefined> {
  const kept = config.registry?.usageDays;
  const since = await countedSince(queries);
  const oldest = kept === undefined ? 0 : Date.now() - kept * 24 * 3_600_000;
  return since && new Date(Math.max(since.getTime(), oldest));
}

/** Counts of pulls: everybody's where the caller can list role bindings, their own everywhere. */
export const registryUsageHandlers = ({ config, database }: Context): Map<string, Handler> =>
  new Map([
    [
      getRegistryUsage.id,
      async (call) => {
        const { caller } = call;
        const query = queryOf(getRegistryUsage, call);
        const since = await knownSince({ config }, database);
        const rows = await countUsage(database, {
          by: USAGE_GROUPINGS.filter((one) => query.by?.includes(one)),
          days: query.days ?? USAGE_DAYS,
          within: query["uidp.descendants_of"],
          ids: query["uidp.ids"],
          identity: query.identity,
          deprecated: query.deprecated === true,
          visible: visibleToAll(caller, getRegistryUsage.access.needs, query),
          own: caller.identities,
          scanners: config.registry?.scanners ?? [],
          most: MOST,
        });
        const usage = rows.slice(0, MOST).map(({ lastDownloadTime, lastAskTime, ...row }) =>
          withoutUnset({
            ...row,
            lastDownloadTime: lastDownloadTime?.toISOString(),
            lastAskTime: lastAskTime?.toISOString(),
          }),
        );
        return withoutUnset({
          usage,
          countedSince: since?.toISOString(),
          complete: rows.length <= MOST,
        });
      },
    ],
  ]);
