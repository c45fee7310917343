import type { JWK } from "jose";
import { isObject } from "platform-contract/values";

/** One key of a JWKS document (RFC 7517). */
export interface HeldKey {
  /** Its place in the document. */
  readonly index: number;
  /** Key id; undefined if it has none. */
  readonly kid: string | undefined;
  /** "ES256", "RSA"; as precise as the key says. */
  readonly algorithm: string;
  /** The key as JSON: places change when someone else changes the document. */
  readonly json: string;
}

const object = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {});

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** Parses a JWKS document; undefined for other text. */
function parse(document: string): { readonly keys: readonly unknown[] } | undefined {
  try {
    const content: unknown = JSON.parse(document);
    const { keys } = object(content);
    return Array.isArray(keys) ? { ...object(content), keys } : undefined;
  } catch {
    return undefined;
  }
}

/** The keys of a JWKS document, in order; undefined for other text. */
export const keysOf = (document: string): readonly HeldKey[] | undefined =>
  parse(document)?.keys.map((key, index) => {
    const { kid, alg, crv, kty } = object(key);
    const algorithm = text(alg) ?? text(crv) ?? text(kty) ?? "";
    return { index, kid: text(kid), algorithm, json: JSON.stringify(key) };
  });

/** The document with one more key, at its end, unless it has that already: everything else stays. */
export function withKey(document: string, key: JWK): string {
  const content = parse(document);
  if (!content) throw new Error("Not a JWKS document");
  const there = content.keys.some((each) => text(object(each)["kid"]) === key.kid);
  return there ? document : JSON.stringify({ ...content, keys: [...content.keys, key] });
}

/** The document without this key; unchanged if it has no such key. */
export function withoutKey(document: string, { json }: HeldKey): string {
  const content = parse(document);
  if (!content) throw new Error("Not a JWKS document");
  const kept = content.keys.filter((key) => JSON.stringify(key) !== json);
  return kept.length === content.keys.length ? document : JSON.stringify({ ...content, keys: kept });
}
