import { compactVerify, createLocalJWKSet, errors, type JWK } from "jose";

import type { Check } from "~/ui/display/check-table";

/** What is said of something that has to be as it is expected. */
export const checkThat = (label: string, isRight: boolean, right: string, wrong: string): Check => ({
  label,
  verdict: isRight ? "right" : "wrong",
  text: isRight ? right : wrong,
});

/** Checks that a JWS was made with one of these keys; undefined if they could not be read. */
export async function checkKey(jws: string, keys: readonly object[] | undefined): Promise<Check> {
  const label = "Signature";
  if (keys === undefined)
    return {
      label,
      verdict: "unknown",
      text: "The platform's keys couldn't be read, so this wasn't checked.",
    };
  try {
    await compactVerify(jws, createLocalJWKSet({ keys: keys as JWK[] }));
    return { label, verdict: "right", text: "It was made with a key of this platform." };
  } catch (error) {
    return error instanceof errors.JWKSNoMatchingKey
      ? {
          label,
          verdict: "unknown",
          text: "No key of this platform has its key ID. It is from elsewhere, or the key has been replaced since.",
        }
      : { label, verdict: "wrong", text: "It wasn't made with a key of this platform." };
  }
}
