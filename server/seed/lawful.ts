import { subscriptions } from "~/contract/events/subscriptions";
import { groupInvites } from "~/contract/iam/group-invites";
import { externalGroupRoleMappings } from "~/contract/iam/external-group-role-mappings";
import { accountAssociations } from "~/contract/iam/account-associations";
import { groups } from "~/contract/iam/groups";
import { identities } from "~/contract/iam/identities";
import { identityProviders } from "~/contract/iam/identity-providers";
import { roleBindings } from "~/contract/iam/role-bindings";
import { roles } from "~/contract/iam/roles";
import { terms } from "~/contract/iam/terms";
import { repos } from "~/contract/registry/repos";
import { tags } from "~/contract/registry/tags";
import type { Facts } from "~/contract/resource";

import { toWire } from "../handlers/standard/standard";
import { violationsOf } from "../handlers/standard/violations";
import type { Queries } from "../store/database";
import { accountAssociationsTable } from "../store/resources/account-associations";
import { externalGroupRoleMappingsTable } from "../store/resources/external-group-role-mappings";
import { groupInvitesTable } from "../store/resources/group-invites";
import { groupsTable } from "../store/resources/groups";
import { identitiesTable } from "../store/resources/identities";
import { identityProvidersTable } from "../store/resources/identity-providers";
import { reposTable } from "../store/resources/repos";
import { roleBindingsTable } from "../store/resources/role-bindings";
import { rolesTable } from "../store/resources/roles";
import { subscriptionsTable } from "../store/resources/subscriptions";
import { tagsTable } from "../store/resources/tags";
import { termsTable } from "../store/resources/terms";
import type { Table } from "../store/table";

type Kind = Pick<Facts<unknown, unknown>, "noun" | "request" | "settable" | "behavior">;

const KINDS: readonly (readonly [Kind, Table])[] = [
  [groups, groupsTable],
  [identities, identitiesTable],
  [roles, rolesTable],
  [roleBindings, roleBindingsTable],
  [groupInvites, groupInvitesTable],
  [identityProviders, identityProvidersTable],
  [externalGroupRoleMappings, externalGroupRoleMappingsTable],
  [repos, reposTable],
  [tags, tagsTable],
  [accountAssociations, accountAssociationsTable],
  [terms, termsTable],
  [subscriptions, subscriptionsTable],
];

/**
 * Throws unless the API would have accepted every record of an organization. Seeds write rows with their own times,
 * bypassing the handlers; this check keeps them to the contract.
 */
export async function requireLawful(queries: Queries, organization: string): Promise<void> {
  for (const [kind, table] of KINDS) {
    const rows = await queries.query(
      `select ${table.columns} from ${table.name} t ${table.joins} where t.uid >= $1 and t.uid < $1 || '0'`,
      [organization],
    );
    for (const row of rows) {
      const item = table.toItem(row);
      // Input-only fields are in no record.
      const taken = kind.behavior.inputOnly.map((path) => path.split(".")[0]);
      const found = violationsOf(kind.request, toWire(kind, item));
      const violation = found.find(({ field }) => !taken.includes(field));
      if (violation)
        throw new Error(`The ${kind.noun} ${item["name"]} breaks the contract: ${violation.description}`);
    }
  }
}
