/** Of every request. In a file of its own: the console's first requests are sent by code that loads before the rest. */
export const HEADERS = { accept: "application/json" };
