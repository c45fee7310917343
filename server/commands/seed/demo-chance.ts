import { createHash } from "node:crypto";

export const hex = (text: string, length: number): string =>
  createHash("sha256").update(`demo registry\n${text}`).digest("hex").slice(0, length);

/** A whole number below `limit`, derived from a text. */
export const chance = (text: string, limit: number): number => Number.parseInt(hex(text, 8), 16) % limit;
