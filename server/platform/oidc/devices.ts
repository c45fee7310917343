import { parse, serialize } from "hono/utils/cookie";
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

import { normalizeEmail } from "./accounts";
import type { Cookies } from "./cookies";

/** Seconds; browsers limit cookies to 400 days (RFC 6265bis, section 5.5). */
const MAX_AGE_S = 400 * 24 * 3600;
/** Maximum people to remember per browser; the next one replaces the oldest. */
const MOST_PEOPLE = 5;
/** 128 bits in base64url. */
const PART = /^[\w-]{22}$/;

interface Device {
  readonly nonce: string;
  /** One per person who has signed in on this browser, oldest first. */
  readonly marks: readonly string[];
}

export interface Devices {
  /** Returns the mark of an account in this browser; undefined if its owner has not signed in here. */
  knows(request: IncomingMessage, email: string): string | undefined;
  /** Sets the cookie that records the account owner's sign-in in this browser. */
  remember(request: IncomingMessage, response: ServerResponse, email: string): void;
}

/**
 * The cookie "this browser has signed in before" (OWASP, Slow Down Online Guessing Attacks with Device Cookies). Its
 * holder is throttled separately, so that strangers' failures do not lock them out. Format: `nonce.mark.mark...`; a
 * mark is a MAC over nonce and email: reveals no email, valid for that account only. `keys`: the first one signs, all
 * verify.
 */
export function createDevices(keys: readonly string[], { names, lasting }: Cookies): Devices {
  const mark = (key: string, nonce: string, email: string): string =>
    createHmac("sha256", key)
      .update(`device\n${nonce}\n${normalizeEmail(email)}`)
      .digest()
      .subarray(0, 16)
      .toString("base64url");

  function read(request: IncomingMessage): Device | undefined {
    const value = parse(request.headers.cookie ?? "", names.device)[names.device];
    const [nonce = "", ...marks] = value?.split(".", MOST_PEOPLE + 1) ?? [];
    return PART.test(nonce) ? { nonce, marks: marks.filter((one) => PART.test(one)) } : undefined;
  }

  const markIn = (device: Device | undefined, email: string): string | undefined =>
    device?.marks.find((one) =>
      keys.some((key) => timingSafeEqual(Buffer.from(one), Buffer.from(mark(key, device.nonce, email)))),
    );

  return {
    knows: (request, email) => markIn(read(request), email),
    remember(request, response, email) {
      const known = read(request);
      const nonce = known?.nonce ?? randomBytes(16).toString("base64url");
      const before = known?.marks.filter((one) => one !== markIn(known, email)) ?? [];
      const marks = [...before, mark(keys[0] ?? "", nonce, email)].slice(-MOST_PEOPLE);
      const { path, secure } = lasting;
      response.appendHeader(
        "set-cookie",
        serialize(names.device, [nonce, ...marks].join("."), {
          path,
          secure,
          httpOnly: true,
          sameSite: "Lax",
          maxAge: MAX_AGE_S,
        }),
      );
    },
  };
}
