import type { Migration } from "./migration";

/** All migrations of this folder, in the order of their numbers, in which they run. */
export const migrations: readonly Migration[] = Object.values(
  import.meta.glob<Migration>("./[0-9]*.ts", { eager: true, import: "default" }),
);
