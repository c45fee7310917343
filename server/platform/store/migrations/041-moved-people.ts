import type { Migration } from "./migration";

const key = 'text collate "C"';

/** SQL: personUid() of an issuer. */
const uidAt = (issuer: string): string =>
  `substr(encode(sha256(convert_to(${issuer} || E'\\n' || i.subject, 'UTF8')), 'hex'), 1, 40)`;

export default {
  id: "041-moved-people",
  statements: [
    // Uids that people had before the service moved to another public address, each with all that came later. Entries
    // keep the uids of their time.
    `create table moved_people (
      old ${key} not null,
      new ${key} not null,
      primary key (old, new))`,
    `create index moved_people_new on moved_people (new)`,

    // Earlier moves replaced the old uids in what entries are found by.
    `create temporary table earlier_moves on commit drop as
      select sequence, created_at, entry::json #>> '{changes,0,before}' as before, entry::json #>> '{changes,0,after}' as after
      from audit_entries where chain = '' and action = 'installation.move'`,
    `insert into moved_people
      select distinct ${uidAt("f.before::json #>> '{}'")}, ${uidAt("t.after::json #>> '{}'")}
      from earlier_moves f join earlier_moves t on t.sequence >= f.sequence
        join earlier_moves l on l.sequence = (select max(sequence) from earlier_moves)
        join identities i on i.parent is null and i.issuer = l.after::json #>> '{}'
      on conflict do nothing`,
    `insert into audit_subjects (record_uid, created_at, uid)
      select p.old, s.created_at, s.uid from moved_people p join audit_subjects s on s.record_uid = p.new
      where s.created_at <= (select max(created_at) from earlier_moves)
      on conflict do nothing`,
    // Retention did not find those of removed entries.
    `delete from audit_subjects s where exists (select 1 from moved_people p where s.record_uid in (p.old, p.new))
       and not exists (select 1 from audit_entries e where e.uid = s.uid)`,
  ],
} satisfies Migration;
