import { randomBytes } from "node:crypto";

import type { Queries } from "../database";

export async function readSecret(queries: Queries, name: string): Promise<string | undefined> {
  const rows = await queries.query<{ value: string }>("select value from secrets where name = $1", [name]);
  return rows[0]?.value;
}

/**
 * A named secret, made at its first use and shared by every process on the database: the first value stored is used by
 * all. Writes nothing if it exists: a list can be read without room to write.
 */
export async function keepSecret(
  queries: Queries,
  name: string,
  make: () => string | Promise<string>,
): Promise<string> {
  const known = await readSecret(queries, name);
  if (known !== undefined) return known;
  await queries.query("insert into secrets (name, value) values ($1, $2) on conflict (name) do nothing", [
    name,
    await make(),
  ]);
  const made = await readSecret(queries, name);
  if (made === undefined) throw new Error(`the secret ${name} is gone`);
  return made;
}

/** Replaces a secret, unless another process has done so since `before` was read. */
export async function replaceSecret(
  queries: Queries,
  name: string,
  { before, after }: { readonly before: string; readonly after: string },
): Promise<void> {
  await queries.query("update secrets set value = $3 where name = $1 and value = $2", [name, before, after]);
}

/** A named random 256-bit key. */
export const secret = async (queries: Queries, name: string): Promise<Uint8Array> =>
  Buffer.from(await keepSecret(queries, name, () => randomBytes(32).toString("base64url")), "base64url");
