import type { Migration } from "./migration";

/** Deliveries say what became of each attempt, and those that have ended are kept for a while. */
export default {
  id: "037-ended-deliveries",
  statements: [
    // earlier: attempts before it was sent again. first_at: when the event was stored, if it was sent again since.
    // held_until: while a process sends it.
    `alter table event_deliveries
      add column type text not null default '',
      add column subject text not null default '',
      add column state text not null default 'DELIVERY_STATE_WAITING',
      add column history jsonb not null default '[]',
      add column earlier int not null default 0,
      add column first_at timestamptz(3),
      add column held_until timestamptz(3)`,
    `update event_deliveries set type = coalesce(event::json ->> 'type', ''),
      subject = coalesce(event::json ->> 'subject', ''),
      state = case when attempts > 0 then 'DELIVERY_STATE_FAILED' else 'DELIVERY_STATE_WAITING' end`,
    `create table ended_deliveries (
      subscription_uid text collate "C" not null,
      event_id text collate "C" not null,
      event text not null,
      type text not null,
      subject text not null,
      state text not null,
      history jsonb not null,
      attempts int not null,
      created_at timestamptz(3) not null,
      ended_at timestamptz(3) not null,
      primary key (subscription_uid, event_id))`,
    `create index ended_deliveries_newest on ended_deliveries (subscription_uid, ended_at, event_id)`,
    // Rows are added in the order of this time, so that the smallest of all indexes finds the old ones.
    `create index ended_deliveries_age on ended_deliveries using brin (ended_at)`,
  ],
} satisfies Migration;
