import type { Queries } from "./database";

/**
 * Makes every statement of this transaction find its rows by index. For batch writes by key into growing tables: there
 * are no statistics on rows that the transaction itself wrote, so the planner would scan a whole table for each batch,
 * and JIT-compile the scan.
 */
export async function planByKeys(queries: Queries): Promise<void> {
  const off = ["enable_seqscan", "enable_hashjoin", "enable_mergejoin", "jit"];
  await queries.query(`select ${off.map((name) => `set_config('${name}', 'off', true)`).join(", ")}`);
}
