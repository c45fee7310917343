import { parentOf } from "~/contract/aip";

import { standardSort, TIMES, times, type Table } from "../table";

const IDENTITY = "join identities i on i.uid = t.identity_uid";

/** Responses are hydrated, so that clients do not need three more calls. */
export const roleBindingsTable: Table = {
  name: "role_bindings",
  joins: `${IDENTITY} join groups g on g.uid = t.parent join roles r on r.uid = t.role_uid`,
  columns: `t.uid, t.identity_uid, t.role_uid, i.name as identity_name, i.description as identity_description,
    i.subject, i.issuer, i.email, g.name as group_name, g.description as group_description,
    r.name as role_name, r.description as role_description, ${TIMES}`,
  // A binding has no name of its own: it sorts by that of the identity.
  sort: { ...standardSort, name: { sql: "i.name", type: "text", join: IDENTITY } },
  filters: {
    identity: (uid, bind) => `t.identity_uid = ${bind(uid)}`,
    group: (uid, bind) => `t.parent = ${bind(uid)}`,
    role: (uid, bind) => `t.role_uid = ${bind(uid)}`,
  },
  toItem: (row) => ({
    uid: row["uid"],
    identityUid: row["identity_uid"],
    roleUid: row["role_uid"],
    identity: {
      uid: row["identity_uid"],
      name: row["identity_name"],
      description: row["identity_description"],
      subject: row["subject"],
      issuer: row["issuer"],
      email: row["email"],
    },
    group: {
      uid: parentOf(String(row["uid"])),
      name: row["group_name"],
      description: row["group_description"],
    },
    role: { uid: row["role_uid"], name: row["role_name"], description: row["role_description"] },
    ...times(row),
  }),
};
