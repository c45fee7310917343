import type { Migration } from "./migration";

const key = 'text collate "C"';
const call = "for each statement execute function count_bytes('accessReviews', 'uid')";
const counted = (table: string): string[] => [
  `create trigger ${table}_counted_in after insert on ${table} referencing new table as after_rows ${call}`,
  `create trigger ${table}_counted_on after update on ${table}
   referencing old table as before_rows new table as after_rows ${call}`,
  `create trigger ${table}_counted_out after delete on ${table} referencing old table as before_rows ${call}`,
];

export default {
  id: "058-access-reviews",
  statements: [
    // Without references to people: a review says who they were. next_at: when the next one starts by itself.
    `create table access_reviews (
      uid ${key} primary key,
      parent ${key} not null references groups (uid) on delete cascade,
      title text not null,
      state ${key} not null,
      due_at timestamptz(3) not null,
      quarterly boolean not null,
      reviewer_rule ${key} not null,
      reviewer_uids text[] not null,
      asks_machine_owners boolean not null,
      maker_uid ${key} not null,
      maker_name text not null,
      inherited_incomplete boolean not null,
      next_at timestamptz(3),
      not_repeated text not null default '',
      closed_at timestamptz(3),
      closed_by_name text not null default '',
      report text,
      digest text,
      signature text,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null)`,
    "create index access_reviews_parent on access_reviews (parent, created_at, uid)",
    "create index access_reviews_next on access_reviews (next_at) where next_at is not null",
    "create index access_reviews_due on access_reviews (due_at) where state = 'REVIEW_STATE_OPEN'",
    // A role binding as it was when the review started; the order of the uids is that of the review. evidence: what was
    // known of it then.
    `create table access_review_items (
      uid ${key} primary key,
      parent ${key} not null references access_reviews (uid) on delete cascade,
      binding_uid ${key} not null,
      group_uid ${key} not null,
      identity_uid ${key} not null,
      role_uid ${key} not null,
      ends_at timestamptz(3),
      inherited boolean not null,
      evidence jsonb not null,
      reviewers text[] not null,
      decision ${key} not null default '',
      to_role_uid ${key},
      to_role_name text,
      note text not null default '',
      decided_by ${key},
      decided_by_name text,
      decided_at timestamptz(3),
      version integer not null default 0,
      result ${key} not null default '',
      result_message text not null default '',
      applied_at timestamptz(3),
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null)`,
    "create index access_review_items_parent on access_review_items (parent, uid)",
    "create index access_review_items_group on access_review_items (group_uid, parent) where not inherited",
    "create index access_review_items_identity on access_review_items (identity_uid, parent)",

    ...counted("access_reviews"),
    ...counted("access_review_items"),
    "alter function recount_bytes() rename to recount_bytes_before_058",
    `create function recount_bytes() returns void language sql as $$
       select recount_bytes_before_058();
       insert into stored_bytes select organization, 'accessReviews', sum(bytes) from (
         select left(r.uid, 40) as organization, octet_length(r::text) as bytes from access_reviews r
         union all select left(r.uid, 40), octet_length(r::text) from access_review_items r) c group by 1;
     $$`,
  ],
} satisfies Migration;
