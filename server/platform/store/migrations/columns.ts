// Keys are collated "C": with another collation, a uid range is not a subtree, a hole in authorization.
export const TIMES = "created_at timestamptz(3) not null, updated_at timestamptz(3) not null";

/** The columns of a named record. */
export const NAMED = `
  uid text collate "C" primary key,
  parent text collate "C" references groups (uid) on delete restrict,
  name text collate "C" not null,
  description text not null default '',
  ${TIMES}`;

/** Indexes for a list's orders, at a flat cost; each ends in the uid, which breaks ties. */
export const listIndexes = (table: string): string[] => [
  `create index ${table}_parent on ${table} (parent, uid)`,
  `create index ${table}_name on ${table} (name, uid)`,
  `create index ${table}_created_at on ${table} (created_at, uid)`,
  `create index ${table}_updated_at on ${table} (updated_at, uid)`,
];
