/** Whether this is `npm run test:long`, which takes every row of a matrix. */
export const LONG = process.env["TEST_LONG"] === "1";
