import { standardSort, time, TIMES, times, type Table } from "../../platform/store/table";

/** The members of the oneof `relationship`, by the value of the list filter. */
const RELATIONSHIPS: Readonly<Record<string, string>> = {
  RELATIONSHIP_TYPE_CLAIM_MATCH: "claimMatch",
  RELATIONSHIP_TYPE_STATIC: "staticKeys",
  RELATIONSHIP_TYPE_AWS_IDENTITY: "awsIdentity",
  RELATIONSHIP_TYPE_SERVICE_PRINCIPAL: "servicePrincipal",
};

export const identitiesTable: Table = {
  name: "identities",
  joins: "",
  columns: `t.uid, t.name, t.description, t.email, t.email_unverified, t.company, t.last_seen_at, t.relationship,
    t.definition, ${TIMES}`,
  weight: "pg_column_size(t.definition)",
  sort: {
    ...standardSort,
    // "Never seen" sorts before every time.
    last_seen_time: { sql: "coalesce(t.last_seen_at, timestamptz 'epoch')", type: "time" },
  },
  filters: {
    name: (name, bind) => `t.name = ${bind(name)}`,
    relationshipType: (type, bind) =>
      RELATIONSHIPS[type] === undefined ? undefined : `t.relationship = ${bind(RELATIONSHIPS[type])}`,
  },
  toItem: (row) => ({
    uid: row["uid"],
    name: row["name"],
    description: row["description"],
    email: row["email"],
    emailUnverified: row["email_unverified"],
    company: row["company"],
    lastSeenTime: time(row["last_seen_at"]),
    [String(row["relationship"])]: row["definition"],
    ...times(row),
  }),
};
