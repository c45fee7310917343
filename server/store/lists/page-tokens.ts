import { by } from "~/contract/order";
import { createHash } from "node:crypto";
import { EncryptJWT, jwtDecrypt } from "jose";

import { invalidArgument } from "../../status";
import { now } from "../clock";
import type { Queries } from "../database";
import { secret } from "../keys/secrets";

/**
 * What a token is bound to: it is rejected for another list or caller, and restarts the list for another order or
 * filters.
 */
export interface Binding {
  /** `groups.list` */
  readonly list: string;
  readonly caller: string;
  readonly order: string;
  readonly filters: Readonly<Record<string, unknown>>;
}

/** The last row of a page; the next page starts after it. */
export interface Position {
  /** Value of the sort column; times in milliseconds. */
  readonly value: string | number;
  readonly uid: string;
  /** The total, counted for the first page. */
  readonly total: string;
}

export interface PageTokens {
  write(binding: Binding, position: Position): Promise<string>;
  /**
   * Undefined if the list must restart from row one: the token is too old or was made for another order
   * or other filters. Throws INVALID_ARGUMENT on `page_token` if this caller never got the token from us.
   */
  read(binding: Binding, token: string): Promise<Position | undefined>;
}

const refused = () =>
  invalidArgument([
    { field: "page_token", description: "page_token is not one that this list gave to this caller" },
  ]);

const digest = (filters: Readonly<Record<string, unknown>>): string =>
  createHash("sha256")
    .update(JSON.stringify(Object.entries(filters).toSorted(by(([key]) => key))))
    .digest("base64url");

const KEY = "page-tokens";

/** Creates the key that encrypts page tokens, so that no list has to write it. */
export const preparePageTokens = async (queries: Queries): Promise<void> => void (await secret(queries, KEY));

/** `lifetime` in seconds. */
export function pageTokens(queries: Queries, lifetime: number): PageTokens {
  let known: Promise<Uint8Array> | undefined;
  const key = (): Promise<Uint8Array> => {
    known ??= secret(queries, KEY);
    known.catch(() => (known = undefined));
    return known;
  };

  return {
    // Encrypted: the position repeats values of the row, and a caller may lose the right to see it.
    async write({ list, caller, order, filters }, { value, uid, total }) {
      const bound = { order, filters: digest(filters) };
      return new EncryptJWT({ ...bound, value, uid, total })
        .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
        .setAudience(list)
        .setSubject(caller)
        .setIssuedAt(now())
        .encrypt(await key());
    },

    async read({ list, caller, order, filters }, token) {
      const secretKey = await key();
      const { payload } = await jwtDecrypt(token, secretKey, {
        audience: list,
        subject: caller,
        currentDate: now(),
        keyManagementAlgorithms: ["dir"],
        contentEncryptionAlgorithms: ["A256GCM"],
      }).catch(() => {
        throw refused();
      });
      const age = now().getTime() / 1000 - (payload.iat ?? 0);
      if (age > lifetime || payload["order"] !== order || payload["filters"] !== digest(filters))
        return undefined;
      return {
        value: payload["value"] as string | number,
        uid: String(payload["uid"]),
        total: String(payload["total"]),
      };
    },
  };
}
