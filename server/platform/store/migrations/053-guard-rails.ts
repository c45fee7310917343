import { notesChanges } from "./017-events";
import type { Migration } from "./migration";

const key = 'text collate "C"';
const call = "for each statement execute function count_bytes('guardRails', 'uid')";

export default {
  id: "053-guard-rails",
  statements: [
    // settings: the values of its kind. exceptions: a list of {subject, expirationTime, reason}.
    `create table guard_rails (
      uid ${key} primary key,
      parent ${key} not null references groups (uid),
      kind ${key} not null,
      mode ${key} not null,
      description text not null default '',
      settings jsonb not null,
      exceptions jsonb not null default '[]',
      set_by ${key},
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null)`,
    "create index guard_rails_parent on guard_rails (parent, created_at, uid)",
    // The log alone is about these: the published catalog has no event for them.
    ...notesChanges("guard_rails").map((sql) => sql.replace("note_changes()", "note_changes('audit')")),

    `create trigger guard_rails_counted_in after insert on guard_rails referencing new table as after_rows ${call}`,
    `create trigger guard_rails_counted_on after update on guard_rails
     referencing old table as before_rows new table as after_rows ${call}`,
    `create trigger guard_rails_counted_out after delete on guard_rails referencing old table as before_rows ${call}`,
    "alter function recount_bytes() rename to recount_bytes_before_053",
    `create function recount_bytes() returns void language sql as $$
       select recount_bytes_before_053();
       insert into stored_bytes select left(r.uid, 40), 'guardRails', sum(octet_length(r::text)) from guard_rails r group by 1;
     $$`,
  ],
} satisfies Migration;
