import { uidToParam } from "./uid-param";

/**
 * The address of a view for somebody else: with the scope that it has, also where that goes without saying for whoever
 * sees one organization only, and without the form that happens to be open. `address`: of the page, which has the rest.
 */
export function linkToView(address: string, group: string | undefined): string {
  const link = new URL(address);
  for (const passing of ["drawer", "item"]) link.searchParams.delete(passing);
  if (group !== undefined) link.searchParams.set("group", uidToParam(group));
  link.hash = "";
  return link.href;
}
