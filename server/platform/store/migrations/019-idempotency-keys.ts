import type { Migration } from "./migration";

export default {
  id: "019-idempotency-keys",
  statements: [
    // id: a hash of caller and key; digest: of the request; sealed: the answer, readable only with the key itself.
    `create table idempotency_keys (
      id text collate "C" primary key,
      digest text not null,
      sealed text not null,
      created_at timestamptz(3) not null)`,
    "create index idempotency_keys_created on idempotency_keys (created_at)",
  ],
} satisfies Migration;
