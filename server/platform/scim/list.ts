import type { Filter } from "scim2-parse-filter";

import { inTurns } from "../access/turns";
import type { Queries } from "../store/database";
import {
  countStored,
  listStored,
  type Part,
  type StoredGroup,
  type StoredUser,
} from "../store/scim/directory";
import { ScimError } from "./error";
import { attributesIn, matcherOf, readFilter, required, termsOf } from "./filter";
import { COUNT, listResponse, type InTurn } from "./messages";
import { groupOf, leavesOut, projected, userOf, type Projection } from "./resources";
import { GROUPS, USERS, type ResourceType } from "./schemas";
import { complexValues, type ScimFields } from "./values";

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

/** Rows that a filter looks at between two reads, and without a pause. */
const AT_ONCE = 500;
const SLICE = 20;

/** Steps of one search: a term of a filter at half a kilobyte. About half a second of a core. */
const STEPS = 1_000_000;

/** Where a search looks, and how it takes its turns at the database. */
export interface At {
  readonly database: Queries;
  readonly provider: string;
  /** The provider's SCIM address. */
  readonly base: string;
  readonly inTurn: InTurn;
}

interface Source<T> {
  count(part: Pick<Part, "provider" | "where">): Promise<number>;
  list(part: Part): Promise<T[]>;
  toResource(row: T): ScimFields;
}

/** The ids of the rows that match, without those that do not have their turn because of the budget. */
function* matching<T extends StoredUser | StoredGroup>(
  rows: readonly T[],
  toResource: (row: T) => ScimFields,
  test: (resource: ScimFields) => boolean,
  cost: (row: T) => void,
): Generator<void, string[]> {
  const found: string[] = [];
  for (const [index, row] of rows.entries()) {
    cost(row);
    if (test(toResource(row))) found.push(row.id);
    if (index % SLICE === SLICE - 1) yield;
  }
  return found;
}

/** The ids of all that match a filter: reads of them what the filter names. */
async function idsOf<T extends StoredUser | StoredGroup>(
  { list, toResource }: Source<T>,
  type: ResourceType,
  { provider, inTurn }: At,
  filter: Filter,
): Promise<string[]> {
  const { test } = matcherOf(filter, type);
  const terms = termsOf(filter);
  const named = attributesIn(filter, type);
  const columns = ["id", "externalId", type === USERS ? "userName" : "displayName"];
  const known = required(filter, type, columns);
  const where = known && { column: COLUMNS[known.name as keyof typeof COLUMNS], value: known.value };
  const references = named.includes(type === USERS ? "groups" : "members");
  let left = STEPS;
  const cost = ({ weight }: T): void => {
    left -= terms * (1 + Math.ceil(weight / 500));
    if (left < 0)
      throw new ScimError(
        400,
        "the filter has too much to compare: use fewer terms, or one on userName",
        "tooMany",
      );
  };
  const found: string[] = [];
  let after: T | undefined;
  do {
    const from = after;
    const some = { provider, offset: 0, limit: AT_ONCE, where, after: from, references, attributes: named };
    // oxlint-disable-next-line no-await-in-loop -- each part begins after the one before
    const rows = await inTurn(() => list(some));
    // oxlint-disable-next-line no-await-in-loop
    found.push(...(await inTurns(matching(rows, toResource, test, cost))));
    after = rows.at(-1);
  } while (after);
  return found;
}

async function found<T extends StoredUser | StoredGroup>(
  source: Source<T>,
  type: ResourceType,
  at: At,
  query: Query,
  references: boolean,
): Promise<{ rows: ScimFields[]; total: number }> {
  const { provider, inTurn } = at;
  const { count, list, toResource } = source;
  const [offset, limit] = [query.startIndex - 1, query.count];
  if (query.filter === undefined)
    return inTurn(async () => {
      const rows = limit === 0 ? [] : await list({ provider, offset, limit, references });
      return { rows: rows.map(toResource), total: await count({ provider }) };
    });
  const all = await idsOf(source, type, at, readFilter(query.filter));
  const ids = all.slice(offset, offset + limit);
  const rows =
    ids.length > 0 ? await inTurn(() => list({ provider, offset: 0, limit, ids, references })) : [];
  return { rows: rows.map(toResource), total: all.length };
}

/** Users and groups that match, one page of them: users first. Throws a ScimError. */
export async function searchAll(at: At, query: Query): Promise<ScimFields> {
  const users = await listResources(at, USERS, query);
  const [shown, total] = [complexValues(users["Resources"]), Number(users["totalResults"])];
  // A page that ended by its size goes on with users.
  const isCut = shown.length < Math.min(query.count, Math.max(0, total - query.startIndex + 1));
  const groups = await listResources(at, GROUPS, {
    ...query,
    startIndex: Math.max(1, query.startIndex - total),
    count: isCut ? 0 : query.count - shown.length,
  });
  const rows = [...shown, ...complexValues(groups["Resources"])];
  return listResponse(rows, total + Number(groups["totalResults"]), query.startIndex);
}

/** Users or groups that match, one page of them. Throws a ScimError. */
export async function listResources(at: At, type: ResourceType, query: Query): Promise<ScimFields> {
  const { database, base } = at;
  const references = !leavesOut(query, type.schema.id, type === USERS ? "groups" : "members");
  const users: Source<StoredUser> = {
    count: (part) => countStored(database, "users", part),
    list: (part) => listStored(database, "users", part),
    toResource: (row) => userOf(base, row),
  };
  const groups: Source<StoredGroup> = {
    count: (part) => countStored(database, "groups", part),
    list: (part) => listStored(database, "groups", part),
    toResource: (row) => groupOf(base, row),
  };
  const { rows, total } =
    type === USERS
      ? await found(users, type, at, query, references)
      : await found(groups, type, at, query, references);
  return listResponse(
    rows.map((row) => projected(row, type.schema.id, query)),
    total,
    query.startIndex,
  );
}
