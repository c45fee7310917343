import { notesChanges } from "./017-events";
import type { Migration } from "./migration";

const key = 'text collate "C"';
const call = "for each statement execute function count_bytes('eligibleGrants', 'uid')";

export default {
  id: "055-eligible-grants",
  statements: [
    // From asked_at on: the last request to switch it on, which one row can have, so that two at once are one. Without
    // binding_uid and declined it waits for approval. No key to the binding, which anybody may remove: it is then over.
    `create table eligible_grants (
      uid ${key} primary key,
      parent ${key} not null references groups (uid),
      identity_uid ${key} not null references identities (uid) on delete cascade,
      role_uid ${key} not null references roles (uid) on delete restrict,
      max_seconds int not null,
      needs_approval boolean not null default false,
      needs_second_factor boolean not null default false,
      expires_at timestamptz(3),
      description text not null default '',
      made_by ${key},
      asked_at timestamptz(3),
      asked_seconds int,
      asked_reason text,
      binding_uid ${key},
      decided_by ${key},
      decided_at timestamptz(3),
      declined text,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      constraint eligible_grants_once unique (parent, identity_uid, role_uid))`,
    "create index eligible_grants_parent on eligible_grants (parent, uid)",
    "create index eligible_grants_identity on eligible_grants (identity_uid, parent)",
    "create index eligible_grants_role on eligible_grants (role_uid)",
    // The log alone is about these: the published catalog has no event for them.
    ...notesChanges("eligible_grants").map((sql) => sql.replace("note_changes()", "note_changes('audit')")),

    `create trigger eligible_grants_counted_in after insert on eligible_grants referencing new table as after_rows ${call}`,
    `create trigger eligible_grants_counted_on after update on eligible_grants
     referencing old table as before_rows new table as after_rows ${call}`,
    `create trigger eligible_grants_counted_out after delete on eligible_grants referencing old table as before_rows ${call}`,
    "alter function recount_bytes() rename to recount_bytes_before_055",
    `create function recount_bytes() returns void language sql as $$
       select recount_bytes_before_055();
       insert into stored_bytes select left(r.uid, 40), 'eligibleGrants', sum(octet_length(r::text)) from eligible_grants r group by 1;
     $$`,
  ],
} satisfies Migration;
