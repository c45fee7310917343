import { externalGroupRoleMappings } from "platform-contract/iam/external-group-role-mappings";
import { identityProviders, type IdentityProvider } from "platform-contract/iam/identity-providers";
import { defineScreens } from "~/frame/define";
import { contains, exact, searched, type SearchOf } from "~/frame/list/filters";
import { isUidParam, readDrawer, type Address } from "~/frame/scope/address";

const filters = {
  name: searched(exact("name", "Name")),
  contains: searched(
    contains<IdentityProvider>("Name, description or issuer", ({ name, description, oidc }) => [
      name,
      description,
      oidc?.issuer,
    ]),
  ),
};
export type IdentityProviderSearch = SearchOf<typeof filters>;

/** Drawers on a provider's page for one of its mappings. */
export const MAPPING_DRAWERS = { "change-mapping": "edit", "delete-mapping": "delete" } as const;

export interface ProviderView {
  readonly drawer?: string | undefined;
  /** uid of the drawer's mapping, with `_` for `/`. */
  readonly item?: string | undefined;
}

export const loadDrawers = () => import("./drawers");

const screens = defineScreens(identityProviders, {
  drawers: { load: async () => (await loadDrawers()).IdentityProviderDrawers },
  filters,
  deletion: {
    consequence:
      "People can no longer sign in through this provider, and those who did are signed out. Their identities and role bindings stay, but their accounts can't be restored.",
    typeName: "always",
    counts: {
      list: externalGroupRoleMappings.list,
      query: (identityProviderUid) => ({ identityProviderUid }),
      what: "group mappings",
      one: "group mapping must be deleted first",
      many: "group mappings must be deleted first",
      none: "It has no group mappings.",
    },
  },
});

export const identityProviderScreens: typeof screens = {
  ...screens,
  readPage: (address: Address): ProviderView => {
    const view = readDrawer(address, ["edit", "delete", "map", ...Object.keys(MAPPING_DRAWERS)]);
    const { drawer = "" } = view;
    return drawer in MAPPING_DRAWERS && isUidParam(address["item"])
      ? { drawer, item: address["item"] }
      : view;
  },
};

/** Mappings have no list or page of their own: they are shown on their provider's page. */
export const mappingScreens = defineScreens(externalGroupRoleMappings, {
  filters: {},
  nameOf: ({ externalGroupId, uid }) => externalGroupId ?? uid,
  deletion: {
    consequence:
      "Members of the group lose the role immediately, unless another mapping or role binding also grants it.",
    changesAccess: true,
  },
});
