import { by } from "platform-contract/order";
import { trimEndOf, trimStartOf } from "platform-contract/trim";

const SHORT = /^([a-z]+)((?:-[23456789cfghjmpqrvwx]{4}){3})$/i;

/** Normalizes a typed or pasted id to its canonical form: " cve-2026-1 " becomes CVE-2026-1. */
export function readId(text: string): string {
  const trimmed = trimEndOf(trimStartOf(text.trim(), "\"'`<("), "\"'`>).,;");
  const short = SHORT.exec(trimmed);
  if (short) return `${short[1]?.toUpperCase()}${short[2]?.toLowerCase()}`;
  return /^cve-\d+-\d+$/i.test(trimmed) ? trimmed.toUpperCase() : trimmed;
}

const ORDER = [/^CVE-/, /^GHSA-/];
const rank = (id: string): number => {
  const at = ORDER.findIndex((known) => known.test(id));
  return at < 0 ? ORDER.length : at;
};

/** Sorts ids by how often people search for them: CVE, GHSA, others. */
export const inOrder = (ids: readonly string[] = []): string[] => ids.toSorted(by(rank, (id) => id));
