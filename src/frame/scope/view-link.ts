import { uidToParam } from "./uid-param";

/**
 * A link to share a view: includes the scope, even if it is implicit for a user who sees only one organization, and
 * drops an open form. `address`: the page's URL, which provides the rest. `columns`: ids, separated by dots.
 */
export function linkToView(address: string, group: string | undefined, columns?: string): string {
  const link = new URL(address);
  for (const passing of ["drawer", "item"]) link.searchParams.delete(passing);
  if (columns !== undefined) link.searchParams.set("columns", columns);
  if (group !== undefined) link.searchParams.set("group", uidToParam(group));
  link.hash = "";
  return link.href;
}
