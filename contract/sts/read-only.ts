/**
 * The scope of a sign-in whose tokens only read, and the claim that its access tokens then have (`true`). Our own: a service
 * whose config.json has `readOnlyTokens` refuses every write with such a token.
 */
export const READ_ONLY = "read_only";
