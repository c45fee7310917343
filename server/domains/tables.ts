import type { KINDS } from "platform-contract/kinds";

import type { Table } from "../platform/store/table";
import { accountAssociationsTable } from "./federation/account-associations.table";
import { advisoriesTable } from "./vulnerabilities/advisories.table";
import { externalGroupRoleMappingsTable } from "./federation/external-group-role-mappings.table";
import { eligibleGrantsTable } from "./access/eligible-grants.table";
import { guardRailsTable } from "./access/guard-rails.table";
import { groupInvitesTable } from "./access/group-invites.table";
import { groupsTable } from "./organization/groups.table";
import { identitiesTable } from "./identities/identities.table";
import { identityProvidersTable } from "./federation/identity-providers.table";
import { reposTable } from "./registry/repos.table";
import { roleBindingsTable } from "./access/role-bindings.table";
import { rolesTable } from "./access/roles.table";
import { subscriptionsTable } from "./events/subscriptions.table";
import { tagsTable } from "./registry/tags.table";
import { termsTable } from "./organization/terms.table";

/** The compiler requires an entry for each kind. */
const OF_KINDS: Readonly<Record<keyof typeof KINDS, Table>> = {
  groups: groupsTable,
  identities: identitiesTable,
  roles: rolesTable,
  roleBindings: roleBindingsTable,
  groupInvites: groupInvitesTable,
  identityProviders: identityProvidersTable,
  externalGroupRoleMappings: externalGroupRoleMappingsTable,
  guardRails: guardRailsTable,
  eligibleGrants: eligibleGrantsTable,
  repos: reposTable,
  tags: tagsTable,
  accountAssociations: accountAssociationsTable,
  terms: termsTable,
  subscriptions: subscriptionsTable,
  advisories: advisoriesTable,
};

/** The table of each resource, by collection. */
export const TABLES: Readonly<Record<string, Table>> = OF_KINDS;
