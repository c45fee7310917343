import { groups, type Group } from "~/contract/iam/groups";
import { groupQuery } from "~/features/scope/group-ancestry";
import { defineScreens } from "~/resource/define";
import { contains, exact, type SearchOf } from "~/resource/filters";

const filters = {
  name: exact("name", "Name is exactly"),
  contains: contains<Group>("Name or description contains", ({ name, description }) => [name, description]),
};
export type GroupSearch = SearchOf<typeof filters>;

export const groupScreens = {
  ...defineScreens(groups, {
    filters,
    // As in the tree.
    order: "name",
    // "create" makes a folder in the group that the drawer is about, or in the scope.
    listDrawers: ["create-organization"],
    pageDrawers: ["create"],
  }),
  record: groupQuery,
};
