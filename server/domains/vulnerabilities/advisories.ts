import {
  advisories,
  type Advisory,
  type InstalledVersion,
} from "platform-contract/vulnerabilities/advisories";
import { listResolvedReports } from "platform-contract/advisory/resolved-reports";

import { requireAll, type Caller } from "../../platform/access/caller";
import { advisoriesTable } from "./advisories.table";
import { packagesOfTag, readImagePackages, type InstalledPackage } from "./image-packages.table";
import { decideVersion } from "./installed-versions.table";
import { handlerOf, queryOf, type Handler } from "../../platform/standard/call";
import type { Context } from "../../platform/standard/rules";
import { standardHandlers } from "../../platform/standard/standard";

const LIST = advisories.list.id;

/** The packages of a tag's image. Refused like a report of the image, whether or not the tag exists. */
function readImage({ database }: Context, caller: Caller, tag: string): Promise<InstalledPackage[]> {
  requireAll(caller, listResolvedReports.access.needs, tag);
  return packagesOfTag(database, tag);
}

/** The versions to decide about: of the packages that an advisory concerns, or the one that was named. */
function installedIn(advisory: Advisory, packages: readonly InstalledPackage[]): InstalledVersion[] {
  return packages
    .filter((one) => one.concerns(advisory))
    .map(({ name, version, architecture }) => ({
      packageName: name,
      architecture,
      version,
      ...decideVersion(advisory, version),
    }));
}

/** Read-only; `version` and `tagUid` add a decision to each advisory. */
export function advisoryHandlers(context: Context): Map<string, Handler> {
  const handlers = standardHandlers(context, {
    resource: advisories,
    table: advisoriesTable,
  });
  const list = handlerOf(handlers, LIST);
  return handlers.set(LIST, async (call) => {
    const { version, tagUid } = queryOf(advisories.list, call);
    const packages = tagUid ? await readImage(context, call.caller, tagUid) : [];
    const answer = (await list(call)) as { advisories: Advisory[] };
    if (!version && !tagUid) return answer;
    return {
      ...answer,
      ...(tagUid && { imagePackages: await readImagePackages(context.database, tagUid, packages) }),
      advisories: answer.advisories.map((advisory) => ({
        ...advisory,
        installedVersions: tagUid
          ? installedIn(advisory, packages)
          : [{ version, ...decideVersion(advisory, version ?? "") }],
      })),
    };
  });
}
