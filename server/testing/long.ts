/** True for `npm run test:long`, which tests every row of a matrix. */
export const LONG = process.env["TEST_LONG"] === "1";
