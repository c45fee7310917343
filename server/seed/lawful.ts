import { groups } from "~/contract/iam/groups";
import { identities } from "~/contract/iam/identities";
import { roleBindings } from "~/contract/iam/role-bindings";
import { roles } from "~/contract/iam/roles";
import { repos } from "~/contract/registry/repos";
import { tags } from "~/contract/registry/tags";
import type { Facts } from "~/contract/resource";

import { toWire } from "../handlers/standard";
import { violationsOf } from "../handlers/violations";
import type { Queries } from "../store/database";
import { groupsTable } from "../store/groups";
import { identitiesTable } from "../store/identities";
import { reposTable } from "../store/repos";
import { roleBindingsTable } from "../store/role-bindings";
import { rolesTable } from "../store/roles";
import type { Table } from "../store/table";
import { tagsTable } from "../store/tags";

type Kind = Pick<Facts<unknown, unknown>, "noun" | "request" | "settable">;

const KINDS: readonly (readonly [Kind, Table])[] = [
  [groups, groupsTable],
  [identities, identitiesTable],
  [roles, rolesTable],
  [roleBindings, roleBindingsTable],
  [repos, reposTable],
  [tags, tagsTable],
];

/**
 * Throws unless every record of an organization is one that the API would have taken. A seed writes rows with ages of
 * their own, past the handlers; this is what keeps it to their contract.
 */
export async function requireLawful(queries: Queries, organization: string): Promise<void> {
  for (const [kind, table] of KINDS) {
    const rows = await queries.query(
      `select ${table.columns} from ${table.name} t ${table.joins} where t.uid >= $1 and t.uid < $1 || '0'`,
      [organization],
    );
    for (const row of rows) {
      const item = table.toItem(row);
      const [violation] = violationsOf(kind.request, toWire(kind, item));
      if (violation)
        throw new Error(`The ${kind.noun} ${item["name"]} breaks the contract: ${violation.description}`);
    }
  }
}
