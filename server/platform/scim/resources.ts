import type { StoredGroup, StoredUser } from "../store/scim/directory";
import { GROUP, USER, USERS } from "./schemas";
import type { ScimFields } from "./values";

/** A weak entity tag (RFC 7644, section 3.14). */
export const etagOf = ({ version }: { readonly version: number }): string => `W/"${version}"`;

const metaOf = (base: string, type: string, row: StoredUser | StoredGroup) => ({
  resourceType: type,
  created: row.created.toISOString(),
  lastModified: row.updated.toISOString(),
  location: `${base}/${type}s/${row.id}`,
  version: etagOf(row),
});

/** A user as the directory reads it. `base` is the provider's SCIM address. */
export function userOf(base: string, row: StoredUser): ScimFields {
  const extensions = USERS.extensions.flatMap(({ id }) => (row.resource[id] === undefined ? [] : [id]));
  const groups = row.groups.map(({ id, name }) => ({
    value: id,
    $ref: `${base}/Groups/${id}`,
    display: name,
    type: "direct",
  }));
  return {
    schemas: [USER.id, ...extensions],
    id: row.id,
    ...row.resource,
    ...(groups.length > 0 && { groups }),
    meta: metaOf(base, "User", row),
  };
}

/** A group in the schema's form, as requests write it. */
export const groupFields = ({ name, externalId, members = [] }: StoredGroup): ScimFields => ({
  ...(externalId !== null && { externalId }),
  displayName: name,
  ...(members.length > 0 && { members: members.map((value) => ({ value })) }),
});

/** A group as the directory reads it. */
export function groupOf(base: string, row: StoredGroup): ScimFields {
  const { members = [] } = row;
  return {
    schemas: [GROUP.id],
    id: row.id,
    ...groupFields(row),
    ...(members.length > 0 && {
      members: members.map((value) => ({ value, $ref: `${base}/Users/${value}` })),
    }),
    meta: metaOf(base, "Group", row),
  };
}

/** The parts of a resource that a request asks for (RFC 7644, section 3.9). */
export interface Projection {
  readonly attributes: readonly string[];
  readonly excluded: readonly string[];
}

const ALWAYS = new Set(["schemas", "id"]);

/** Names as a request writes them, in lower case and without the URN of the core schema. */
const namesOf = (names: readonly string[], urn: string): string[] =>
  names.map((name) => name.trim().toLowerCase().replace(`${urn.toLowerCase()}:`, ""));

/** True if a projection leaves an attribute out as a whole. */
export function leavesOut({ attributes, excluded }: Projection, urn: string, name: string): boolean {
  const [wanted, unwanted] = [namesOf(attributes, urn), namesOf(excluded, urn)];
  if (wanted.length > 0) return !wanted.some((one) => one === name || one.startsWith(`${name}.`));
  return unwanted.includes(name);
}

/** The resource with what a request asks for; `urn` is its core schema. */
export function projected(
  resource: ScimFields,
  urn: string,
  { attributes, excluded }: Projection,
): ScimFields {
  const [wanted, unwanted] = [namesOf(attributes, urn), namesOf(excluded, urn)];
  if (wanted.length === 0 && unwanted.length === 0) return resource;
  const within = (key: string, value: unknown, separator: string): unknown => {
    if (Array.isArray(value)) return value.map((one) => within(key, one, separator));
    if (typeof value !== "object" || value === null) return value;
    const path = (name: string) => `${key}${separator}${name.toLowerCase()}`;
    const isWhole = wanted.length === 0 || wanted.includes(key);
    return Object.fromEntries(
      Object.entries(value).filter(
        ([name]) => (isWhole || wanted.includes(path(name))) && !unwanted.includes(path(name)),
      ),
    );
  };
  return Object.fromEntries(
    Object.entries(resource).flatMap(([name, value]) => {
      const key = name.toLowerCase();
      if (ALWAYS.has(key)) return [[name, value]];
      if (unwanted.includes(key)) return [];
      const separator = key.startsWith("urn:") ? ":" : ".";
      const isWanted = wanted.some((one) => one === key || one.startsWith(`${key}${separator}`));
      return wanted.length > 0 && !isWanted ? [] : [[name, within(key, value, separator)]];
    }),
  );
}
