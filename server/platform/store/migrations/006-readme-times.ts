import type { Migration } from "./migration";

export default {
  id: "006-readme-times",
  statements: [
    // A readme is a record of its own: it and the repo change independently. Null: as old as the repo.
    `alter table repos add column readme_updated_at timestamptz(3)`,
    `update repos set readme_updated_at = updated_at where readme <> ''`,
  ],
} satisfies Migration;
