import { isUid } from "platform-contract/aip";
import { listResolvedReports, REPORT_DAYS } from "platform-contract/advisory/resolved-reports";
import type { FieldViolation } from "platform-contract/status";

import { visibleToAll } from "../../platform/access/caller";
import { invalidArgument } from "../../status";
import type { Queries } from "../../platform/store/database";
import { daysBetween, resolvedByDay, type Tagged } from "./resolved-reports.table";
import { findRepo } from "../registry/repos.table";
import { queryOf, type Handler } from "../../platform/standard/call";
import type { Context } from "../../platform/standard/rules";

/** Maximum tags over all references. */
const TAGS = 200;

/** Finds a repo by uid, by `organization/name`, or by a name that is unique among the visible ones. */
async function repoOf(
  queries: Queries,
  groups: readonly string[],
  reference: string,
): Promise<string | undefined> {
  const cut = reference.lastIndexOf("/");
  const name = reference.slice(cut + 1);
  const organization = cut < 0 ? undefined : reference.slice(0, cut);
  const one = isUid(reference) ? { uid: reference } : { name, organization };
  return (await findRepo(queries, one, groups))?.uid;
}

interface Asked {
  readonly imageRefs: readonly string[];
  readonly startTime: string;
  readonly endTime: string;
}

/** Parses the query; throws the first violation of each field. */
async function read(queries: Queries, groups: readonly string[], { imageRefs, startTime, endTime }: Asked) {
  const violations: FieldViolation[] = [];
  const tagged = new Map<string, Tagged>();
  const unknown: string[] = [];
  for (const reference of imageRefs) {
    const [repo = "", tags = "latest"] = reference.split(":");
    const uid = await repoOf(queries, groups, repo);
    if (uid === undefined) unknown.push(repo);
    else for (const tag of tags.split(",")) tagged.set(`${uid} ${tag}`, { repo: uid, tag });
  }
  if (unknown.length > 0)
    violations.push({
      field: "imageRefs",
      description: `must each name exactly one repo that you can see: ${unknown.join(", ")}`,
    });
  else if (tagged.size > TAGS)
    violations.push({ field: "imageRefs", description: `must name at most ${TAGS} tags` });
  const [start, end] = [new Date(startTime), new Date(endTime)];
  if (end < start) violations.push({ field: "endTime", description: "must not be before startTime" });
  else if (daysBetween(start, end) > REPORT_DAYS)
    violations.push({
      field: "endTime",
      description: `must be at most ${REPORT_DAYS} days after startTime, both days included`,
    });
  if (violations.length > 0) throw invalidArgument(violations);
  return { tagged: [...tagged.values()], start, end };
}

/** Vulnerabilities resolved in images, by day. */
export const reportHandlers = ({ database }: Context): Map<string, Handler> =>
  new Map([
    [
      listResolvedReports.id,
      async (call) => {
        const asked = await read(
          database,
          visibleToAll(call.caller, listResolvedReports.access.needs),
          queryOf(listResolvedReports, call),
        );
        const { byDay, unknownTags } = await resolvedByDay(database, asked.tagged, asked.start, asked.end);
        return {
          ...(unknownTags.length > 0 && { unknownTags }),
          resolvedVulnsReports: [...byDay].map(([day, resolved]) => ({
            date: `${day}T00:00:00.000Z`,
            resolvedVulns: resolved.map(({ id, aliases, severities, tags }) => ({
              id,
              ...(aliases.length > 0 && { aliases }),
              ...(severities.length > 0 && { cvssSeverities: severities }),
              resolvedTags: tags,
            })),
          })),
        };
      },
    ],
  ]);
