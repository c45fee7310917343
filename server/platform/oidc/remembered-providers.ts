import { parse, serialize } from "hono/utils/cookie";
import type { IncomingMessage, ServerResponse } from "node:http";

import { UID_PATTERN } from "platform-contract/aip";

import type { Queries } from "../store/database";
import { findProvider } from "../../domains/federation/identity-providers.table";
import type { Cookies } from "./cookies";

/** Seconds; browsers limit cookies to 400 days (RFC 6265bis, section 5.5). */
const MAX_AGE_S = 400 * 24 * 3600;
const MOST = 3;

/** A provider on the sign-in page; `at` is its uid as used in addresses. */
export interface Offered {
  readonly at: string;
  readonly name: string;
}

export interface RememberedProviders {
  /** Returns the provider that a link names, then those used in this browser, most recent first. */
  offered(request: IncomingMessage, hint: unknown): Promise<readonly Offered[]>;
  /** Call only after a successful sign-in: a link must not change a user's sign-in page permanently. */
  add(request: IncomingMessage, response: ServerResponse, uid: string): void;
}

const isAt = (text: string): boolean => UID_PATTERN.test(text.replaceAll("_", "/"));

export function createRememberedProviders(
  queries: Queries,
  { names, lasting }: Cookies,
): RememberedProviders {
  const read = (request: IncomingMessage): string[] =>
    (parse(request.headers.cookie ?? "", names.providers)[names.providers] ?? "")
      .split(".", MOST)
      .filter((one) => isAt(one));

  return {
    async offered(request, hint) {
      const named = typeof hint === "string" && isAt(hint) ? [hint.replaceAll("/", "_")] : [];
      const found: Offered[] = [];
      for (const at of new Set([...named, ...read(request)])) {
        const provider = await findProvider(queries, at.replaceAll("_", "/"));
        if (provider) found.push({ at, name: provider.name });
      }
      return found;
    },
    add(request, response, uid) {
      const at = uid.replaceAll("/", "_");
      const all = [at, ...read(request).filter((one) => one !== at)].slice(0, MOST);
      const { path, secure } = lasting;
      response.appendHeader(
        "set-cookie",
        serialize(names.providers, all.join("."), {
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
