import type { AccountAssociationInput } from "platform-contract/iam/account-associations";

import {
  standardSort,
  TIMES,
  times,
  type RecordTable,
  type Texts,
  type Timed,
} from "../../platform/store/table";

type AccountAssociationRow = Timed & Texts<"uid" | "name" | "description"> & { readonly accounts: object };

export const accountAssociationsTable: RecordTable<AccountAssociationInput, AccountAssociationRow> = {
  name: "account_associations",
  joins: "",
  columns: `t.uid, t.name, t.description, t.accounts, ${TIMES}`,
  weight: "pg_column_size(t.accounts)",
  sort: standardSort,
  filters: { name: (name, bind) => `t.name = ${bind(name)}` },
  keyedByParent: true,
  toItem: (row) => ({
    uid: row.uid,
    name: row.name,
    description: row.description,
    ...row.accounts,
    ...times(row),
  }),
  toRow: ({ name, description = "", ...accounts }) => ({
    name,
    description,
    accounts: JSON.stringify(accounts),
  }),
};
