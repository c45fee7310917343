import { resources } from "platform-contract";
import { violationsOf } from "platform-contract/violations";

import { toWire } from "../../platform/standard/standard";
import type { Queries } from "../../platform/store/database";
import { itemsBelow } from "../../platform/store/table";
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
    // Input-only fields are in no record.
    const inputOnly = behavior.inputOnly.map((path) => path.split(".")[0]);
    for (const item of await itemsBelow(queries, table, organization)) {
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
