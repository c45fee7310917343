import { resources } from "platform-contract";
import { violationsOf } from "platform-contract/violations";

import { toWire } from "../../platform/standard/standard";
import type { Queries } from "../../platform/store/database";
import { TABLES } from "../../domains/tables";

/**
 * Throws unless the API would have accepted every record of an organization. Seeds write rows with their own times,
 * bypassing the handlers; this check keeps them to the contract.
 */
export async function assertMatchesContract(queries: Queries, organization: string): Promise<void> {
  for (const resource of resources) {
    const table = TABLES[resource.collection];
    // Nobody can create records of the others.
    if (!table || !("create" in resource)) continue;
    const { behavior, noun, request } = resource;
    const rows = await queries.query(
      `select ${table.columns} from ${table.name} t ${table.joins} where t.uid >= $1 and t.uid < $1 || '0'`,
      [organization],
    );
    // Input-only fields are in no record.
    const inputOnly = behavior.inputOnly.map((path) => path.split(".")[0]);
    for (const item of rows.map((row) => table.toItem(row))) {
      const violation = violationsOf(request, toWire(resource, item)).find(
        ({ field }) => !inputOnly.includes(field),
      );
      if (violation)
        throw new Error(
          `The ${noun} ${item["name"]} breaks the contract: ${violation.field} ${violation.description}`,
        );
    }
  }
}
