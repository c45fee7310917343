import type { Migration } from "./migration";

export default {
  id: "039-scim-weights",
  statements: [
    // The bytes of a user, so that a page knows how many fit without reading any.
    `alter table scim_users add column weight integer not null
       generated always as (octet_length(resource::text)) stored`,
  ],
} satisfies Migration;
