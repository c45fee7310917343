import type { Migration } from "./migration";

/** What is known of vulnerabilities can be listed by when it was first read, and when it last changed. */
export default {
  id: "049-metadata-times",
  statements: [
    // Nobody wrote down when the rows that are there were read: they get the time of this migration.
    `alter table vulnerability_metadata add column created_at timestamptz(3) not null default now(),
      add column updated_at timestamptz(3) not null default now()`,
    `alter table vulnerability_metadata alter column created_at drop default, alter column updated_at drop default`,
    "create index vulnerability_metadata_created_at on vulnerability_metadata (created_at, id)",
    "create index vulnerability_metadata_updated_at on vulnerability_metadata (updated_at, id)",
  ],
} satisfies Migration;
