import { formatOrder, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX, type Order } from "platform-contract/aip";
import { by } from "platform-contract/order";
import type { ListQuery } from "platform-contract/resource";
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { z } from "zod";

import { invalidArgument } from "../../../status";
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
   * Undefined if the list must restart from row one: the token is too old, was written by another version, or was made
   * for another order or other filters. Throws INVALID_ARGUMENT on `page_token` if this caller never got the token from us.
   */
  read(binding: Binding, token: string): Promise<Position | undefined>;
}

/** The query of a list, with the list's own filters. */
export type ListedQuery = ListQuery & Readonly<Record<string, unknown>>;

/** Schemas have parsed the parameters that all lists share, which the type of a call does not say. */
export const listedQuery = (query: Readonly<Record<string, unknown>>): ListedQuery => query as ListedQuery;

/** A request for a page of a list. */
export interface PageRequest {
  /** `groups.list`; page tokens are bound to it. */
  readonly list: string;
  readonly caller: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly order: Order;
}

/** In tokens: one that was made when names were ordered by their bytes restarts its list. */
const COLLATION = "folded ";

const PAGING = new Set(["page_size", "page_token", "skip", "order_by"]);

/** What a request asks for: how many rows, from where, and how to write the token for the page after them. */
export async function readPageRequest(tokens: PageTokens, { list, caller, query, order }: PageRequest) {
  const { page_size, page_token, skip = 0 } = listedQuery(query);
  const filters = Object.fromEntries(Object.entries(query).filter(([name]) => !PAGING.has(name)));
  const binding = { list, caller, order: `${COLLATION}${formatOrder(order)}`, filters };
  return {
    size: Math.min(page_size || PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX),
    skip,
    position: page_token ? await tokens.read(binding, page_token) : undefined,
    /** `value`: that of the sort column in the last row. */
    next: (value: unknown, uid: string, total: string): Promise<string> =>
      tokens.write(binding, { value: value instanceof Date ? value.getTime() : String(value), uid, total }),
  };
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
      const content: Content = [order, digest(filters), now().getTime(), value, uid, total];
      return seal(await key(), `${list}\n${caller}`, JSON.stringify(content));
    },

    async read({ list, caller, order, filters }, token) {
      if (EARLIER_FORM.test(token)) return undefined;
      const text = open(await key(), `${list}\n${caller}`, token);
      if (text === undefined) throw refused();
      const content = CONTENT.safeParse(JSON.parse(text));
      if (!content.success) return undefined;
      const [itsOrder, itsFilters, made, value, uid, total] = content.data;
      const age = (now().getTime() - made) / 1000;
      if (age > lifetime || itsOrder !== order || itsFilters !== digest(filters)) return undefined;
      return { value, uid, total };
    },
  };
}

/** Order, digest of the filters, milliseconds since 1970, and the position; a token of another version has others. */
const CONTENT = z.tuple([
  z.string(),
  z.string(),
  z.number(),
  z.union([z.string(), z.number()]),
  z.string(),
  z.string(),
]);
type Content = z.infer<typeof CONTENT>;

/** Tokens of version 1.0.0-rc.1 were JWE (RFC 7516, section 7.1). They outlive an upgrade, so they restart their list. */
const EARLIER_FORM = /^eyJ[\w-]*\.[\w-]*\.[\w-]+\.[\w-]+\.[\w-]+$/;

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts (AES-256-GCM, NIST SP 800-38D): nonce, ciphertext and tag in base64url. A JWE costs ten times as much. */
function seal(key: Uint8Array, context: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString(
    "base64url",
  );
}

/** The text that was sealed with this key and context, or undefined. */
function open(key: Uint8Array, context: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, "base64url");
  // Exactly as it was written: Buffer ignores what is not base64url.
  if (bytes.length < NONCE_BYTES + TAG_BYTES || bytes.toString("base64url") !== sealed) return undefined;
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return (
      decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8")
    );
  } catch {
    return undefined;
  }
}
