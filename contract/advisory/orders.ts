/**
 * What documents and metadata can be ordered by. They have an id of their own and no uid: `uid`, which orders every other
 * list, means `id`.
 */
export const ADVISORY_ORDERS = ["id", "uid", "created_at", "updated_at"] as const;
