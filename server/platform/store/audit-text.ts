import { trimEndOf } from "platform-contract/trim";

import type { AuditDraft } from "./audit";

/** Bytes of a name or a user agent that an entry keeps: others choose them, and an entry stays. */
const KEPT = 200;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The beginning of a text, never half of a character. */
function cut(text: string): string {
  if (text.length <= KEPT / 3) return text;
  const bytes = encoder.encode(text);
  if (bytes.length <= KEPT) return text;
  return trimEndOf(decoder.decode(bytes.subarray(0, KEPT), { stream: false }), "\uFFFD");
}

/** Keys whose texts are names or user agents, and objects whose values are. */
const TEXTS: ReadonlySet<string> = new Set(["name", "userAgent"]);

/** The text of an entry, which is hashed and stored. */
export const textOf = (draft: AuditDraft): string =>
  JSON.stringify(draft, (key, value: unknown) => {
    if (TEXTS.has(key) && typeof value === "string") return cut(value);
    if (key !== "names" || value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([uid, name]) => [uid, cut(String(name))]));
  });
