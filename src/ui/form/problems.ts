import type { FieldViolation } from "platform-contract/status";

import { capitalize } from "../display/capitalize";

/** The react-hook-form key for errors without a visible field; not "root", which it drops on submit. */
export const FORM_ERROR = "(form)";

export interface Placed {
  /** The messages of each field, one per line. */
  readonly placed: Map<string, string>;
  /** Those that no field shows. */
  readonly unmatched: FieldViolation[];
}

/** Headers of a request that a field of forms fills in. */
const OF_HEADERS: Readonly<Record<string, string>> = { "Change-Justification": "justification" };

/** Puts each problem at the field of the form, one of `names`, that shows it. */
export function placeProblems(problems: readonly FieldViolation[], names: readonly string[]): Placed {
  const placed = new Map<string, string>();
  const unmatched: FieldViolation[] = [];
  for (const problem of problems) {
    // Of a batch, it is of all.
    const name = matchPath(OF_HEADERS[problem.field] ?? problem.field, names);
    if (name === undefined) unmatched.push(problem);
    else {
      const lines = new Set(placed.get(name)?.split("\n"));
      placed.set(name, [...lines.add(formatMessage(problem, name))].join("\n"));
    }
  }
  return { placed, unmatched };
}

/** The messages under a labeled field: "must be a uid" of the contract begins with a capital letter there. */
export const fieldMessages = (message: string): string[] =>
  message.split("\n").map((line) => (/^[a-z]+\b/.test(line) ? capitalize(line) : line));

/** The message away from the field, which it names. */
export const asText = ({ field, description }: FieldViolation): string =>
  field === "" ? description : `${field}: ${description}`;

/** The message of one field; if the field shows a list, the message names the entry. */
function formatMessage({ field, description }: FieldViolation, name: string): string {
  const entry = entryOf(field, name);
  return entry === undefined ? description : `Entry ${entry + 1}: ${description}`;
}

/** Normalizes `requests[0].claim_match` and `requests.0.claimMatch`: lowercase, without underscores, dotted. */
const normal = (path: string): string => segments(path).map(plain).join(".");

const plain = (segment: string): string => segment.replaceAll("_", "").toLowerCase();

/** Splits a path in any style that servers use: dots, brackets, quotes in brackets. */
export const segments = (path: string): string[] =>
  path
    .replace(/\[["']?([^\]"']{0,200})["']?\]/g, ".$1")
    .split(".")
    .filter((segment) => segment !== "");

/** Names by their normalized spelling. */
function index(names: Iterable<string>): Map<string, string> {
  return new Map([...names].map((name) => [normal(name), name]));
}

/** The longest prefix of `parts` that is a known name. */
function longest(parts: readonly string[], known: ReadonlyMap<string, string>): string | undefined {
  for (let length = parts.length; length > 0; length--) {
    const name = known.get(parts.slice(0, length).map(plain).join("."));
    if (name !== undefined) return name;
  }
  return undefined;
}

/**
 * Returns the form's name for a server's field path; undefined if the form has no such field.
 * The style does not matter: camelCase or snake_case, `a[0]` or `a.0`, with or without the resource's name in front
 * (`identity.claim_match.subject`). Prefers a visible field to its parent, and a full match, with or without the first
 * part, to a prefix.
 */
export function matchPath(path: string, names: Iterable<string>): string | undefined {
  const known = index(names);
  const parts = segments(path);
  const tail = parts.slice(1);
  return (
    known.get(parts.map(plain).join(".")) ??
    known.get(tail.map(plain).join(".")) ??
    longest(parts, known) ??
    longest(tail, known)
  );
}

/** Returns the form's name for a field of the API in whatever style, by a table of those that differ. */
export function renamed(path: string, names: Readonly<Record<string, string>>): string {
  const found = matchPath(path, Object.keys(names));
  return (found === undefined ? undefined : names[found]) ?? path;
}

/** Returns the index that follows a field's name in a path, from 0: 2 for `packages[2]` and the field `packages`. */
export function entryOf(path: string, name: string): number | undefined {
  const parts = segments(path).map(plain);
  const at = segments(name).map(plain);
  const start = parts.slice(0, at.length).join(".") === at.join(".") ? at.length : at.length + 1;
  const entry = parts[start] ?? "";
  const named = parts.slice(start - at.length, start).join(".") === at.join(".");
  return named && /^\d+$/.test(entry) ? Number(entry) : undefined;
}
