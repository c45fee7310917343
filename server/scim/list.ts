import type { Queries } from "../store/database";
import {
  countStored,
  listStored,
  type Part,
  type StoredGroup,
  type StoredUser,
} from "../store/scim/directory";
import { ScimError } from "./error";
import { matcherOf, readFilter, required } from "./filter";
import { COUNT, listResponse } from "./messages";
import { groupOf, leavesOut, projected, userOf, type Projection } from "./resources";
import { GROUPS, USERS, type ResourceType } from "./schemas";
import type { Fields } from "./values";

/** The parameters of a query (RFC 7644, section 3.4.2). Sorting is not supported. */
export interface Query extends Projection {
  readonly filter: string | undefined;
  /** Counted from 1. */
  readonly startIndex: number;
  readonly count: number;
}

const listOf = (value: unknown): string[] =>
  [value].flat().flatMap((one) => (typeof one === "string" && one !== "" ? one.split(",") : []));

function wholeNumber(name: string, value: unknown, usual: number): number {
  if (value === undefined || value === null || value === "") return usual;
  const number = Number(value);
  if (!Number.isSafeInteger(number))
    throw new ScimError(400, `${name} must be a whole number`, "invalidValue");
  return number;
}

/** Reads the parameters of a URL, or of a search request's body. Throws a ScimError. */
export function readQuery(given: Readonly<Record<string, unknown>>): Query {
  const [attributes, excluded] = [listOf(given["attributes"]), listOf(given["excludedAttributes"])];
  const { filter } = given;
  if (filter !== undefined && typeof filter !== "string")
    throw new ScimError(400, "filter must be text", "invalidFilter");
  return {
    attributes,
    excluded,
    filter: filter === "" ? undefined : filter,
    startIndex: Math.max(1, wholeNumber("startIndex", given["startIndex"], 1)),
    count: Math.min(COUNT.most, Math.max(0, wholeNumber("count", given["count"], COUNT.usual))),
  };
}

const COLUMNS = {
  id: "id",
  userName: "user_name",
  externalId: "external_id",
  displayName: "name_key",
} as const;

/** Rows that are looked through at a time. */
const AT_ONCE = 500;

interface Source<T> {
  count(part: Pick<Part, "provider" | "where">): Promise<number>;
  list(part: Part): Promise<T[]>;
  toResource(row: T): Fields;
}

async function found<T>(
  { count, list, toResource }: Source<T>,
  type: ResourceType,
  provider: string,
  query: Query,
): Promise<{ rows: Fields[]; total: number }> {
  const [offset, limit] = [query.startIndex - 1, query.count];
  if (query.filter === undefined) {
    const rows = limit === 0 ? [] : await list({ provider, offset, limit });
    return { rows: rows.map(toResource), total: await count({ provider }) };
  }
  const filter = readFilter(query.filter);
  const { test: isMatch } = matcherOf(filter, type);
  const columns = ["id", "externalId", type === USERS ? "userName" : "displayName"];
  const known = required(filter, type, columns);
  const where = known && { column: COLUMNS[known.name as keyof typeof COLUMNS], value: known.value };
  const rows: Fields[] = [];
  let total = 0;
  for (let from = 0; ; from += AT_ONCE) {
    const some = await list({ provider, offset: from, limit: AT_ONCE, ...(where && { where }) });
    for (const row of some) {
      const resource = toResource(row);
      if (!isMatch(resource)) continue;
      if (total >= offset && rows.length < limit) rows.push(resource);
      total += 1;
    }
    if (some.length < AT_ONCE) return { rows, total };
  }
}

/** Users and groups that match, one page of them: users first. Throws a ScimError. */
export async function searchAll(
  queries: Queries,
  at: { readonly provider: string; readonly base: string },
  query: Query,
): Promise<Fields> {
  const users = await listResources(queries, USERS, at, query);
  const [shown, total] = [users["Resources"] as Fields[], Number(users["totalResults"])];
  const groups = await listResources(queries, GROUPS, at, {
    ...query,
    startIndex: Math.max(1, query.startIndex - total),
    count: query.count - shown.length,
  });
  const rows = [...shown, ...(groups["Resources"] as Fields[])];
  return listResponse(rows, total + Number(groups["totalResults"]), query.startIndex);
}

/** Users or groups that match, one page of them. Throws a ScimError. */
export async function listResources(
  queries: Queries,
  type: ResourceType,
  { provider, base }: { readonly provider: string; readonly base: string },
  query: Query,
): Promise<Fields> {
  const members = /members/i.test(query.filter ?? "") || !leavesOut(query, GROUPS.schema.id, "members");
  const users: Source<StoredUser> = {
    count: (part) => countStored(queries, "users", part),
    list: (part) => listStored(queries, "users", part),
    toResource: (row) => userOf(base, row),
  };
  const groups: Source<StoredGroup> = {
    count: (part) => countStored(queries, "groups", part),
    list: (part) => listStored(queries, "groups", { ...part, members }),
    toResource: (row) => groupOf(base, row),
  };
  const { rows, total } =
    type === USERS ? await found(users, type, provider, query) : await found(groups, type, provider, query);
  return listResponse(
    rows.map((row) => projected(row, type.schema.id, query)),
    total,
    query.startIndex,
  );
}
