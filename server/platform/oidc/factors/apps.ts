import { Secret, TOTP } from "otpauth";

import type { Queries } from "../../store/database";
import type { SealedTexts } from "../../store/keys/sealed-texts";

/** Codes of one step before and one after are accepted: clocks differ. */
const WINDOW = 1;

const totpOf = (secret: string, more: { issuer?: string; label?: string } = {}): TOTP =>
  new TOTP({ ...more, secret: Secret.fromBase32(secret) });

export const newSecret = (): string => new Secret({ size: 20 }).base32;

/** The address that the QR code has (otpauth:). */
export const addressOfSecret = (secret: string, issuer: string, email: string): string =>
  // A colon separates the two in the label.
  totpOf(secret, { issuer: issuer.replaceAll(":", " "), label: email }).toString();

/** What was typed, without the blank that apps show in the middle. */
export const digitsOf = (typed: string): string => typed.replaceAll(/\s/g, "");
export const isCode = (digits: string): boolean => /^\d{6}$/.test(digits);

/** The time step of a right code; undefined for a wrong one. */
export function stepOf(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime();
  const delta = totpOf(secret).validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? undefined : TOTP.counter({ timestamp }) + delta;
}

/** A secret that nobody can read without the key of this installation: after an import or with another SECRET_KEY. */
export class UnreadableSecret extends Error {}

/**
 * Checks a code against the apps of an account. A code of a step that was used is refused, even at the same time in
 * another request. Throws UnreadableSecret if no secret can be read.
 */
export async function checkCode(
  queries: Queries,
  texts: SealedTexts,
  { subject, code, now }: { readonly subject: string; readonly code: string; readonly now: Date },
): Promise<boolean> {
  const apps = await queries.query<{ uid: string; sealed: string }>(
    "select uid, sealed from authenticator_apps where subject = $1 order by created_at, uid",
    [subject],
  );
  let read = 0;
  for (const { uid, sealed } of apps) {
    const secret = await texts.unseal(uid, sealed);
    if (secret === undefined) continue;
    read += 1;
    const step = stepOf(secret, code, now);
    if (step === undefined) continue;
    const used = await queries.query(
      "update authenticator_apps set last_step = $2, used_at = $3 where uid = $1 and last_step < $2 returning 1",
      [uid, step, now],
    );
    if (used.length > 0) return true;
  }
  if (apps.length > 0 && read === 0) throw new UnreadableSecret();
  return false;
}
