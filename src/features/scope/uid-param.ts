/**
 * A uid in a console address: `_` for `/`, so that it is one path segment that no server rewrites
 * (many refuse `%2F`), and a double click selects the whole of it.
 */
export const uidToParam = (uid: string): string => uid.replaceAll("/", "_");

/** The uid of an address; text that is no uid stays what it is, and the API says that it knows no such record. */
export const paramToUid = (param: string): string => param.replaceAll("_", "/");
