import type { Queries } from "./database";

/**
 * Until this transaction ends every statement finds its rows by index. For those that write a batch by its keys, again and
 * again into tables that grow meanwhile: no figures are there of what this transaction wrote, so that the planner would read a
 * whole table for each batch, and compile that.
 */
export async function planByKeys(queries: Queries): Promise<void> {
  const off = ["enable_seqscan", "enable_hashjoin", "enable_mergejoin", "jit"];
  await queries.query(`select ${off.map((name) => `set_config('${name}', 'off', true)`).join(", ")}`);
}
