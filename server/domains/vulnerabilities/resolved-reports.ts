import { isUid } from "platform-contract/aip";
import { listResolvedReports, REPORT_DAYS } from "platform-contract/advisory/resolved-reports";
import type { FieldViolation } from "platform-contract/status";

import { visibleToAll } from "../../platform/access/caller";
import { invalidArgument } from "../../status";
import type { Queries } from "../../platform/store/database";
import { daysBetween, resolvedByDay, type Tagged } from "./resolved-reports.table";
import { Parameters, withinAny } from "../../platform/store/sql";
import type { Handler } from "../../platform/standard/call";
import type { Context } from "../../platform/standard/rules";

/** Maximum tags over all references. */
const TAGS = 200;

/** Finds a repo by uid, by `organization/name`, or by a name that is unique among the visible ones. */
async function findRepo(
  queries: Queries,
  groups: readonly string[],
  reference: string,
): Promise<string | undefined> {
  const { values, bind } = new Parameters();
  const seen = withinAny("t.parent", groups, bind);
  const cut = reference.lastIndexOf("/");
  const named = () => {
    const [organization, name] = [reference.slice(0, Math.max(cut, 0)), reference.slice(cut + 1)];
    return cut < 0
      ? `t.name = ${bind(name)}`
      : `t.name = ${bind(name)} and root.name = ${bind(organization)}`;
  };
  const which = isUid(reference) ? `t.uid = ${bind(reference)}` : named();
  const found = await queries.query<{ uid: string }>(
    `select t.uid from repos t join groups root on root.uid = left(t.uid, 40) where ${which} and ${seen} limit 2`,
    values,
  );
  return found.length === 1 ? found[0]?.uid : undefined;
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
    const uid = await findRepo(queries, groups, repo);
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
      async ({ caller, query }) => {
        const asked = await read(
          database,
          visibleToAll(caller, listResolvedReports.access.needs),
          query as unknown as Asked,
        );
        const { byDay, unknownTags } = await resolvedByDay(database, asked.tagged, asked.start, asked.end);
        return {
          ...(unknownTags.length > 0 && { unknownTags }),
          resolvedVulnsReports: [...byDay].map(([day, resolved]) => ({
            date: `${day}T00:00:00.000Z`,
            resolvedVulns: resolved.map(({ id, aliases, severities }) => ({
              id,
              ...(aliases.length > 0 && { aliases }),
              ...(severities.length > 0 && { cvssSeverities: severities }),
            })),
          })),
        };
      },
    ],
  ]);
