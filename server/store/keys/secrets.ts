import { randomBytes } from "node:crypto";

import type { Queries } from "../database";

async function read(queries: Queries, name: string): Promise<Uint8Array | undefined> {
  const [row] = await queries.query<{ value: string }>("select value from secrets where name = $1", [name]);
  return row && Buffer.from(row.value, "base64url");
}

/**
 * A named random 256-bit key, created at its first use and shared by every process on the database. Writes nothing if it
 * exists: a list can be read without room to write.
 */
export async function secret(queries: Queries, name: string): Promise<Uint8Array> {
  const known = await read(queries, name);
  if (known) return known;
  await queries.query("insert into secrets (name, value) values ($1, $2) on conflict (name) do nothing", [
    name,
    randomBytes(32).toString("base64url"),
  ]);
  const made = await read(queries, name);
  if (!made) throw new Error(`the secret ${name} is gone`);
  return made;
}
