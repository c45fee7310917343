import { TIMES } from "./columns";
import type { Migration } from "./migration";

export default {
  id: "013-terms",
  statements: [
    `create table terms (
      uid text collate "C" primary key,
      parent text collate "C" not null references groups (uid) on delete restrict,
      name text collate "C" not null,
      label text not null,
      url text not null,
      ${TIMES},
      constraint terms_once unique (parent, name))`,
    `create index terms_parent on terms (parent, uid)`,
    `create index terms_name on terms (name, uid)`,
    `create index terms_created_at on terms (created_at, uid)`,
    `create index terms_updated_at on terms (updated_at, uid)`,

    // An accepted document cannot be deleted, and an acceptance is deleted with its group. accepted_by: a subject.
    `create table terms_acceptances (
      uid text collate "C" primary key,
      parent text collate "C" not null references groups (uid) on delete cascade,
      document_uid text collate "C" not null references terms (uid) on delete restrict,
      accepted_by text not null,
      ${TIMES},
      constraint terms_acceptances_once unique (parent, document_uid))`,
    `create index terms_acceptances_document on terms_acceptances (document_uid)`,
  ],
} satisfies Migration;
