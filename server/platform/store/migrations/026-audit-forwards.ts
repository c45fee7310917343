import type { Migration } from "./migration";

const key = 'text collate "C"';

export default {
  id: "026-audit-forwards",
  statements: [
    // The last entry of each chain that a target has.
    `create table audit_forwards (
      target ${key} not null,
      chain ${key} not null,
      sequence bigint not null,
      primary key (target, chain)) with (fillfactor = 50)`,
    // The process that forwards to a target: one at a time, so that entries keep their order.
    `create table audit_forward_leases (
      target ${key} primary key,
      holder text not null,
      until timestamptz(3) not null)`,
  ],
} satisfies Migration;
