import { groups, type Group } from "~/contract/iam/groups";
import { groupQuery } from "~/features/scope/group-ancestry";
import { defineScreens, type PageView } from "~/resource/define";
import { contains, exact, type SearchOf } from "~/resource/filters";
import { isUidParam, readDrawer, type Address } from "~/resource/list-search";

const filters = {
  name: exact("name", "Name is exactly"),
  contains: contains<Group>("Name or description contains", ({ name, description }) => [name, description]),
};
export type GroupSearch = SearchOf<typeof filters>;

const screens = defineScreens(groups, {
  filters,
  // As in the tree.
  order: "name",
  // "create" makes a folder in the group that the drawer is about, or in the scope.
  listDrawers: ["create-organization"],
  pageDrawers: ["create"],
});

/** The page of a group: its overview, or who has access to it. */
export interface GroupView extends PageView {
  readonly tab?: "access" | undefined;
  /** Of the latter: the role binding that the drawer is about, and the capability that people are looked for by. */
  readonly item?: string | undefined;
  readonly can?: string | undefined;
}

function readPage(address: Address): GroupView {
  if (address["tab"] !== "access") return screens.readPage(address);
  const { item, can } = address;
  const opened = {
    ...screens.readPage(address),
    ...readDrawer(address, ["grant", "change-role", "remove-access"]),
  };
  return {
    tab: "access",
    ...opened,
    ...(opened.drawer !== undefined && isUidParam(item) && { item }),
    ...(typeof can === "string" && /^CAP_[A-Z_]+$/.test(can) && { can }),
  };
}

export const groupScreens = { ...screens, record: groupQuery, readPage };
