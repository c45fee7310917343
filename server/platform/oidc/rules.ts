import * as z from "zod";

import { DEMO_PASSWORD } from "../../demo";
import { normalizeEmail } from "./accounts";

const SHORTEST_PASSWORD = 10;
const LONGEST = { email: 254, name: 200, password: 200 } as const;

const anEmail = z.email();

/** Returns the message for the field, or undefined if it is valid. */
export function emailViolation(email: string): string | undefined {
  const spelling = normalizeEmail(email);
  if (spelling === "") return "Enter your email address.";
  // No safe pattern covers characters beyond ASCII; mailboxes that have them also have an ASCII address.
  if (spelling.length > LONGEST.email || !anEmail.safeParse(spelling).success)
    return "Enter an email address like name@example.com.";
  return undefined;
}

export function nameViolation(name: string): string | undefined {
  if (name.length > LONGEST.name) return `Use at most ${LONGEST.name} characters.`;
  return /[\p{Cc}\p{Cs}]/u.test(name) ? "Use letters, digits, and punctuation only." : undefined;
}

/** NIST SP 800-63B: length counts, composition rules do not. */
export function newPasswordViolation(password: string, email: string): string | undefined {
  if (password === "") return "Enter a password.";
  // Count code points, as users do: an emoji is one character.
  const length = [...password].length;
  if (length < SHORTEST_PASSWORD) return `Use at least ${SHORTEST_PASSWORD} characters.`;
  if (length > LONGEST.password) return `Use at most ${LONGEST.password} characters.`;
  if (password.toLowerCase() === DEMO_PASSWORD)
    return "Choose another password. This one is published in the README.";
  return password.toLowerCase() === normalizeEmail(email)
    ? "Use something other than your email."
    : undefined;
}

/** Omits fields without a violation. */
export const violations = (
  all: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
