import type { Migration } from "./migration";

const key = 'text collate "C"';

export default {
  id: "047-registry-memory",
  statements: [
    // What is counted of an identity goes with it, and must not make a tag look as if nobody had pulled it: of identities
    // that are gone, the last day of each reference stays, without saying whose pull it was.
    `create table registry_forgotten_pulls (
      repo_uid ${key} not null references repos (uid) on delete cascade,
      reference ${key} not null,
      asked_on date,
      downloaded_on date,
      primary key (repo_uid, reference))`,
    // The lock of the repo leaves out one that is being deleted at the same time.
    `create function forget_puller() returns trigger language plpgsql as $$
     begin
       insert into registry_forgotten_pulls as f (repo_uid, reference, asked_on, downloaded_on)
       select l.repo_uid, l.reference, (l.asked_at at time zone 'UTC')::date, (l.downloaded_at at time zone 'UTC')::date
       from registry_last_pulls l join repos r on r.uid = l.repo_uid
       where l.identity_uid = old.uid order by 1, 2 for key share of r
       on conflict (repo_uid, reference) do update set asked_on = greatest(f.asked_on, excluded.asked_on),
         downloaded_on = greatest(f.downloaded_on, excluded.downloaded_on);
       return old;
     end $$`,
    `create trigger identities_forgotten before delete on identities for each row execute function forget_puller()`,

    // When registry and ledger were compared, and whether a later comparison failed: one row.
    `create table registry_comparison (
      only_row boolean primary key default true check (only_row),
      compared_at timestamptz(3),
      failed_at timestamptz(3))`,
  ],
} satisfies Migration;
