/** The SQLSTATE of a database error; "" for any other error. */
export const sqlState = (error: unknown): string => {
  const code: unknown = Object(error).code;
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? code : "";
};

/** The unique constraint that a write violated (unique_violation); undefined for any other error. */
export const brokenUnique = (error: unknown): string | undefined =>
  sqlState(error) === "23505" ? String(Object(error).constraint) : undefined;

const SERIALIZATION = new Set(["40001", "40P01"]);

/** Runs a whole transaction, and retries it once after a serialization failure or deadlock. */
export async function retryOnce<T>(transaction: () => Promise<T>): Promise<T> {
  try {
    return await transaction();
  } catch (error) {
    if (!SERIALIZATION.has(sqlState(error))) throw error;
    return transaction();
  }
}
