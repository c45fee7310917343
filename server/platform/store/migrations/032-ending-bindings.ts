import type { Migration } from "./migration";

export default {
  id: "032-ending-bindings",
  statements: [
    "alter table role_bindings add column expires_at timestamptz(3)",
    "create index role_bindings_expires_at on role_bindings (expires_at, uid) where expires_at is not null",
  ],
} satisfies Migration;
