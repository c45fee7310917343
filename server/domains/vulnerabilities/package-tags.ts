import { parseOrder } from "platform-contract/aip";
import { listPackageTags, PACKAGE_TAG_ORDERS } from "platform-contract/vulnerabilities/package-tags";
import { advisories } from "platform-contract/vulnerabilities/advisories";

import { visibleGroups, visibleToAll } from "../../platform/access/caller";
import { invalidArgument } from "../../status";
import { listPage } from "../../platform/store/lists/lists";
import {
  advisoriesNamed,
  holdersTable,
  packageTagsTable,
  withHeld,
  withPackages,
  type HeldPackage,
  type NamedPackage,
} from "./package-tags.table";
import { queryOf, type Handler } from "../../platform/standard/call";
import type { Context } from "../../platform/standard/rules";
import { withoutUnset } from "../../platform/standard/values";

const TOO_MANY =
  "must name fewer advisories: these and the versions in images are too many to compare at once";
const FILTERS = ["aliases", "advisoryIds", "artifactNames"] as const;

/** The first filter that is given. */
const givenOf = (named: NamedPackage) => FILTERS.find((name) => (named[name]?.length ?? 0) > 0);

/** The package that is asked about. Throws where neither it nor advisories are given. */
function heldIn(
  given: (typeof FILTERS)[number] | undefined,
  { packageName, packageVersion }: Partial<Record<keyof HeldPackage, string | undefined>>,
): HeldPackage | undefined {
  const refuse = (field: string, description: string) => invalidArgument([{ field, description }]);
  if (packageName !== undefined) return { packageName, packageVersion };
  if (packageVersion !== undefined) throw refuse("packageVersion", "needs packageName");
  if (given === undefined)
    throw refuse("aliases", `one of ${[...FILTERS, "packageName"].join(", ")} must be given`);
  return undefined;
}

/** Which tags hold a package that advisories are about, or that is named. */
export const packageTagHandlers = ({ database, tokens }: Context): Map<string, Handler> =>
  new Map([
    [
      listPackageTags.id,
      async (call) => {
        const { caller, query } = call;
        const named = queryOf(listPackageTags, call);
        const given = givenOf(named);
        const held = heldIn(given, named);
        const readable = visibleGroups(caller, advisories.list.access.needs[0] ?? "", query);
        const found = await advisoriesNamed(database, named, readable);
        const table = given ? await packageTagsTable(database, found, held) : held && holdersTable(held);
        if (!table) throw invalidArgument([{ field: given ?? "aliases", description: TOO_MANY }]);
        const { items, ...rest } = await listPage(database, table, tokens, {
          list: listPackageTags.id,
          caller: caller.key,
          query,
          order: parseOrder(String(query["order_by"] ?? ""), PACKAGE_TAG_ORDERS) ?? {
            field: "uid",
            descending: false,
          },
          visibility: {
            groups: visibleToAll(caller, listPackageTags.access.needs, query),
            rootLevel: undefined,
          },
        });
        const packageTags = await (given || !held
          ? withPackages(database, items, found)
          : withHeld(database, items, held));
        return { packageTags: packageTags.map((item) => withoutUnset(item)), ...rest };
      },
    ],
  ]);
