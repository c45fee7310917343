import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import type { Authenticator } from "../access/authenticate";
import type { Caller } from "../access/caller";
import { createTurns, type Places } from "../../turns";
import { codeOf, payerOf, type Incoming } from "./incoming";
import { createKnownTokens, createRateLimit } from "./rate-limit";

/** Per token, concurrent requests before its caller is known. */
const SHARE_OF_TOKEN = { running: 2, waiting: 20, unsent: Infinity };

/**
 * Per address, tokens that were not valid before and are being verified: anybody can make up tokens. Wide enough for
 * everyone behind one address after a restart.
 */
const SHARE_OF_ADDRESS = { running: 2, waiting: 1_000, unsent: Infinity };

export interface Identification {
  /** Returns the caller. Throws UNAUTHENTICATED, RESOURCE_EXHAUSTED, or what `verify` throws. */
  identify(
    incoming: Pick<Incoming, "bearer" | "address" | "over">,
    verify?: () => Promise<Caller>,
  ): Promise<Caller>;
  /** Places that requests hold now: by token, and by address for tokens that were not valid before. */
  places(): Record<"tokens" | "addresses", Places>;
}

/** Authenticates callers, in turns and within the rate limit. */
export function createIdentification(options: {
  readonly rateLimit: number;
  readonly authenticator: Authenticator;
}): Identification {
  const { authenticator } = options;
  const limit = createRateLimit(options.rateLimit);
  const knownTokens = createKnownTokens();
  const tokenTurns = createTurns({ atOnce: Infinity, share: SHARE_OF_TOKEN });
  const addressTurns = createTurns({ atOnce: 16, share: SHARE_OF_ADDRESS, keepsFree: 1 });

  /** Takes nothing if others have emptied the bucket meanwhile: the caller learns what is wrong with the token. */
  function charge(address: string): void {
    try {
      limit.take(`address ${address}`);
    } catch {
      // `look` refuses the next one.
    }
  }

  /**
   * Requests without a valid token count against their address, since an unverified token's claims prove nothing.
   * Checks the address before verifying the token, the most expensive step.
   */
  async function identify(
    { bearer, address, over }: Pick<Incoming, "bearer" | "address" | "over">,
    verify = () => authenticator.authenticate(bearer),
  ): Promise<Caller> {
    // Store only the hash: it cannot be used to sign in.
    const token = createHash("sha256")
      .update(bearer ?? "")
      .digest("base64url");
    if (!knownTokens.has(token)) limit.look(`address ${address}`);
    const authenticate = async (): Promise<Caller> => {
      const from = performance.now();
      try {
        return await verify();
      } catch (error) {
        // Any other failure, such as keys that cannot be read, says nothing against a token that was valid before.
        const isInvalid = codeOf(error) === "UNAUTHENTICATED";
        if (isInvalid) knownTokens.delete(token);
        if (!knownTokens.has(token)) {
          charge(address);
          // Half of the time goes to others; waiting for an issuer took none.
          if (bearer !== undefined && isInvalid) await sleep(performance.now() - from);
        }
        throw error;
      }
    };
    const inTurn = () =>
      knownTokens.has(token) ? authenticate() : addressTurns(address, over, authenticate);
    const caller = await (bearer === undefined ? authenticate() : tokenTurns(token, over, inTurn));
    knownTokens.add(token);
    limit.take(`caller ${payerOf(caller)}`);
    return caller;
  }

  return {
    identify,
    places: () => ({ tokens: tokenTurns.places(), addresses: addressTurns.places() }),
  };
}
