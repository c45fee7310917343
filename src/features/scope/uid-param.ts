/**
 * A uid in a console address: `_` for `/`, so that it is one path segment that no server rewrites
 * (many refuse `%2F`), and a double click selects the whole of it.
 */
export const uidToParam = (uid: string): string => uid.replaceAll("/", "_");

/** The uid in an address; other text stays unchanged, and the API answers NOT_FOUND. */
export const paramToUid = (param: string): string => param.replaceAll("_", "/");
