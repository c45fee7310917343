import { listCapabilityUse } from "platform-contract/iam/capability-use";

import { visibleToAll } from "../../platform/access/caller";
import { queryOf, type Handler } from "../../platform/standard/call";
import type { Context } from "../../platform/standard/rules";
import { withoutUnset } from "../../platform/standard/values";
import { now } from "../../platform/store/clock";
import { readPageRequest } from "../../platform/store/lists/page-tokens";
import { countUse, listUse, recordedSince } from "./capability-use.table";
import { wireNames } from "./roles.table";

/** Use of capabilities: everybody's where the caller can list role bindings, their own everywhere. */
export const capabilityUseHandlers = ({ config, database, tokens }: Context): Map<string, Handler> =>
  new Map([
    [
      listCapabilityUse.id,
      async (call) => {
        const { caller } = call;
        const query = queryOf(listCapabilityUse, call);
        const { size, skip, position, next } = await readPageRequest(tokens, {
          list: listCapabilityUse.id,
          caller: caller.key,
          query: call.query,
          order: { field: "uid", descending: false },
        });
        const question = {
          within: query["uidp.descendants_of"],
          identity: query.identity,
          capability: query.capability && wireNames([query.capability])[0],
          since: query.since,
          byDay: query.by_day === true,
          visible: visibleToAll(caller, listCapabilityUse.access.needs, call.query),
          own: caller.identities,
        };
        const after = position && [String(position.value), ...position.uid.split(" ")];
        const rows = await listUse(database, question, { after, skip, limit: size + 1 });
        const totalCount = position?.total ?? (await countUse(database, question));
        const shown = rows.slice(0, size);
        const last = rows.length > size ? shown.at(-1) : undefined;
        const since = await recordedSince(database);
        const oldest = now().getTime() - config.capabilityUseDays * 86_400_000;
        return withoutUnset({
          capabilityUse: shown.map(({ day, calls, first, last: latest, ...row }) =>
            withoutUnset({
              ...row,
              day,
              callCount: String(calls),
              firstTime: first.toISOString(),
              lastTime: latest.toISOString(),
            }),
          ),
          recordedSince: since && new Date(Math.max(since.getTime(), oldest)).toISOString(),
          nextPageToken:
            last && (await next(last.identity, `${last.group} ${last.capability} ${last.day}`, totalCount)),
          totalCount,
          skipped: skip,
        });
      },
    ],
  ]);
