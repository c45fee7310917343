import { isWithin } from "platform-contract/aip";
import {
  guardRailProblems,
  guardRails,
  listGuardRailFindings,
  type GuardRailKind,
} from "platform-contract/iam/guard-rails";
import { groups } from "platform-contract/iam/groups";
import { kindOf } from "platform-contract/kinds";

import { holds } from "../../platform/access/caller";
import { invalidArgument } from "../../status";
import { readPageRequest } from "../../platform/store/lists/page-tokens";
import { queryOf, type Call, type Handler } from "../../platform/standard/call";
import { notFoundError } from "../../platform/standard/resource-info";
import type { Context } from "../../platform/standard/rules";
import { withoutUnset } from "../../platform/standard/values";
import { nameOf } from "../organization/groups.table";
import { exceptionEndOf, sourcesOf, type Finding } from "./guard-rail-findings.table";
import { readRail, unsetRail, type Rail } from "./guard-rails.table";

/** Records that one request looks at; a page can have fewer rows than asked for, and a token for more. */
const LOOKED_AT = 5_000;
/** Records of one statement. */
const AT_ONCE = 1_000;

/** The guard rail that a request asks about: one that is set there or above, or one of the given values. */
async function railOf(context: Context, call: Call): Promise<Rail> {
  const { database } = context;
  const { parent } = call.path;
  const query = queryOf(listGuardRailFindings, call);
  const { guard_rail: uid, guard_rail_kind: kind } = query;
  if (uid !== undefined && kind !== undefined)
    throw invalidArgument([
      { field: "guard_rail_kind", description: "cannot be given together with guard_rail" },
    ]);
  if (uid !== undefined) {
    const rail = await readRail(database, uid);
    if (!rail || !isWithin(parent, rail.parent)) throw notFoundError(context, guardRails, uid);
    return { ...rail, parent };
  }
  const { roles, capabilities, issuers, claims, names, patterns } = query;
  const [maxDays, exactSubject] = [query.max_days, query.exact_subject];
  const values = withoutUnset({
    roles,
    capabilities,
    maxDays,
    issuers,
    exactSubject,
    claims,
    names,
    patterns,
  });
  const problems =
    kind === undefined
      ? [{ field: "guard_rail", description: "one of guard_rail, guard_rail_kind is required" }]
      : guardRailProblems({ kind, ...values });
  const QUERY_NAMES: Readonly<Record<string, string>> = {
    maxDays: "max_days",
    exactSubject: "exact_subject",
  };
  if (problems.length > 0)
    throw invalidArgument(
      problems.map(({ field, description }) => ({ field: QUERY_NAMES[field] ?? field, description })),
    );
  return unsetRail(database, parent, { kind: kind as GuardRailKind, ...values });
}

/** What breaks a guard rail today, as far as the caller can list it there. */
const findings =
  (context: Context): Handler =>
  async (call) => {
    const { caller, path } = call;
    const { parent } = path;
    if ((await nameOf(context.database, parent)) === undefined) throw notFoundError(context, groups, parent);
    const rail = await railOf(context, call);
    const { size, position, next } = await readPageRequest(context.tokens, {
      list: `${listGuardRailFindings.id} ${parent}`,
      caller: caller.key,
      query: call.query,
      order: { field: "uid", descending: false },
    });
    const all = sourcesOf(context.database, rail);
    const shown = all.filter(({ kind }) => holds(caller, kindOf(kind)?.access.list.needs[0] ?? "", parent));
    const hiddenKinds = all.filter((one) => !shown.includes(one)).map(({ kind }) => kind);
    const found: Finding[] = [];
    let [at, after] = [Number(position?.value ?? 0), position?.uid ?? ""];
    let left = LOOKED_AT;
    while (at < shown.length && found.length < size && left > 0) {
      // oxlint-disable-next-line no-await-in-loop -- as many as the page needs
      const page = await shown[at]!.read(after, Math.min(left, AT_ONCE));
      left -= AT_ONCE;
      const room = size - found.length;
      found.push(...page.found.slice(0, room));
      const cut = page.found.length > room ? found.at(-1)?.uid : page.last;
      if (cut === undefined) [at, after] = [at + 1, ""];
      else after = cut;
    }
    return withoutUnset({
      guardRailFindings: found.map((one) =>
        withoutUnset({ ...one, exceptionEndTime: exceptionEndOf(rail, one) }),
      ),
      ...(hiddenKinds.length > 0 && { hiddenKinds }),
      nextPageToken: at < shown.length ? await next(String(at), after, "") : undefined,
    });
  };

export const findingHandlers = (context: Context): Map<string, Handler> =>
  new Map([[listGuardRailFindings.id, findings(context)]]);
