import { holds } from "../access/caller";
import { alreadyExists, type Failure } from "../../status";
import type { Database, Row } from "../store/database";
import { brokenUnique } from "../store/retry";
import { findUid } from "../store/table";
import type { Call } from "./call";
import { resourceType } from "./resource-info";
import type { Context, Rules } from "./rules";

/** A unique record already exists. The error is built after the transaction, in which queries fail from here on. */
export class Duplicate<I> extends Error {
  constructor(
    private readonly context: Context,
    private readonly rules: Rules<I>,
    private readonly row: Row,
  ) {
    super("duplicate");
  }

  /** Returns the error for the caller: the field, and the existing record if they can see it. */
  async toFailure(database: Database, { caller }: Pick<Call, "caller">): Promise<Failure | undefined> {
    const { unique, resource, table } = this.rules;
    if (!unique) return undefined;
    const columns = ["parent", ...unique.by].map((column) => [column, this.row[column]] as const);
    const found = await findUid(database, table.name, Object.fromEntries(columns));
    const seen = found && resource.list.access.needs.every((capability) => holds(caller, capability, found));
    return alreadyExists(
      { field: unique.field, description: unique.sentence },
      seen ? { resourceType: resourceType(this.context, resource), resourceName: found } : undefined,
    );
  }
}

/** Writes a row; throws a Duplicate if it violates the resource's unique constraint. `row` has the unique columns. */
export async function onlyOne<I, T>(
  context: Context,
  rules: Rules<I>,
  row: Row,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const broken = brokenUnique(error);
    throw broken !== undefined && broken === rules.unique?.constraint
      ? new Duplicate(context, rules, row)
      : error;
  }
}
