import type { KINDS } from "platform-contract/kinds";

import type { Table } from "../table";
import { accountAssociationsTable } from "./account-associations";
import { advisoriesTable } from "./advisories";
import { externalGroupRoleMappingsTable } from "./external-group-role-mappings";
import { groupInvitesTable } from "./group-invites";
import { groupsTable } from "./groups";
import { identitiesTable } from "./identities";
import { identityProvidersTable } from "./identity-providers";
import { reposTable } from "./repos";
import { roleBindingsTable } from "./role-bindings";
import { rolesTable } from "./roles";
import { subscriptionsTable } from "./subscriptions";
import { tagsTable } from "./tags";
import { termsTable } from "./terms";

/** The compiler requires an entry for each kind. */
const OF_KINDS: Readonly<Record<keyof typeof KINDS, Table>> = {
  groups: groupsTable,
  identities: identitiesTable,
  roles: rolesTable,
  roleBindings: roleBindingsTable,
  groupInvites: groupInvitesTable,
  identityProviders: identityProvidersTable,
  externalGroupRoleMappings: externalGroupRoleMappingsTable,
  repos: reposTable,
  tags: tagsTable,
  accountAssociations: accountAssociationsTable,
  terms: termsTable,
  subscriptions: subscriptionsTable,
  advisories: advisoriesTable,
};

/** The table of each resource, by collection. */
export const TABLES: Readonly<Record<string, Table>> = OF_KINDS;
