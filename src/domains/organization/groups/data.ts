import { groups, type Group } from "platform-contract/iam/groups";
import { groupQuery } from "~/frame/scope/group-ancestry";
import { defineScreens } from "~/frame/define";
import { contains, exact, searched, type SearchOf } from "~/frame/list/filters";
import { isUidParam, type Address } from "~/frame/scope/address";
import { readAccess, type AccessView } from "~/domains/access/grants/links";

const filters = {
  name: searched(exact("name", "Name")),
  contains: searched(contains<Group>("Name or description", ({ name, description }) => [name, description])),
};
export type GroupSearch = SearchOf<typeof filters>;

export const loadDrawers = () => import("./drawers");

const screens = defineScreens(groups, {
  drawers: {
    load: async () => (await loadDrawers()).GroupDrawers,
    // "create" makes a folder in the drawer's group, or else in the scope.
    list: ["create-organization", "teardown"],
    page: ["create", "teardown", "move"],
  },
  filters,
});

/** Reads the search parameters of a group's page: its overview, or who has access to it. A move has its new place. */
const readPage = (address: Address): AccessView => {
  const page = screens.readPage(address);
  const { item } = address;
  const place = page.drawer === "move" && isUidParam(item) ? { item } : {};
  return { ...page, ...place, ...readAccess(address) };
};

export const groupScreens = { ...screens, record: groupQuery, readPage };
