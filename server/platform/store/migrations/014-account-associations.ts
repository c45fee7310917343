import { listIndexes, NAMED } from "./columns";
import type { Migration } from "./migration";

export default {
  id: "014-account-associations",
  statements: [
    // uid and parent are both the uid of the group. accounts: the associated accounts by member.
    `create table account_associations (${NAMED},
      accounts jsonb not null default '{}',
      constraint account_associations_of_group check (uid = parent))`,
    // Stored uncompressed, so that a page knows its size without unpacking it.
    `alter table account_associations alter column accounts set storage external`,
    ...listIndexes("account_associations"),
  ],
} satisfies Migration;
