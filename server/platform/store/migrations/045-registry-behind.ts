import type { Migration } from "./migration";

const key = 'text collate "C"';

/**
 * Names that no organization gets: paths and words that registries and their clients use, and what would look like the
 * operator's own.
 */
const RESERVED = [
  "admin",
  "api",
  "apk",
  "catalog",
  "docker",
  "java",
  "library",
  "oci",
  "platform",
  "public",
  "python",
  "registry",
  "root",
  "system",
  "token",
  "v1",
  "v2",
];

export default {
  id: "045-registry-behind",
  statements: [
    // The names of organizations in the registry. No foreign key and never deleted: images stay under the name of an
    // organization that is gone, so that nobody else may get it.
    `create table namespaces (
      name ${key} primary key,
      organization ${key} not null,
      current boolean not null default true)`,
    "create unique index namespaces_current on namespaces (organization) where current",

    // Gives an organization the first free name that is made of its own: a-z, 0-9 and dashes, with the beginning of its
    // uid if another one has it.
    `create function give_namespace(of_organization text, of_name text) returns void language plpgsql as $$
     declare
       base text := trim(both '-' from left(regexp_replace(lower(of_name collate "C"), '[^a-z0-9]+', '-', 'g'), 63));
       made text;
       digits integer := 8;
     begin
       if exists (select 1 from namespaces n where n.organization = of_organization and n.current) then
         return;
       end if;
       if base = '' then
         base := 'org';
       end if;
       made := base;
       loop
         if made <> all ('{${RESERVED.join(",")}}'::text[]) then
           insert into namespaces (name, organization) values (made, of_organization) on conflict (name) do nothing;
           if found then
             return;
           end if;
         end if;
         made := base || '-' || left(of_organization, digits);
         digits := digits + 4;
       end loop;
     end $$`,
    // In the order in which they were made, so that every run gives the same names.
    `select give_namespace(g.uid, g.name)
     from (select uid, name from groups where parent is null order by created_at, uid) g`,
    // Not during an import, which brings the names along.
    `create function name_organization() returns trigger language plpgsql as $$
     begin
       if current_setting('platform.events', true) is distinct from 'off' then
         perform give_namespace(new.uid, new.name);
       end if;
       return null;
     end $$`,
    `create trigger groups_named after insert on groups for each row when (new.parent is null)
     execute function name_organization()`,

    // What the service saw when it looked at an image in the registry. children: digests of the manifests in an index.
    // referrers: what is attached to it, [{"digest", "kind", "type"}].
    `create table registry_images (
      repo_uid ${key} not null references repos (uid) on delete cascade,
      digest ${key} not null,
      media_type text not null,
      artifact_type text not null default '',
      size bigint not null,
      children text[] not null default '{}',
      annotations jsonb not null default '{}',
      referrers jsonb not null default '[]',
      pushed_by ${key},
      looked_at timestamptz(3) not null,
      primary key (repo_uid, digest))`,
    "create index registry_images_children on registry_images using gin (children)",

    // References that somebody said have changed, until the service has looked. Repositories by name: as of a
    // notification, which may be about anything.
    `create table registry_looks (
      repo_uid ${key} not null references repos (uid) on delete cascade,
      reference ${key} not null,
      actor ${key},
      attempts integer not null default 0,
      due_at timestamptz(3) not null,
      primary key (repo_uid, reference))`,
    "create index registry_looks_due on registry_looks (due_at)",

    // Who got a token that can push, the last time: a notification's word for who pushed is compared with it.
    `create table registry_pushers (
      repo_uid ${key} not null references repos (uid) on delete cascade,
      identity_uid ${key} not null,
      issuer text not null,
      subject text not null,
      until timestamptz(3) not null,
      primary key (repo_uid, identity_uid))`,

    // What the last comparison of a repository found to differ, and whether the ledger was mended.
    `create table registry_differences (
      repository ${key} not null,
      reference ${key} not null,
      organization ${key},
      repo_uid ${key},
      difference ${key} not null,
      detail text not null default '',
      mended boolean not null,
      seen_at timestamptz(3) not null,
      primary key (repository, reference))`,
  ],
} satisfies Migration;
