import type { Migration } from "./migration";

export default {
  id: "042-audit-heads",
  statements: [
    // When a target last got the signed heads of the chains, by its name; a target that never did waits from its first look.
    `create table audit_heads_sent (
      target text collate "C" primary key,
      sent_at timestamptz(3) not null)`,
  ],
} satisfies Migration;
