// Keys collate "C": with another collation a range on a uid is not a subtree, a hole in authorization.
export const TIMES = "created_at timestamptz(3) not null, updated_at timestamptz(3) not null";

/** The columns of a record that has a name. */
export const NAMED = `
  uid text collate "C" primary key,
  parent text collate "C" references groups (uid) on delete restrict,
  name text collate "C" not null,
  description text not null default '',
  ${TIMES}`;

/** What a list can be ordered by, at a flat cost; every index ends in the uid, which breaks ties. */
export const listIndexes = (table: string): string[] => [
  `create index ${table}_parent on ${table} (parent, uid)`,
  `create index ${table}_name on ${table} (name, uid)`,
  `create index ${table}_created_at on ${table} (created_at, uid)`,
  `create index ${table}_updated_at on ${table} (updated_at, uid)`,
];
