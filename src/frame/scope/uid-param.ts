/**
 * A uid in a console URL: `/` becomes `_`, so that it is a single path segment that no server rewrites (many reject
 * `%2F`) and that a double click selects as a whole.
 */
export const uidToParam = (uid: string): string => uid.replaceAll("/", "_");

/** The uid in a URL; other text stays unchanged, and the API returns NOT_FOUND. */
export const paramToUid = (param: string): string => param.replaceAll("_", "/");
