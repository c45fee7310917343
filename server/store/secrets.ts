import { randomBytes } from "node:crypto";

import type { Queries } from "./database";

/** A named random 256-bit key, created at its first use and shared by every process on the database. */
export async function secret(queries: Queries, name: string): Promise<Uint8Array> {
  await queries.query("insert into secrets (name, value) values ($1, $2) on conflict (name) do nothing", [
    name,
    randomBytes(32).toString("base64url"),
  ]);
  const [row] = await queries.query<{ value: string }>("select value from secrets where name = $1", [name]);
  return Buffer.from(row?.value ?? "", "base64url");
}
